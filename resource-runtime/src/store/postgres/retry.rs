//! Retries of a single statement that certainly had no effect ([`DatabaseFailure::Retryable`]).

use std::future::Future;

use resource_model::error::{DatabaseFailure, DatabaseResult};
use tokio::time::Instant;

use super::PostgresDatabase;

/// Attempts of one statement, the first included.
pub(super) const ATTEMPTS: u32 = 3;

impl PostgresDatabase {
    /// Retries for as long as a request may wait for a connection.
    pub(super) async fn with_retries<T, F>(
        &self,
        attempt: impl Fn(Instant) -> F,
    ) -> DatabaseResult<T>
    where
        F: Future<Output = DatabaseResult<T>>,
    {
        let deadline = Instant::now() + self.acquire_timeout;
        retry_until(deadline, attempt).await
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
