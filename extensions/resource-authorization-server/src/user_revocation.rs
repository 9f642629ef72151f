use resource_runtime::Error;
use resource_runtime::seam::{RowTransaction, TransactionScript};

use super::store::{CodeRow, CodeRowField, GrantRow, GrantRowField};
use super::token::end_grant;

/// Revokes all that a user approved; answers which approvals that were.
pub(super) struct UserRevocation<'user> {
    pub(super) subject: &'user str,
    pub(super) now: i64,
}

impl TransactionScript for UserRevocation<'_> {
    type Outcome = Vec<String>;

    async fn run(&self, transaction: &mut RowTransaction) -> Result<Vec<String>, Error> {
        // Codes first: one that is redeemed meanwhile is waited for, and its grant found.
        let subject = CodeRowField::Subject;
        let codes = transaction
            .find_by::<CodeRow>(subject, self.subject)
            .await?;
        for code in codes.iter().filter(|code| code.used_at.is_none()) {
            self.use_up(transaction, &code.code_hash).await?;
        }
        let subject = GrantRowField::Subject;
        let grants = transaction
            .find_by::<GrantRow>(subject, self.subject)
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
    async fn use_up(&self, transaction: &mut RowTransaction, code_hash: &str) -> Result<(), Error> {
        let Some(mut code) = transaction.get_for_update::<CodeRow>(code_hash).await? else {
            return Ok(());
        };
        code.used_at.get_or_insert(self.now);
        transaction.update(&code).await
    }
}
