//! Time limits that each transaction sets itself, because a pooler does not pass session settings on to the
//! server.

use std::sync::Arc;
use std::time::Duration;

use sqlx::{AssertSqlSafe, SqlSafeStr as _, SqlStr};

/// The commands that set the limits of a transaction; none where its session has them.
#[derive(Debug, Clone, Default)]
pub(super) struct TransactionLimits(Option<Arc<str>>);

impl TransactionLimits {
    /// The commands for the limits that sessions lack.
    pub(super) fn of(missing: &[(&'static str, Duration)]) -> Self {
        let limits = resource_sql::limits(missing);
        Self(limits.map(|it| it.text().into()))
    }

    /// Tests whether even a single statement needs a transaction to have its limits.
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
