//! Revocation of grants, and new refresh tokens.

use resource_oauth2::issuing::Revocation;
use resource_runtime::{Error, Transaction};

use crate::authorization_server::ServerState;
use crate::encoding;
use crate::store::{GrantRow, RefreshRow, TransactionScript};

/// Revokes a grant that is locked and not revoked, by which its refresh tokens are refused. Its access tokens
/// are refused once the caller applies the revocation.
pub(super) async fn mark_revoked(
    transaction: &mut Transaction,
    id: &str,
    now: i64,
    reason: &str,
) -> Result<(), Error> {
    let revocation = transaction.items::<GrantRow>().update(id);
    let revocation = revocation.set(GrantRow::REVOKED_AT, now);
    revocation.set(GrantRow::REVOKE_REASON, reason).await
}

/// Revokes the grant of this id; `false` if it does not exist or was revoked before.
pub(crate) async fn revoke_grant(
    transaction: &mut Transaction,
    id: &str,
    now: i64,
    reason: &str,
) -> Result<bool, Error> {
    // The lock orders this after a refresh in flight, whose successor is then revoked with the
    // grant.
    let grant = transaction.items::<GrantRow>().get_for_update(id).await?;
    let is_live = grant.is_some_and(|grant| grant.revoked_at.is_none());
    if is_live {
        mark_revoked(transaction, id, now, reason).await?;
    }
    Ok(is_live)
}

impl ServerState {
    /// Revokes a grant and applies the revocation; `false` as in [`revoke_grant`].
    pub(crate) async fn revoke_grant(&self, id: &str, reason: &'static str) -> Result<bool, Error> {
        let now = self.now();
        let script = RevokeGrant { id, now, reason };
        let was_live = self.perform(&script).await?;
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

    async fn run(&self, transaction: &mut Transaction) -> Result<bool, Error> {
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
