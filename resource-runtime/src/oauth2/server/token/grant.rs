use super::super::store::{GrantRow, RefreshRow};
use super::super::text;
use crate::error::DatabaseFailure;
use crate::execute::Transaction;

/// Revokes all that stems from an approval.
pub(in crate::oauth2::server) async fn revoke_grant(
    transaction: &mut Transaction,
    mut grant: GrantRow,
    now: i64,
    reason: &str,
) -> Result<(), DatabaseFailure> {
    grant.revoked_at.get_or_insert(now);
    grant.revoke_reason.get_or_insert_with(|| reason.to_owned());
    transaction.replace(&grant).await
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
