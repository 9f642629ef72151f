use super::store::{CodeRow, CodeRowField, GrantRow, GrantRowField, Work};
use super::token::end_grant;
use crate::error::DatabaseFailure;
use crate::store::Transaction;

/// Revokes all that a user approved; answers which approvals that were.
pub(super) struct UserRevocation<'user> {
    pub(super) subject: &'user str,
    pub(super) now: i64,
}

impl Work for UserRevocation<'_> {
    type Outcome = Vec<String>;

    async fn run(&self, transaction: &mut Transaction) -> Result<Vec<String>, DatabaseFailure> {
        // Codes first: one that is redeemed meanwhile is waited for, and its grant found.
        let subject = CodeRowField::Subject;
        let codes = transaction
            .all_with::<CodeRow>(subject, self.subject)
            .await?;
        for code in codes.iter().filter(|code| code.used_at.is_none()) {
            self.use_up(transaction, &code.code_hash).await?;
        }
        let subject = GrantRowField::Subject;
        let grants = transaction
            .all_with::<GrantRow>(subject, self.subject)
            .await?;
        let mut revoked = Vec::new();
        for grant in grants
            .into_iter()
            .filter(|grant| grant.revoked_at.is_none())
        {
            let reason = "all of its user were revoked";
            if end_grant(transaction, &grant.id, self.now, reason).await? {
                revoked.push(grant.id);
            }
        }
        Ok(revoked)
    }
}

impl UserRevocation<'_> {
    async fn use_up(
        &self,
        transaction: &mut Transaction,
        code_hash: &str,
    ) -> Result<(), DatabaseFailure> {
        let Some(mut code) = transaction.lock::<CodeRow>(code_hash).await? else {
            return Ok(());
        };
        code.used_at.get_or_insert(self.now);
        transaction.replace(&code).await
    }
}
