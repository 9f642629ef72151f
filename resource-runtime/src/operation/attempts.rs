use std::future::Future;

use crate::error::{Cause, Failure};
use crate::plan::Turn;

/// The last time, others wait.
const ATTEMPTS: [Turn; 3] = [Turn::Shared, Turn::Shared, Turn::Alone];

/// Tries a write until nothing comes between; `write` is the whole of it, its hook included.
pub(super) async fn attempts<T, F>(write: impl Fn(Turn) -> F) -> Result<T, Failure>
where
    F: Future<Output = Result<T, Failure>>,
{
    let mut last = Failure::again("a write was never tried");
    for turn in ATTEMPTS {
        match write(turn).await {
            Err(failure) => match failure.cause() {
                Cause::Again(cause) => {
                    tracing::debug!(cause, ?turn, "the write is tried again");
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

    use super::attempts;
    use crate::error::{Cause, Failure};
    use crate::plan::Turn;

    async fn tried(failures: Vec<Failure>) -> (Result<(), Failure>, Vec<Turn>) {
        let (failures, seen) = (Mutex::new(failures), Mutex::new(Vec::new()));
        let written = attempts(|turn| {
            seen.lock().unwrap().push(turn);
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
        assert_eq!(seen, [Turn::Shared, Turn::Shared, Turn::Alone]);
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
        assert_eq!(seen, [Turn::Shared]);
    }
}
