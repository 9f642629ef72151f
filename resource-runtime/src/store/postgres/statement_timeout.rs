//! The client's side of the statement timeout.

use std::future::Future;
use std::io;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use resource_model::error::{DatabaseFailure, DatabaseResult};
use tokio::time::timeout;

use super::failure::{is_fault, is_read_only, statement_failure};
use super::last_fault::LastFault;

/// Waits for statements with a time limit, and records faults of the server.
#[derive(Debug, Clone)]
pub(super) struct StatementTimeout {
    pub(super) last_fault: Arc<LastFault>,
    /// Longest wait for the server; none where there is no statement timeout, and for changes of the schema.
    pub(super) limit: Option<Duration>,
}

impl StatementTimeout {
    /// Waits for a statement that neither writes nor commits.
    pub(super) async fn run<T>(
        &self,
        statement: impl Future<Output = sqlx::Result<T>>,
    ) -> DatabaseResult<T> {
        self.run_as(statement_failure, statement).await
    }

    /// Waits for a statement, with the failure that its kind makes of an error.
    pub(super) async fn run_as<T>(
        &self,
        failure: fn(sqlx::Error) -> DatabaseFailure,
        statement: impl Future<Output = sqlx::Result<T>>,
    ) -> DatabaseResult<T> {
        // Pinned, so that both arms can wait for it by reference; its lease is dropped by the caller, after the
        // fault is recorded.
        let mut statement = pin!(statement);
        let result = match self.limit {
            None => statement.as_mut().await,
            Some(limit) => timeout(limit, statement.as_mut())
                .await
                // The server cancels a second earlier, so a silent one is probably lost or unreachable.
                .unwrap_or_else(|_| Err(timeout_error(limit))),
        };
        // Older connections have probably failed, too: the next requests must not try each of them.
        if result.as_ref().is_err_and(is_fault) {
            self.last_fault.record_fault();
        }
        if result.as_ref().is_err_and(is_read_only) {
            self.last_fault.record_read_only();
        }
        result.map_err(failure)
    }
}

/// The error of a server that did not answer within `limit`.
pub(super) fn timeout_error(limit: Duration) -> sqlx::Error {
    let message = format!("the server did not answer within {limit:?}");
    // An I/O error has the class of a lost connection: the outcome of a commit is then unknown.
    io::Error::new(io::ErrorKind::TimedOut, message).into()
}

#[cfg(test)]
mod tests {
    use std::future::pending;
    use std::time::{Duration, Instant};

    use resource_model::error::DatabaseFailure;

    use super::StatementTimeout;
    use crate::store::postgres::failure::commit_failure;

    #[tokio::test]
    async fn timeout_leaves_a_commit_unknown_and_makes_connections_stale() {
        let limit = Some(Duration::from_millis(1));
        let (last_fault, begun) = (std::sync::Arc::default(), Instant::now());
        let timeout = StatementTimeout { last_fault, limit };
        let read = timeout.run(pending::<sqlx::Result<()>>()).await;
        assert!(
            matches!(read, Err(DatabaseFailure::Retryable(_))),
            "{read:?}"
        );
        let commit = timeout
            .run_as(commit_failure, pending::<sqlx::Result<()>>())
            .await;
        assert!(
            matches!(commit, Err(DatabaseFailure::OutcomeUnknown(_))),
            "{commit:?}"
        );
        assert!(timeout.last_fault.is_stale(begun));
    }

    #[tokio::test]
    async fn refused_statement_is_no_fault() {
        let (last_fault, begun) = (std::sync::Arc::default(), Instant::now());
        let timeout = StatementTimeout {
            last_fault,
            limit: None,
        };
        let refused = async { Err::<(), _>(sqlx::Error::RowNotFound) };
        let refused = timeout.run(refused).await;
        assert!(matches!(refused, Err(DatabaseFailure::Internal(_))));
        assert!(!timeout.last_fault.is_stale(begun));
    }
}
