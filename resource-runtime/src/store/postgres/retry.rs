//! Retries of a single statement that certainly had no effect ([`DatabaseFailure::Retryable`]).

use std::future::Future;
use std::time::Duration;

use resource_model::error::{DatabaseFailure, DatabaseResult};
use tokio::time::{Instant, sleep};

use super::PostgresDatabase;
use super::failure::is_read_only;

/// Attempts of one statement, the first included.
pub(super) const ATTEMPTS: u32 = 3;

/// Pause between attempts while the server takes no writes.
const READ_ONLY_PAUSE: Duration = Duration::from_millis(100);

impl PostgresDatabase {
    /// Retries for as long as a request may wait for a connection. Attempts that a server without writes refuses are not
    /// counted: during a failover the next connection may reach the new primary.
    pub(super) async fn with_retries<T, F>(
        &self,
        attempt: impl Fn(Instant) -> F,
    ) -> DatabaseResult<T>
    where
        F: Future<Output = DatabaseResult<T>>,
    {
        let attempt = &attempt;
        let attempt = |deadline| async move {
            loop {
                match attempt(deadline).await {
                    Err(DatabaseFailure::Retryable(cause))
                        if cause
                            .source()
                            .is_some_and(|it| it.downcast_ref().is_some_and(is_read_only))
                            && Instant::now() + READ_ONLY_PAUSE < deadline =>
                    {
                        sleep(READ_ONLY_PAUSE).await;
                    }
                    result => return result,
                }
            }
        };
        retry_until(Instant::now() + self.acquire_timeout, attempt).await
    }
}

/// Retries `attempt` while its failure is retryable, until the deadline, by which each attempt must have a
/// connection.
pub(super) async fn retry_until<T, F>(
    deadline: Instant,
    attempt: impl Fn(Instant) -> F,
) -> DatabaseResult<T>
where
    F: Future<Output = DatabaseResult<T>>,
{
    let mut retries = 1..ATTEMPTS;
    // No pause: the other side of a conflict has usually ended, and a stale connection is replaced at once.
    loop {
        match attempt(deadline).await {
            // An attempt after the deadline would exceed the time that the request may wait.
            Err(DatabaseFailure::Retryable(cause))
                if Instant::now() < deadline && retries.next().is_some() =>
            {
                tracing::info!(%cause, "a statement is retried");
            }
            result => return result.map_err(DatabaseFailure::exhausted_retries),
        }
    }
}
