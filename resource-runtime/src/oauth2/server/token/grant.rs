use super::super::store::{GrantRow, RefreshRow, Work};
use super::super::text;
use crate::error::DatabaseFailure;
use crate::store::Transaction;

/// Revokes all that stems from an approval that was good until now.
pub(super) async fn revoke_grant(
    transaction: &mut Transaction,
    mut grant: GrantRow,
    now: i64,
    reason: &str,
) -> Result<(), DatabaseFailure> {
    grant.revoked_at = Some(now);
    grant.revoke_reason = Some(reason.to_owned());
    transaction.replace(&grant).await
}

/// The same by the name of the approval; answers whether it was good until now.
pub(in crate::oauth2::server) async fn end_grant(
    transaction: &mut Transaction,
    id: &str,
    now: i64,
    reason: &str,
) -> Result<bool, DatabaseFailure> {
    let grant = transaction.lock::<GrantRow>(id).await?;
    let Some(grant) = grant.filter(|grant| grant.revoked_at.is_none()) else {
        return Ok(false);
    };
    revoke_grant(transaction, grant, now, reason).await?;
    Ok(true)
}

/// A transaction that does nothing else.
pub(in crate::oauth2::server) struct EndedGrant<'grant> {
    pub(in crate::oauth2::server) id: &'grant str,
    pub(in crate::oauth2::server) now: i64,
    pub(in crate::oauth2::server) reason: &'static str,
}

impl Work for EndedGrant<'_> {
    type Outcome = bool;

    async fn run(&self, transaction: &mut Transaction) -> Result<bool, DatabaseFailure> {
        end_grant(transaction, self.id, self.now, self.reason).await
    }
}

/// A new refresh token, of which the digest is stored.
pub(super) struct NewRefreshToken {
    pub(super) token: String,
    pub(super) hash: String,
}

impl NewRefreshToken {
    pub(super) fn draw() -> Result<Self, String> {
        let token = text::secret()?;
        let hash = text::hash(&token);
        Ok(Self { token, hash })
    }

    /// The row of the token, which ends with its grant at the latest.
    pub(super) fn row(
        &self,
        grant: &GrantRow,
        parent_hash: Option<&str>,
        now: i64,
        idle: i64,
    ) -> RefreshRow {
        RefreshRow {
            token_hash: self.hash.clone(),
            grant_id: grant.id.clone(),
            client_id: grant.client_id.clone(),
            parent_hash: parent_hash.map(str::to_owned),
            issued_at: now,
            expires_at: now.saturating_add(idle).min(grant.expires_at),
            used_at: None,
        }
    }
}
