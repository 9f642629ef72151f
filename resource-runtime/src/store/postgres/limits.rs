//! Time limits that a connection pooler keeps from the server: each transaction sets them itself.

use std::sync::Arc;
use std::time::Duration;

use resource_model::error::DatabaseResult;
use sqlx::{AssertSqlSafe, SqlSafeStr as _, SqlStr};
use tokio::time::Instant;

use super::PostgresDatabase;
use super::idle_pool::Purpose;
use super::lease::Lease;
use super::lists::BEGIN_SNAPSHOT;

/// What sets the limits of a transaction; nothing where its session has them.
#[derive(Debug, Clone, Default)]
pub(super) struct Limits(Option<Arc<str>>);

impl Limits {
    /// The limits that sessions lack.
    pub(super) fn of(lacking: &[(&'static str, Duration)]) -> Self {
        let limits = resource_sql::limits(lacking);
        Self(limits.map(|it| it.text().into()))
    }

    pub(super) const fn are_lacking(&self) -> bool {
        self.0.is_some()
    }

    /// What begins a transaction within its limits: our constants, and what the writer wrote.
    pub(super) fn begin(&self, command: &'static str) -> SqlStr {
        match &self.0 {
            None => command.into_sql_str(),
            Some(limits) => AssertSqlSafe(format!("{command}; {limits}")).into_sql_str(),
        }
    }
}

impl PostgresDatabase {
    /// A connection for statements that only read, within their limits.
    pub(super) async fn reading(
        &self,
        purpose: Purpose,
        deadline: Instant,
    ) -> DatabaseResult<Lease> {
        let lease = self.lease(purpose, deadline).await?;
        if !self.limits.are_lacking() {
            return Ok(lease);
        }
        Box::pin(lease.begin(self.limits.begin(BEGIN_SNAPSHOT))).await
    }

    /// Ends what was begun for a read that is done: whoever comes next needs no other connection.
    pub(super) async fn done(&self, mut lease: Lease) {
        lease.mark_idle();
        if self.limits.are_lacking() {
            drop(Box::pin(lease.commit()).await);
        }
    }

    /// The same lease, which sees the same from now on.
    pub(super) async fn in_snapshot(&self, lease: Lease) -> DatabaseResult<Lease> {
        if self.limits.are_lacking() {
            return Ok(lease);
        }
        lease.begin(self.limits.begin(BEGIN_SNAPSHOT)).await
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::Limits;

    #[test]
    fn a_transaction_sets_the_limits_that_its_session_lacks() {
        let seconds = Duration::from_secs;
        let lacking = [
            ("statement_timeout", seconds(5)),
            ("lock_timeout", seconds(3)),
        ];
        assert_eq!(
            Limits::of(&lacking).begin("BEGIN").as_str(),
            "BEGIN; SET LOCAL statement_timeout = 5000; SET LOCAL lock_timeout = 3000"
        );
        assert_eq!(Limits::of(&[]).begin("BEGIN").as_str(), "BEGIN");
    }
}
