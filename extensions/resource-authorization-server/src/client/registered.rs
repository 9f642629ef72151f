//! Registered clients: their permissions, changes to them, and grant types.

use resource_runtime::authorization::Scopes;
use resource_runtime::{Error, Transaction};

use super::uri_matches;
use crate::error_response::{ErrorCode, OauthError};
use crate::store::{ClientKind, ClientRow, SpaceSeparated, TransactionScript};

/// Permissions of a registered client.
impl ClientRow {
    pub(crate) fn is_confidential(&self) -> bool {
        self.kind == ClientKind::Confidential
    }

    pub(crate) fn require(&self, grant_type: GrantType) -> Result<(), OauthError> {
        let allowed = self.grant_types.contains(grant_type.as_str());
        allowed.then_some(()).ok_or(
            ErrorCode::UNAUTHORIZED_CLIENT.described("the client may not use this grant type"),
        )
    }

    /// Tests that `uri` is one of its redirect URIs.
    pub(crate) fn has_redirect_uri(&self, uri: &str) -> bool {
        self.redirect_uris.iter().any(|own| uri_matches(own, uri))
    }

    /// The scopes of a request, or the defaults of the client if it names none.
    pub(crate) fn scopes_for(&self, requested: Option<&str>) -> Result<SpaceSeparated, OauthError> {
        match requested {
            Some(requested) => require_scopes(&self.scopes, requested),
            None if self.default_scopes.is_empty() => Err(NO_SCOPE),
            None => Ok(self.default_scopes.clone()),
        }
    }

    /// Limits scopes that were requested or granted earlier to those that the client still has.
    pub(crate) fn limit_scopes(&self, scopes: &SpaceSeparated) -> SpaceSeparated {
        // Limited silently: a scope that was taken from the client must not break its older
        // grants.
        let allowed = scopes.iter().filter(|it| self.scopes.contains(it));
        allowed.collect()
    }
}

/// The requested scopes, if all of them are allowed.
pub(crate) fn require_scopes(
    allowed: &SpaceSeparated,
    requested: &str,
) -> Result<SpaceSeparated, OauthError> {
    let mut scopes = requested.split(' ');
    // Repeated spaces are tolerated, so empty words are skipped.
    if !scopes.all(|scope| scope.is_empty() || allowed.contains(scope)) {
        return Err(ErrorCode::INVALID_SCOPE
            .described("a scope is not known, or more than the client may ask for"));
    }
    // Through the set `Scopes`, which drops repetitions and empty words.
    let requested = SpaceSeparated::from(&requested.split(' ').collect::<Scopes>());
    (!requested.is_empty()).then_some(requested).ok_or(NO_SCOPE)
}

pub(crate) const NO_SCOPE: OauthError = ErrorCode::INVALID_SCOPE
    .described("no scope is asked for, or none is left that the client may have");

/// Disables a client; the outcome is `false` if it does not exist.
pub(crate) struct DisableClient<'id> {
    pub(crate) id: &'id str,
    pub(crate) now: i64,
}

impl TransactionScript for DisableClient<'_> {
    type Outcome = bool;

    async fn run(&self, transaction: &mut Transaction) -> Result<bool, Error> {
        let clients = transaction.items::<ClientRow>();
        let Some(client) = clients.get_for_update(self.id).await? else {
            return Ok(false);
        };
        // A client that was disabled before keeps the moment of it.
        if client.disabled_at.is_none() {
            let client = transaction.items::<ClientRow>().update(self.id);
            client.set(ClientRow::DISABLED_AT, self.now).await?;
        }
        Ok(true)
    }
}

/// Replaces the client of this id, or adds it. A disabled client stays disabled.
pub(crate) struct PutClient<'row>(pub(crate) &'row ClientRow);

impl TransactionScript for PutClient<'_> {
    type Outcome = ();

    async fn run(&self, transaction: &mut Transaction) -> Result<(), Error> {
        // Read under the lock, so that a concurrent disabling is not overwritten.
        let former = transaction
            .items::<ClientRow>()
            .get_for_update(&self.0.id)
            .await?;
        let (clients, client) = (transaction.items::<ClientRow>(), self.0.clone());
        let Some(former) = former else {
            return clients.insert(client).await.map(drop);
        };
        let client = ClientRow {
            disabled_at: former.disabled_at,
            created_at: former.created_at,
            ..client
        };
        let replaced = clients.without_hooks().upsert(ClientRow::ID, client);
        replaced.await.map(drop)
    }
}

/// A grant type: a way to obtain access tokens.
///
/// ```
/// use resource_authorization_server::GrantType;
///
/// assert_eq!(GrantType::ClientCredentials.as_str(), "client_credentials");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum GrantType {
    /// For a user who consents.
    AuthorizationCode,
    /// For the client itself.
    ClientCredentials,
    /// For the same user again, when the access token has expired.
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
