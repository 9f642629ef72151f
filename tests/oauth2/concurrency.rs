//! Concurrent futures, between whose start and end a test can act.

use std::future::poll_fn;
use std::pin::Pin;
use std::task::Poll;

use resource_tests::block_on;

/// Polls all futures once, asserting that each is pending, runs `meanwhile`, and awaits them.
pub(crate) fn run_together<F: Future>(futures: Vec<F>, meanwhile: impl FnOnce()) -> Vec<F::Output> {
    block_on(async move {
        let mut futures: Vec<Pin<Box<F>>> = futures.into_iter().map(Box::pin).collect();
        poll_fn(|context| {
            for future in &mut futures {
                assert!(future.as_mut().poll(context).is_pending());
            }
            Poll::Ready(())
        })
        .await;
        meanwhile();
        let mut outputs = Vec::new();
        for future in futures {
            outputs.push(future.await);
        }
        outputs
    })
}
