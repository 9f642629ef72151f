//! The shared state of a connection: its timeouts behind a lock, and the timer that enforces them.

use std::future::Future as _;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, ready};
use std::time::Duration;

use tokio::time::{Instant, Sleep, sleep};

use crate::options::Limits;
use crate::timeout_state::TimeoutState;

/// The timeout state of a connection, updated by its socket and by its requests in flight.
#[derive(Debug)]
pub(crate) struct ConnectionState {
    limits: Limits,
    timeouts: Mutex<TimeoutState>,
    /// `true` while bytes of an app's response may be unsent. Kept outside the lock so that a flush between
    /// requests costs one load.
    may_have_unsent: AtomicBool,
}

impl ConnectionState {
    pub(crate) fn start(limits: Limits) -> Self {
        Self {
            limits,
            timeouts: Mutex::new(TimeoutState::new(Instant::now())),
            may_have_unsent: AtomicBool::new(false),
        }
    }

    pub(crate) fn deadline(&self) -> Option<Instant> {
        self.timeouts().deadline(&self.limits)
    }

    pub(crate) fn begin(&self) {
        self.may_have_unsent.store(true, Ordering::Relaxed);
        self.timeouts().begin();
    }

    pub(crate) fn upgrade(&self) {
        self.may_have_unsent.store(true, Ordering::Relaxed);
        self.timeouts().upgrade();
    }

    /// Records that all written bytes are sent; returns `true` if an HTTP/1 client waits for the server.
    pub(crate) fn flushed(&self) -> bool {
        if !self.may_have_unsent.load(Ordering::Relaxed) {
            return false;
        }
        // While a request is in flight, more of its response may be written, so the next flush looks again.
        // `Relaxed` suffices: the flag matters on HTTP/1 alone, where one task runs the connection and its
        // requests.
        let timeouts = self.timeouts();
        self.may_have_unsent
            .store(timeouts.in_flight(), Ordering::Relaxed);
        timeouts.http1_awaits_server()
    }

    /// Begins a refusal, if the next bytes written must be one of hyper: no response of an app is unsent.
    pub(crate) fn refuse(&self) -> bool {
        // Bytes of an app may look like hyper's refusal, so the flag is tested first.
        !self.may_have_unsent.load(Ordering::Relaxed) && self.timeouts().refuse()
    }

    pub(crate) fn is_stalled(&self) -> bool {
        self.timeouts()
            .is_stalled(Instant::now(), self.limits.response)
    }

    /// Requests a graceful shutdown of the connection, and wakes its task outside the lock.
    pub(crate) fn request_shutdown(&self) {
        // The guard of the lock ends with this statement: the woken task takes the same lock.
        let waker = self.timeouts().request_shutdown();
        if let Some(waker) = waker {
            waker.wake();
        }
    }

    /// The locked timeout state; hold the lock for one transition only.
    pub(crate) fn timeouts(&self) -> MutexGuard<'_, TimeoutState> {
        // A poisoned lock holds no half-made transition, because none of them panics.
        self.timeouts.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Interval at which a connection without a deadline is checked again. Requests of HTTP/2 end in tasks of
/// their own, which do not wake the connection.
const RECHECK_INTERVAL: Duration = Duration::from_secs(1);

/// A timer that fires when the client misses the deadline of its connection.
pub(crate) struct IdleTimer {
    state: Arc<ConnectionState>,
    sleep: Pin<Box<Sleep>>,
}

impl IdleTimer {
    pub(crate) fn new(state: Arc<ConnectionState>) -> Self {
        Self {
            state,
            sleep: Box::pin(sleep(RECHECK_INTERVAL)),
        }
    }

    /// Ready once the deadline has passed; poll again after anything that may bring the deadline forward.
    ///
    /// A deadline that moves back, as with each request, does not reset the timer, which saves a reset per request:
    /// the timer checks the deadline when it fires.
    pub(crate) fn poll(&mut self, context: &mut Context<'_>) -> Poll<()> {
        loop {
            // The deadline is read in each round, since the timer may have fired for an outdated one.
            let deadline = self.state.deadline();
            if let Some(earlier) = deadline.filter(|deadline| *deadline < self.sleep.deadline()) {
                self.sleep.as_mut().reset(earlier);
            }
            ready!(self.sleep.as_mut().poll(context));
            // The timer fired: the deadline has passed, has moved back, or there is none.
            let now = Instant::now();
            if deadline.is_some_and(|deadline| deadline <= now) {
                return Poll::Ready(());
            }
            self.sleep
                .as_mut()
                .reset(deadline.unwrap_or(now + RECHECK_INTERVAL));
        }
    }
}
