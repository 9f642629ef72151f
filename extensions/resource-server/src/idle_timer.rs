//! The timer of a connection whose client is late.

use std::future::Future as _;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use tokio::time::{Instant, Sleep, sleep};

use crate::clock::Clock;

/// When a connection is looked at again that waits for the service. Requests of HTTP/2 end in
/// tasks of their own, which do not wake it.
const AGAIN: Duration = Duration::from_secs(1);

/// Goes off when the client of a connection is late.
pub(crate) struct IdleTimer {
    clock: Arc<Clock>,
    sleep: Pin<Box<Sleep>>,
}

impl IdleTimer {
    pub(crate) fn new(clock: Arc<Clock>) -> Self {
        Self {
            clock,
            sleep: Box::pin(sleep(AGAIN)),
        }
    }

    /// Is ready once the deadline has passed; to be asked after whatever can move it.
    ///
    /// Deadlines that move away, as each request does it, leave the timer as it is: it finds out
    /// when it wakes.
    pub(crate) fn poll(&mut self, context: &mut Context<'_>) -> Poll<()> {
        loop {
            let deadline = self.clock.deadline();
            if let Some(earlier) = deadline.filter(|deadline| *deadline < self.sleep.deadline()) {
                self.sleep.as_mut().reset(earlier);
            }
            ready!(self.sleep.as_mut().poll(context));
            let now = Instant::now();
            if deadline.is_some_and(|deadline| deadline <= now) {
                return Poll::Ready(());
            }
            self.sleep.as_mut().reset(deadline.unwrap_or(now + AGAIN));
        }
    }
}
