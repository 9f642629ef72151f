use resource_runtime::Error;
use resource_runtime::seam::{RowTransaction, TransactionScript};

use super::super::answer::OauthError;
use super::super::client::narrowed;
use super::super::lifetimes::Lifetimes;
use super::super::store::{ClientRow, GrantRow, RefreshRow, Words};
use super::super::text::whole_seconds;
use super::grant::{NewRefreshToken, revoke_grant};
use super::retry::{Generation, Retry};

/// Puts a new refresh token in the place of one that is used.
pub(super) struct Rotation<'request> {
    pub(super) token_hash: &'request str,
    pub(super) client: &'request ClientRow,
    pub(super) resource: &'request str,
    pub(super) scope: Option<&'request str>,
    pub(super) successor: &'request NewRefreshToken,
    pub(super) lifetimes: Lifetimes,
    pub(super) now: i64,
}

pub(super) enum Outcome {
    Rotated(GrantRow, Words),
    Refused(OauthError),
    /// Two have it: all that stems from this grant is revoked.
    Reused(String),
}

impl TransactionScript for Rotation<'_> {
    type Outcome = Outcome;

    async fn run(&self, transaction: &mut RowTransaction) -> Result<Outcome, Error> {
        let refused = Ok(Outcome::Refused(OauthError::INVALID_GRANT));
        let token = transaction
            .get_for_update::<RefreshRow>(self.token_hash)
            .await?;
        let Some(token) = token.filter(|token| token.client_id == self.client.id) else {
            return refused;
        };
        // Whoever has another token of the grant waits here.
        let grant = transaction
            .get_for_update::<GrantRow>(&token.grant_id)
            .await?;
        let Some(grant) = grant.filter(|grant| self.is_good(grant)) else {
            return refused;
        };
        // Before its own end: who has an old token has stolen it all the same.
        let generation = Generation::of(transaction, &token).await?;
        match generation.judge(self.now, &self.lifetimes) {
            Retry::None | Retry::Honest => {}
            Retry::TooMany => return refused,
            Retry::Theft => {
                let id = grant.id.clone();
                let reason = "a refresh token was used twice";
                revoke_grant(transaction, grant, self.now, reason).await?;
                return Ok(Outcome::Reused(id));
            }
        }
        if self.now >= token.expires_at {
            return refused;
        }
        let parent = generation.parent_of_next().to_owned();
        match self.scope_of(&grant) {
            Ok(scope) => {
                self.rotate(transaction, token, &parent, &grant).await?;
                Ok(Outcome::Rotated(grant, scope))
            }
            Err(error) => Ok(Outcome::Refused(error)),
        }
    }
}

impl Rotation<'_> {
    fn is_good(&self, grant: &GrantRow) -> bool {
        let ours = grant.resource == self.resource;
        ours && grant.revoked_at.is_none() && self.now < grant.expires_at
    }

    /// Of what was granted as much as the client may still have, or less where it asks for less.
    fn scope_of(&self, grant: &GrantRow) -> Result<Words, OauthError> {
        let left = self.client.scopes_left(&grant.scope);
        narrowed(&left, self.scope.unwrap_or(left.as_str()))
    }

    async fn rotate(
        &self,
        transaction: &mut RowTransaction,
        mut token: RefreshRow,
        parent: &str,
        grant: &GrantRow,
    ) -> Result<(), Error> {
        if token.used_at.is_none() {
            token.used_at = Some(self.now);
            transaction.update(&token).await?;
        }
        let idle = whole_seconds(self.lifetimes.refresh_idle);
        let row = self.successor.row(grant, Some(parent), self.now, idle);
        transaction.insert(&row).await.map(drop)
    }
}
