//! Time limits that each transaction sets itself, because a pooler keeps session settings from the server.

use std::sync::Arc;
use std::time::Duration;

use resource_model::error::DatabaseResult;
use sqlx::{AssertSqlSafe, SqlSafeStr as _, SqlStr};
use tokio::time::Instant;

use super::PostgresDatabase;
use super::idle_pool::Purpose;
use super::lease::Lease;
use super::lists::BEGIN_SNAPSHOT;

/// The commands that set the limits of a transaction; none where its session has them.
#[derive(Debug, Clone, Default)]
pub(super) struct TransactionLimits(Option<Arc<str>>);

impl TransactionLimits {
    /// Sets the limits that sessions lack.
    pub(super) fn of(missing: &[(&'static str, Duration)]) -> Self {
        let limits = resource_sql::limits(missing);
        Self(limits.map(|it| it.text().into()))
    }

    /// Tests that even a single statement needs a transaction to have its limits.
    pub(super) const fn need_transaction(&self) -> bool {
        self.0.is_some()
    }

    /// The command that begins a transaction and sets its limits. Its text is safe: a constant, and a
    /// statement of the SQL writer.
    pub(super) fn begin(&self, command: &'static str) -> SqlStr {
        match &self.0 {
            None => command.into_sql_str(),
            Some(limits) => AssertSqlSafe(format!("{command}; {limits}")).into_sql_str(),
        }
    }
}

impl PostgresDatabase {
    /// Leases a connection for reads, in a transaction where the limits need one.
    pub(super) async fn lease_for_read(
        &self,
        purpose: Purpose,
        deadline: Instant,
    ) -> DatabaseResult<Lease> {
        let lease = self.lease(purpose, deadline).await?;
        if !self.limits.need_transaction() {
            return Ok(lease);
        }
        // Boxed: few databases are behind such a pooler, and the others keep a small future.
        Box::pin(lease.begin(self.limits.begin(BEGIN_SNAPSHOT))).await
    }

    /// Ends a read and the transaction for its limits, so that the connection can be reused at once.
    pub(super) async fn finish_read(&self, mut lease: Lease) {
        // The rows have been read to their end, so that nothing is left to wait for.
        lease.mark_idle();
        if self.limits.need_transaction() {
            // The rows are read: a failed COMMIT only costs the connection.
            drop(Box::pin(lease.commit()).await);
        }
    }

    /// Begins a snapshot, unless the transaction for the limits is one already.
    pub(super) async fn in_snapshot(&self, lease: Lease) -> DatabaseResult<Lease> {
        if self.limits.need_transaction() {
            return Ok(lease);
        }
        lease.begin(self.limits.begin(BEGIN_SNAPSHOT)).await
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::TransactionLimits;

    #[test]
    fn a_transaction_sets_the_limits_that_its_session_lacks() {
        let seconds = Duration::from_secs;
        let missing = [
            ("statement_timeout", seconds(5)),
            ("lock_timeout", seconds(3)),
        ];
        assert_eq!(
            TransactionLimits::of(&missing).begin("BEGIN").as_str(),
            "BEGIN; SET LOCAL statement_timeout = 5000; SET LOCAL lock_timeout = 3000"
        );
        assert_eq!(TransactionLimits::of(&[]).begin("BEGIN").as_str(), "BEGIN");
    }
}
