use super::super::answer::{ErrorName, OauthError};
use super::super::store::{ClientKind, ClientRow, Words};
use super::{GrantType, matches};
use crate::error::DatabaseFailure;
use crate::oauth2::server::store::Work;
use crate::store::Transaction;

/// What a registered client may do.
impl ClientRow {
    pub(in crate::oauth2::server) fn is_confidential(&self) -> bool {
        self.kind == ClientKind::Confidential
    }

    pub(in crate::oauth2::server) fn require(
        &self,
        grant_type: GrantType,
    ) -> Result<(), OauthError> {
        let allowed = self.grant_types.contains(grant_type.as_str());
        allowed.then_some(()).ok_or(OauthError::new(
            ErrorName::UnauthorizedClient,
            "the client may not use this grant type",
        ))
    }

    /// Whether its users may be sent back to `uri`.
    pub(in crate::oauth2::server) fn is_at(&self, uri: &str) -> bool {
        self.redirect_uris.iter().any(|own| matches(own, uri))
    }

    /// The scopes that it asks for, or its defaults.
    pub(in crate::oauth2::server) fn scopes_asked(
        &self,
        asked: Option<&str>,
    ) -> Result<Words, OauthError> {
        match asked {
            Some(asked) => narrowed(&self.scopes, asked),
            None if self.default_scopes.is_empty() => Err(NO_SCOPE),
            None => Ok(self.default_scopes.clone()),
        }
    }

    /// Of what it asked for or was granted as much as it may still have.
    pub(in crate::oauth2::server) fn scopes_left(&self, former: &Words) -> Words {
        let still = former.iter().filter(|scope| self.scopes.contains(scope));
        still.collect()
    }
}

/// The scopes that are asked for, where all of them are among those that may be.
pub(in crate::oauth2::server) fn narrowed(
    allowed: &Words,
    asked: &str,
) -> Result<Words, OauthError> {
    let within = asked
        .split(' ')
        .all(|scope| scope.is_empty() || allowed.contains(scope));
    if !within {
        return Err(OauthError::new(
            ErrorName::InvalidScope,
            "a scope is not known, or more than the client may ask for",
        ));
    }
    let asked = Words::from(&asked.split(' ').collect());
    (!asked.is_empty()).then_some(asked).ok_or(NO_SCOPE)
}

pub(in crate::oauth2::server) const NO_SCOPE: OauthError =
    OauthError::new(ErrorName::InvalidScope, "no scope is asked for");

/// Disables a client; answers whether there is one.
pub(in crate::oauth2::server) struct DisabledClient<'id> {
    pub(in crate::oauth2::server) id: &'id str,
    pub(in crate::oauth2::server) now: i64,
}

impl Work for DisabledClient<'_> {
    type Outcome = bool;

    async fn run(&self, transaction: &mut Transaction) -> Result<bool, DatabaseFailure> {
        let Some(mut client) = transaction.lock::<ClientRow>(self.id).await? else {
            return Ok(false);
        };
        client.disabled_at.get_or_insert(self.now);
        transaction.replace(&client).await?;
        Ok(true)
    }
}

/// Puts a client in the place of the one with its id, or beside the others.
pub(in crate::oauth2::server) struct PutClient<'row> {
    pub(in crate::oauth2::server) row: &'row ClientRow,
}

impl Work for PutClient<'_> {
    type Outcome = ();

    async fn run(&self, transaction: &mut Transaction) -> Result<(), DatabaseFailure> {
        let former = transaction.lock::<ClientRow>(&self.row.id).await?;
        let Some(former) = former else {
            return transaction.store(self.row).await.map(drop);
        };
        let client = ClientRow {
            disabled_at: former.disabled_at,
            created_at: former.created_at,
            ..self.row.clone()
        };
        transaction.replace(&client).await
    }
}
