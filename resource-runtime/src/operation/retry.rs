//! The retries of transactions that conflict with others: of writes with hooks, and of the developer's own.

use std::fmt::Display;

use resource_model::query::LockMode;

/// Attempts a transaction until it succeeds or fails for good, three times at most. The last attempt excludes all other
/// writers of the tables that are known by then, so that only other tables can conflict. Each attempt calls all hooks
/// again, since the items that they saw may have changed.
///
/// A failure that `may_retry` has left nothing changed, and may pass: a refusal or a defect would come again, and a write
/// with an unknown outcome could be done twice. That of the last attempt is returned whatever it is; as a response it
/// becomes a 503 ([`Failure::exhausted_retries`](crate::failure::Failure::exhausted_retries)).
///
/// Of writes without hooks, those come here that read their item first: merges into JSON attributes, and writes under a
/// digest. Others are usually a single statement, which the driver of PostgreSQL attempts up to three times itself
/// (`store/postgres/retry.rs`), and which on SQLite waits for the write lock. Where triggers or a pooler make it a
/// transaction on PostgreSQL, only its beginning is retried.
pub(crate) async fn retry<T, E: Display, F: Future<Output = Result<T, E>>>(
    may_retry: impl Fn(&E) -> bool,
    attempt: impl Fn(LockMode) -> F,
) -> Result<T, E> {
    for _ in 0..2 {
        match attempt(LockMode::Shared).await {
            Err(error) if may_retry(&error) => {
                tracing::debug!(%error, "a transaction is attempted again");
            }
            done => return done,
        }
    }
    attempt(LockMode::Exclusive).await
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use resource_model::query::LockMode;

    use super::retry;
    use crate::failure::Failure;

    async fn attempted(failures: Vec<Failure>) -> (Result<(), Failure>, Vec<LockMode>) {
        let (failures, attempts) = (Mutex::new(failures), Mutex::new(Vec::new()));
        let written = retry(Failure::is_retryable, |mode| {
            attempts.lock().unwrap().push(mode);
            let failure = failures.lock().unwrap().pop();
            async { failure.map_or(Ok(()), Err) }
        })
        .await;
        (written, attempts.into_inner().unwrap())
    }

    #[tokio::test]
    async fn conflicting_write_is_retried_and_at_last_with_an_exclusive_lock() {
        let (written, attempts) =
            attempted(vec![Failure::retryable("one"), Failure::retryable("two")]).await;
        assert!(written.is_ok());
        assert_eq!(
            attempts,
            [LockMode::Shared, LockMode::Shared, LockMode::Exclusive]
        );
    }

    #[tokio::test]
    async fn third_conflict_is_final() {
        let (written, attempts) =
            attempted((0..9).map(|_| Failure::retryable("other")).collect()).await;
        assert!(written.unwrap_err().is_retryable());
        assert_eq!(attempts.len(), 3);
    }

    #[tokio::test]
    async fn other_failure_is_not_retried() {
        let (written, attempts) = attempted(vec![Failure::internal("a defect")]).await;
        assert!(matches!(written, Err(Failure::Internal(_))));
        assert_eq!(attempts, [LockMode::Shared]);
    }

    #[tokio::test]
    async fn no_attempt_begins_where_none_may() {
        let attempts = Mutex::new(0);
        let written = retry(
            |_| false,
            |_| {
                *attempts.lock().unwrap() += 1;
                async { Err::<(), _>(Failure::retryable("other")) }
            },
        );
        assert!(written.await.unwrap_err().is_retryable());
        assert_eq!(attempts.into_inner().unwrap(), 1);
    }
}
