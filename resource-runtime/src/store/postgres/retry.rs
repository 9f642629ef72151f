//! Attempts of a single statement, which may be repeated where it surely was not done
//! ([`DatabaseFailure::Retryable`]).

use std::future::Future;

use resource_model::error::{DatabaseFailure, DatabaseResult};
use tokio::time::Instant;

use super::PostgresDatabase;

/// Attempts of one statement.
pub(super) const ATTEMPTS: u32 = 3;

impl PostgresDatabase {
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

/// Tries `attempt` again where it surely was not done, until the deadline that it is told: by
/// then it has to have a connection.
pub(super) async fn retry_until<T, F>(
    deadline: Instant,
    attempt: impl Fn(Instant) -> F,
) -> DatabaseResult<T>
where
    F: Future<Output = DatabaseResult<T>>,
{
    for _ in 1..ATTEMPTS {
        match attempt(deadline).await {
            Err(DatabaseFailure::Retryable(cause)) if Instant::now() < deadline => {
                tracing::info!(%cause, "the database is asked again");
            }
            done => return done.map_err(DatabaseFailure::exhausted_retries),
        }
    }
    attempt(deadline)
        .await
        .map_err(DatabaseFailure::exhausted_retries)
}
