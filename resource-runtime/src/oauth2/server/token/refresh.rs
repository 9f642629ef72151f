use super::super::access_token;
use super::super::answer::{OauthError, Problem};
use super::super::client::narrowed;
use super::super::form::Form;
use super::super::lifetimes::Lifetimes;
use super::super::shared::Shared;
use super::super::store::{ClientRow, GrantRow, RefreshRow, Words, Work};
use super::super::text::{hash, whole_seconds};
use super::grant::{NewRefreshToken, revoke_grant};
use super::issued::Issued;
use super::retry::{self, Retry};
use crate::error::DatabaseFailure;
use crate::execute::Transaction;

/// Exchanges a refresh token for an access token and its own successor (RFC 6749, section 6).
pub(super) async fn refresh(
    shared: &Shared,
    client: &ClientRow,
    form: &Form,
) -> Result<Issued, Problem> {
    let missing = OauthError::invalid_request("the parameter refresh_token is missing");
    let token = form.get("refresh_token")?.ok_or(missing)?;
    let successor = NewRefreshToken::draw()?;
    let rotation = Rotation {
        token_hash: &hash(token),
        client_id: &client.id,
        scope: form.get("scope")?,
        successor: &successor,
        lifetimes: shared.lifetimes,
        now: shared.now(),
    };
    let (grant, scope) = match shared.store.perform(&rotation).await? {
        Outcome::Rotated(grant, scope) => (grant, scope),
        Outcome::Refused(error) => return Err(error.into()),
        Outcome::Reused => {
            tracing::warn!(
                client = client.id,
                "a refresh token was used twice; its grant is revoked"
            );
            shared.announce().await;
            return Err(OauthError::INVALID_GRANT.into());
        }
    };
    tracing::info!(
        client = client.id,
        grant = grant.id,
        "a token was refreshed"
    );
    Ok(Issued {
        access_token: access_token::of_user(shared, &grant, &scope)?,
        lifetime: shared.lifetimes.access_token,
        scope,
        refresh_token: Some(successor.token),
    })
}

struct Rotation<'request> {
    token_hash: &'request str,
    client_id: &'request str,
    scope: Option<&'request str>,
    successor: &'request NewRefreshToken,
    lifetimes: Lifetimes,
    now: i64,
}

enum Outcome {
    Rotated(GrantRow, Words),
    Refused(OauthError),
    /// It was used before, and not just now: all that stems from its grant is revoked.
    Reused,
}

impl Work for Rotation<'_> {
    type Outcome = Outcome;

    async fn run(&self, transaction: &mut Transaction) -> Result<Outcome, DatabaseFailure> {
        let token = transaction.lock::<RefreshRow>(self.token_hash).await?;
        let Some(token) = token.filter(|token| token.client_id == self.client_id) else {
            return Ok(Outcome::Refused(OauthError::INVALID_GRANT));
        };
        // Whoever has another token of the grant waits here.
        let grant = transaction.lock::<GrantRow>(&token.grant_id).await?;
        let Some(grant) = grant.filter(|grant| self.is_good(grant, &token)) else {
            return Ok(Outcome::Refused(OauthError::INVALID_GRANT));
        };
        let scope = match self.scope.map(|asked| narrowed(&grant.scope, asked)) {
            None => grant.scope.clone(),
            Some(Ok(narrowed)) => narrowed,
            Some(Err(error)) => return Ok(Outcome::Refused(error)),
        };
        self.rotate(transaction, token, grant, scope).await
    }
}

impl Rotation<'_> {
    fn is_good(&self, grant: &GrantRow, token: &RefreshRow) -> bool {
        let revoked = grant.revoked_at.is_some();
        !revoked && self.now < grant.expires_at && self.now < token.expires_at
    }

    async fn rotate(
        &self,
        transaction: &mut Transaction,
        mut token: RefreshRow,
        grant: GrantRow,
        scope: Words,
    ) -> Result<Outcome, DatabaseFailure> {
        if let Some(used_at) = token.used_at {
            match retry::of(transaction, &token, used_at, self.now, &self.lifetimes).await? {
                Retry::Honest => {}
                Retry::TooMany => return Ok(Outcome::Refused(OauthError::INVALID_GRANT)),
                Retry::Theft => {
                    let reason = "a refresh token was used twice";
                    revoke_grant(transaction, grant, self.now, reason).await?;
                    return Ok(Outcome::Reused);
                }
            }
        } else {
            token.used_at = Some(self.now);
            transaction.replace(&token).await?;
        }
        let idle = whole_seconds(self.lifetimes.refresh_idle);
        let row = self
            .successor
            .row(&grant, Some(self.token_hash), self.now, idle);
        transaction.store(&row).await?;
        Ok(Outcome::Rotated(grant, scope))
    }
}
