//! The state of a connection behind a lock, with the time of each step, and its timer.

use std::future::Future as _;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, ready};
use std::time::Duration;

use tokio::time::{Instant, Sleep, sleep};

use crate::options::Limits;
use crate::timeout_state::TimeoutState;

/// What a connection waits for, as its socket and its exchanges tell it, and until when it does.
#[derive(Debug)]
pub(crate) struct ConnectionState {
    limits: Limits,
    waiting: Mutex<TimeoutState>,
    /// Whether there may be bytes of an app's answer that are not sent.
    owes: AtomicBool,
}

impl ConnectionState {
    pub(crate) fn start(limits: Limits) -> Self {
        Self {
            limits,
            waiting: Mutex::new(TimeoutState::new(Instant::now())),
            owes: AtomicBool::new(false),
        }
    }

    pub(crate) fn deadline(&self) -> Option<Instant> {
        self.timeouts().deadline(&self.limits)
    }

    pub(crate) fn begin(&self) {
        self.owes.store(true, Ordering::Relaxed);
        self.timeouts().begin();
    }

    pub(crate) fn upgrade(&self) {
        self.owes.store(true, Ordering::Relaxed);
        self.timeouts().upgrade();
    }

    /// All bytes that there were are sent; whether a client of HTTP/1 waits for the service.
    pub(crate) fn flushed(&self) -> bool {
        if !self.owes.load(Ordering::Relaxed) {
            return false;
        }
        let waiting = self.timeouts();
        self.owes.store(waiting.in_flight(), Ordering::Relaxed);
        waiting.is_with_server()
    }

    /// Whether what is sent next cannot be an app's, but must be a refusal of what is no request.
    pub(crate) fn refuse(&self) -> bool {
        !self.owes.load(Ordering::Relaxed) && self.timeouts().refuse()
    }

    pub(crate) fn is_stuck(&self) -> bool {
        self.timeouts().is_stuck(Instant::now(), self.limits.answer)
    }

    /// The client is to leave the connection.
    pub(crate) fn go_away(&self) {
        let connection = self.timeouts().go_away();
        if let Some(connection) = connection {
            connection.wake();
        }
    }

    /// The state, locked for one step.
    pub(crate) fn timeouts(&self) -> MutexGuard<'_, TimeoutState> {
        // Nothing in the lock can panic half-way.
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// When a connection is looked at again that waits for the service. Requests of HTTP/2 end in
/// tasks of their own, which do not wake it.
const AGAIN: Duration = Duration::from_secs(1);

/// Goes off when the client of a connection is late.
pub(crate) struct IdleTimer {
    state: Arc<ConnectionState>,
    sleep: Pin<Box<Sleep>>,
}

impl IdleTimer {
    pub(crate) fn new(state: Arc<ConnectionState>) -> Self {
        Self {
            state,
            sleep: Box::pin(sleep(AGAIN)),
        }
    }

    /// Is ready once the deadline has passed; to be asked after whatever can move it.
    ///
    /// Deadlines that move away, as each request does it, leave the timer as it is: it finds out
    /// when it wakes.
    pub(crate) fn poll(&mut self, context: &mut Context<'_>) -> Poll<()> {
        loop {
            let deadline = self.state.deadline();
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
