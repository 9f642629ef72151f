//! A registered client, and how it may get tokens.

use resource_runtime::Error;
use resource_runtime::seam::{RowTransaction, TransactionScript};

use super::matches;
use crate::error_response::{ErrorName, OauthError};
use crate::store::{ClientKind, ClientRow, SpaceSeparated};

/// What a registered client may do.
impl ClientRow {
    pub(crate) fn is_confidential(&self) -> bool {
        self.kind == ClientKind::Confidential
    }

    pub(crate) fn require(&self, grant_type: GrantType) -> Result<(), OauthError> {
        let allowed = self.grant_types.contains(grant_type.as_str());
        allowed.then_some(()).ok_or(
            ErrorName::UNAUTHORIZED_CLIENT.described("the client may not use this grant type"),
        )
    }

    /// Whether its users may be sent back to `uri`.
    pub(crate) fn is_at(&self, uri: &str) -> bool {
        self.redirect_uris.iter().any(|own| matches(own, uri))
    }

    /// The scopes that it asks for, or its defaults.
    pub(crate) fn scopes_asked(&self, asked: Option<&str>) -> Result<SpaceSeparated, OauthError> {
        match asked {
            Some(asked) => narrowed(&self.scopes, asked),
            None if self.default_scopes.is_empty() => Err(NO_SCOPE),
            None => Ok(self.default_scopes.clone()),
        }
    }

    /// Of what it asked for or was granted as much as it may still have.
    pub(crate) fn scopes_left(&self, former: &SpaceSeparated) -> SpaceSeparated {
        let still = former.iter().filter(|scope| self.scopes.contains(scope));
        still.collect()
    }
}

/// The scopes that are asked for, where all of them are among those that may be.
pub(crate) fn narrowed(
    allowed: &SpaceSeparated,
    asked: &str,
) -> Result<SpaceSeparated, OauthError> {
    let mut scopes = asked.split(' ');
    if !scopes.all(|scope| scope.is_empty() || allowed.contains(scope)) {
        return Err(ErrorName::INVALID_SCOPE
            .described("a scope is not known, or more than the client may ask for"));
    }
    let asked = SpaceSeparated::from(&asked.split(' ').collect());
    (!asked.is_empty()).then_some(asked).ok_or(NO_SCOPE)
}

pub(crate) const NO_SCOPE: OauthError = ErrorName::INVALID_SCOPE.described("no scope is asked for");

/// Disables a client; answers whether there is one.
pub(crate) struct DisabledClient<'id> {
    pub(crate) id: &'id str,
    pub(crate) now: i64,
}

impl TransactionScript for DisabledClient<'_> {
    type Outcome = bool;

    async fn run(&self, transaction: &mut RowTransaction) -> Result<bool, Error> {
        let Some(mut client) = transaction.get_for_update::<ClientRow>(self.id).await? else {
            return Ok(false);
        };
        client.disabled_at.get_or_insert(self.now);
        transaction.update(&client).await?;
        Ok(true)
    }
}

/// Puts a client in the place of the one with its id, or beside the others.
pub(crate) struct PutClient<'row>(pub(crate) &'row ClientRow);

impl TransactionScript for PutClient<'_> {
    type Outcome = ();

    async fn run(&self, transaction: &mut RowTransaction) -> Result<(), Error> {
        let former: Option<ClientRow> = transaction.get_for_update(&self.0.id).await?;
        let Some(former) = former else {
            return transaction.insert(self.0).await;
        };
        let client = ClientRow {
            disabled_at: former.disabled_at,
            created_at: former.created_at,
            ..self.0.clone()
        };
        transaction.update(&client).await
    }
}

/// How a client may get access tokens.
///
/// ```
/// use resource_authorization_server::GrantType;
///
/// assert_eq!(GrantType::ClientCredentials.as_str(), "client_credentials");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum GrantType {
    /// On behalf of a user who consents.
    AuthorizationCode,
    /// On its own behalf.
    ClientCredentials,
    /// Again on behalf of a user, when the access token has expired.
    RefreshToken,
}

impl GrantType {
    pub(crate) const ALL: [Self; 3] = [
        Self::AuthorizationCode,
        Self::ClientCredentials,
        Self::RefreshToken,
    ];

    /// The name in requests and metadata.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::AuthorizationCode => "authorization_code",
            Self::ClientCredentials => "client_credentials",
            Self::RefreshToken => "refresh_token",
        }
    }

    pub(crate) fn by_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|it| it.as_str() == name)
    }
}
