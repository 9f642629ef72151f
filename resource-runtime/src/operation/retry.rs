//! The retries of a write with hooks that conflicts with other writes.

use std::future::Future;
use std::time::Duration;

use resource_model::query::LockMode;
use tokio::time::Instant;

use crate::failure::Failure;

/// The lock of each attempt: the last one excludes all other writers of the resource's table, so that only the other
/// tables its hook uses can conflict.
pub(crate) const ATTEMPTS: [LockMode; 3] =
    [LockMode::Shared, LockMode::Shared, LockMode::Exclusive];

/// Attempts a write with hooks until it neither conflicts with another write nor loses its connection, three times
/// at most. Each attempt calls
/// the hook again, since the items that it saw may have changed. The failure of the last attempt is still retryable;
/// as a response it becomes a 503 ([`Failure::exhausted_retries`]).
///
/// A write without hooks does not come here. It is usually a single statement, which the driver of PostgreSQL
/// attempts up to three times itself (`store/postgres/retry.rs`), and which on SQLite waits for the write lock.
/// Where triggers or a pooler make it a transaction on PostgreSQL, only its beginning is retried.
///
/// No attempt begins later than `limit`, the timeout of one hook, after the first one: a slow hook that
/// conflicts each time takes at most twice that time.
pub(super) async fn retry<T, F>(
    limit: Duration,
    write: impl Fn(LockMode) -> F,
) -> Result<T, Failure>
where
    F: Future<Output = Result<T, Failure>>,
{
    let begun = Instant::now();
    // Never returned, as there is at least one attempt.
    let mut last = Failure::retryable("a write was never attempted");
    for mode in ATTEMPTS {
        let failure = match write(mode).await {
            Err(failure) => failure,
            done => return done,
        };
        // A refusal or a defect would come again, and a write with an unknown outcome could be done twice.
        if !failure.is_retryable() {
            return Err(failure);
        }
        tracing::debug!(cause = %failure, ?mode, "the write is attempted again");
        last = failure;
        if begun.elapsed() > limit {
            break;
        }
    }
    Err(last)
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;
    use std::time::Duration;

    use resource_model::query::LockMode;

    use super::retry;
    use crate::failure::Failure;

    const LIMIT: Duration = Duration::from_secs(10);

    async fn attempted(failures: Vec<Failure>) -> (Result<(), Failure>, Vec<LockMode>) {
        let (failures, attempts) = (Mutex::new(failures), Mutex::new(Vec::new()));
        let written = retry(LIMIT, |mode| {
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
    async fn no_attempt_begins_after_the_time_limit() {
        let attempts = Mutex::new(0);
        let written = retry(Duration::ZERO, |_| {
            *attempts.lock().unwrap() += 1;
            async {
                tokio::time::sleep(Duration::from_millis(1)).await;
                Err::<(), _>(Failure::retryable("other"))
            }
        });
        let failure = written.await.unwrap_err();
        assert!(failure.is_retryable());
        assert_eq!(attempts.into_inner().unwrap(), 1);
    }
}
