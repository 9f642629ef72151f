use std::future::Future;

use crate::error::{Cause, Failure};

/// How a write that others may come between is tried.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Attempt {
    /// Others may write meanwhile, and a slow hook keeps none of them waiting.
    Open,
    /// The others wait.
    Alone,
}

const ATTEMPTS: [Attempt; 3] = [Attempt::Open, Attempt::Open, Attempt::Alone];

/// Tries a write until nothing comes between; `write` is the whole of it, its hook included.
pub(super) async fn attempts<T, F>(write: impl Fn(Attempt) -> F) -> Result<T, Failure>
where
    F: Future<Output = Result<T, Failure>>,
{
    let mut last = Failure::again("a write was never tried");
    for attempt in ATTEMPTS {
        match write(attempt).await {
            Err(failure) => match failure.cause() {
                Cause::Again(cause) => {
                    tracing::debug!(cause, ?attempt, "the write is tried again");
                    last = failure;
                }
                Cause::Refused(_) | Cause::Internal(_) => return Err(failure),
            },
            done => return done,
        }
    }
    Err(last)
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use super::{Attempt, attempts};
    use crate::error::{Cause, Failure};

    async fn tried(failures: Vec<Failure>) -> (Result<(), Failure>, Vec<Attempt>) {
        let (failures, seen) = (Mutex::new(failures), Mutex::new(Vec::new()));
        let written = attempts(|attempt| {
            seen.lock().unwrap().push(attempt);
            let failure = failures.lock().unwrap().pop();
            async { failure.map_or(Ok(()), Err) }
        })
        .await;
        (written, seen.into_inner().unwrap())
    }

    #[tokio::test]
    async fn what_others_came_between_is_tried_again_and_at_last_alone() {
        let (written, seen) = tried(vec![Failure::again("one"), Failure::again("two")]).await;
        assert!(written.is_ok());
        assert_eq!(seen, [Attempt::Open, Attempt::Open, Attempt::Alone]);
    }

    #[tokio::test]
    async fn it_is_given_up_in_the_end() {
        let (written, seen) = tried((0..9).map(|_| Failure::again("other")).collect()).await;
        assert!(matches!(written.unwrap_err().cause(), Cause::Again(_)));
        assert_eq!(seen.len(), 3);
    }

    #[tokio::test]
    async fn what_failed_for_good_is_not_tried_again() {
        let (written, seen) = tried(vec![Failure::internal("a defect")]).await;
        assert!(matches!(written.unwrap_err().cause(), Cause::Internal(_)));
        assert_eq!(seen, [Attempt::Open]);
    }
}
