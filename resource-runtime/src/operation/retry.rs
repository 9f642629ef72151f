//! The attempts of a write that conflicts with others.

use std::future::Future;
use std::time::Duration;

use resource_model::query::LockMode;
use tokio::time::Instant;

use crate::failure::{Cause, Failure};

/// The lock of each attempt: the last one locks others out.
const ATTEMPTS: [LockMode; 3] = [LockMode::Shared, LockMode::Shared, LockMode::Exclusive];

/// Tries a write until it conflicts with no other, three times at the most; `write` is the whole of it, its
/// hook included. The client gets the last conflict as 503 ([`Failure::given_up`]).
///
/// No attempt begins once `limit`, the timeout of one hook, is over since the first one began: a slow hook
/// that conflicts each time takes no more than twice that time.
pub(super) async fn retry<T, F>(
    limit: Duration,
    write: impl Fn(LockMode) -> F,
) -> Result<T, Failure>
where
    F: Future<Output = Result<T, Failure>>,
{
    let begun = Instant::now();
    let mut last = Failure::retryable("a write was never tried");
    for mode in ATTEMPTS {
        let failure = match write(mode).await {
            Err(failure) => failure,
            done => return done,
        };
        let Cause::Retryable(cause) = failure.cause() else {
            return Err(failure);
        };
        tracing::debug!(cause, ?mode, "another write came between");
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
    use crate::failure::{Cause, Failure};

    const LIMIT: Duration = Duration::from_secs(10);

    async fn tried(failures: Vec<Failure>) -> (Result<(), Failure>, Vec<LockMode>) {
        let (failures, seen) = (Mutex::new(failures), Mutex::new(Vec::new()));
        let written = retry(LIMIT, |mode| {
            seen.lock().unwrap().push(mode);
            let failure = failures.lock().unwrap().pop();
            async { failure.map_or(Ok(()), Err) }
        })
        .await;
        (written, seen.into_inner().unwrap())
    }

    #[tokio::test]
    async fn what_others_came_between_is_tried_again_and_at_last_alone() {
        let (written, seen) =
            tried(vec![Failure::retryable("one"), Failure::retryable("two")]).await;
        assert!(written.is_ok());
        assert_eq!(
            seen,
            [LockMode::Shared, LockMode::Shared, LockMode::Exclusive]
        );
    }

    #[tokio::test]
    async fn it_is_given_up_in_the_end() {
        let (written, seen) = tried((0..9).map(|_| Failure::retryable("other")).collect()).await;
        assert!(matches!(written.unwrap_err().cause(), Cause::Retryable(_)));
        assert_eq!(seen.len(), 3);
    }

    #[tokio::test]
    async fn what_failed_for_good_is_not_tried_again() {
        let (written, seen) = tried(vec![Failure::internal("a defect")]).await;
        assert!(matches!(written.unwrap_err().cause(), Cause::Internal(_)));
        assert_eq!(seen, [LockMode::Shared]);
    }

    #[tokio::test]
    async fn what_has_taken_its_time_is_not_tried_again() {
        let seen = Mutex::new(0);
        let written = retry(Duration::ZERO, |_| {
            *seen.lock().unwrap() += 1;
            async {
                tokio::time::sleep(Duration::from_millis(1)).await;
                Err::<(), _>(Failure::retryable("other"))
            }
        });
        let failure = written.await.unwrap_err();
        assert!(matches!(failure.cause(), Cause::Retryable(_)));
        assert_eq!(seen.into_inner().unwrap(), 1);
    }
}
