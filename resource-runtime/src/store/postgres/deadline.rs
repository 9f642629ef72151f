use std::future::Future;
use std::io;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use resource_model::error::DatabaseResult;
use tokio::time::timeout;

use super::failure::{is_fault, is_read_only, of, of_commit};
use super::lease::Health;

/// Waits for the server, but not for ever, and remembers when it failed.
#[derive(Debug, Clone)]
pub(super) struct StatementTimeout {
    pub(super) health: Arc<Health>,
    /// How long the server may be silent; `None` where it was told to take its time.
    pub(super) limit: Option<Duration>,
}

impl StatementTimeout {
    /// Waits for a statement that by itself changes nothing that lasts.
    pub(super) async fn run<T>(
        &self,
        statement: impl Future<Output = sqlx::Result<T>>,
    ) -> DatabaseResult<T> {
        self.wait(statement).await.map_err(of)
    }

    /// Waits for what the server may have done even where we never learn of it.
    pub(super) async fn run_commit<T>(
        &self,
        statement: impl Future<Output = sqlx::Result<T>>,
    ) -> DatabaseResult<T> {
        self.wait(statement).await.map_err(of_commit)
    }

    async fn wait<T>(&self, statement: impl Future<Output = sqlx::Result<T>>) -> sqlx::Result<T> {
        // The fault is noted before the statement gives its connection back.
        let mut statement = pin!(statement);
        let done = match self.limit {
            None => statement.as_mut().await,
            Some(limit) => timeout(limit, statement.as_mut())
                .await
                .unwrap_or_else(|_| Err(silent(limit))),
        };
        if done.as_ref().is_err_and(is_fault) {
            self.health.record_fault();
        }
        if done.as_ref().is_err_and(is_read_only) {
            self.health.record_fault_rate_limited();
        }
        done
    }
}

/// The server did not answer.
pub(super) fn silent(limit: Duration) -> sqlx::Error {
    let message = format!("the server did not answer within {limit:?}");
    io::Error::new(io::ErrorKind::TimedOut, message).into()
}

#[cfg(test)]
mod tests {
    use std::future::pending;
    use std::time::Duration;

    use resource_model::error::DatabaseFailure;

    use super::StatementTimeout;

    #[tokio::test]
    async fn a_silent_server_leaves_a_commit_unknown_and_outdates_its_connections() {
        let limit = Some(Duration::from_millis(1));
        let health = std::sync::Arc::default();
        let timeout = StatementTimeout { health, limit };
        let read = timeout.run(pending::<sqlx::Result<()>>()).await;
        assert!(
            matches!(read, Err(DatabaseFailure::Retryable(_))),
            "{read:?}"
        );
        let commit = timeout.run_commit(pending::<sqlx::Result<()>>()).await;
        assert!(
            matches!(commit, Err(DatabaseFailure::OutcomeUnknown(_))),
            "{commit:?}"
        );
        assert!(timeout.health.is_stale(Duration::from_mins(1)));
    }

    #[tokio::test]
    async fn what_the_server_refuses_is_no_fault() {
        let health = std::sync::Arc::default();
        let timeout = StatementTimeout {
            health,
            limit: None,
        };
        let refused = async { Err::<(), _>(sqlx::Error::RowNotFound) };
        let refused = timeout.run(refused).await;
        assert!(matches!(refused, Err(DatabaseFailure::Internal(_))));
        assert!(!timeout.health.is_stale(Duration::from_mins(1)));
    }
}
