//! Revocation of grants, and new refresh tokens.

use resource_oauth2::issuing::Revocation;
use resource_runtime::Error;
use resource_runtime::seam::{RowTransaction, TransactionScript};

use crate::authorization_server::ServerState;
use crate::encoding;
use crate::store::{GrantRow, RefreshRow};

/// Revokes a grant that is locked and not revoked, by which its refresh tokens are refused. Its access tokens
/// are refused once the caller applies the revocation.
pub(super) async fn mark_revoked(
    transaction: &mut RowTransaction,
    mut grant: GrantRow,
    now: i64,
    reason: &str,
) -> Result<(), Error> {
    grant.revoked_at = Some(now);
    grant.revoke_reason = Some(reason.to_owned());
    transaction.update(&grant).await
}

/// Revokes the grant of this id; `false` if it does not exist or was revoked before.
pub(crate) async fn revoke_grant(
    transaction: &mut RowTransaction,
    id: &str,
    now: i64,
    reason: &str,
) -> Result<bool, Error> {
    // The lock orders this after a refresh in flight, whose successor is then revoked with the
    // grant.
    let grant = transaction.get_for_update::<GrantRow>(id).await?;
    let Some(grant) = grant.filter(|grant| grant.revoked_at.is_none()) else {
        return Ok(false);
    };
    mark_revoked(transaction, grant, now, reason).await?;
    Ok(true)
}

impl ServerState {
    /// Revokes a grant and applies the revocation; `false` as in [`revoke_grant`].
    pub(crate) async fn revoke_grant(&self, id: &str, reason: &'static str) -> Result<bool, Error> {
        let now = self.now();
        let script = RevokeGrant { id, now, reason };
        let was_live = self.store.perform(&script).await?;
        let revocation = Revocation::Grant(id.to_owned());
        if was_live {
            self.apply_revocations([revocation]).await;
        } else {
            // Revoked before, perhaps by another instance since our last reload: known here from now on, which
            // needs no reload. For a grant that does not exist, the entry is harmless.
            self.revoked.add(revocation);
        }
        Ok(was_live)
    }
}

/// Revokes a grant in a transaction of its own.
struct RevokeGrant<'grant> {
    id: &'grant str,
    now: i64,
    reason: &'static str,
}

impl TransactionScript for RevokeGrant<'_> {
    type Outcome = bool;

    async fn run(&self, transaction: &mut RowTransaction) -> Result<bool, Error> {
        revoke_grant(transaction, self.id, self.now, self.reason).await
    }
}

/// A new refresh token, and the digest that is stored of it.
pub(super) struct NewRefreshToken {
    pub(super) token: String,
    pub(super) hash: String,
}

impl NewRefreshToken {
    /// A random token.
    pub(super) fn generate() -> Result<Self, String> {
        // Only the client gets the token itself; a copy of the database contains none that works.
        let token = encoding::secret()?;
        let hash = encoding::hash(&token);
        Ok(Self { token, hash })
    }

    /// The row of the token, which expires with its grant at the latest.
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
