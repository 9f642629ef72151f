use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::task::Waker;

use tokio::time::Instant;

use super::options::Limits;
use super::unread::Unread;
use super::waiting::{Turn, Waiting};

/// What a connection waits for, as its socket and its exchanges tell it, and until when it does.
#[derive(Debug)]
pub(super) struct Clock {
    limits: Limits,
    waiting: Mutex<Waiting>,
    /// Whether there may be bytes of an app's answer that are not sent.
    owes: AtomicBool,
}

impl Clock {
    pub(super) fn start(limits: Limits) -> Self {
        Self {
            limits,
            waiting: Mutex::new(Waiting::new(Instant::now())),
            owes: AtomicBool::new(false),
        }
    }

    pub(super) fn deadline(&self) -> Option<Instant> {
        self.waiting().deadline(&self.limits)
    }

    pub(super) fn received(&self) -> bool {
        self.waiting().received(Instant::now())
    }

    pub(super) fn sent(&self) {
        self.waiting().sent(Instant::now());
    }

    pub(super) fn begin(&self) {
        self.owes.store(true, Ordering::Relaxed);
        self.waiting().begin();
    }

    pub(super) fn expect_body(&self) {
        self.waiting().expect_body();
    }

    pub(super) fn upgrade(&self) {
        self.owes.store(true, Ordering::Relaxed);
        self.waiting().upgrade();
    }

    /// All bytes that there were are sent; whether a client of HTTP/1 waits for the service.
    pub(super) fn flushed(&self) -> bool {
        if !self.owes.load(Ordering::Relaxed) {
            return false;
        }
        let waiting = self.waiting();
        self.owes.store(waiting.in_flight(), Ordering::Relaxed);
        waiting.is_with_service()
    }

    /// Whether what is sent next cannot be an app's, but must be a refusal of what is no request.
    pub(super) fn refuse(&self) -> bool {
        !self.owes.load(Ordering::Relaxed) && self.waiting().refuse()
    }

    pub(super) fn pass(&self, from: Turn, to: Turn) {
        self.waiting().pass(from, to, Instant::now());
    }

    pub(super) fn end(&self, turn: Turn) {
        self.waiting().end(turn, Instant::now());
    }

    pub(super) fn is_unanswered(&self) -> bool {
        self.waiting().is_unanswered()
    }

    pub(super) fn is_stuck(&self) -> bool {
        self.waiting().is_stuck(Instant::now(), self.limits.answer)
    }

    pub(super) fn leave_unread(&self, left: Unread) {
        self.waiting().leave_unread(left);
    }

    pub(super) fn answer(&self) -> Option<Unread> {
        self.waiting().answer()
    }

    pub(super) fn read_left(&self) {
        self.waiting().read_left();
    }

    /// The client is to leave the connection.
    pub(super) fn go_away(&self) {
        let connection = self.waiting().go_away();
        if let Some(connection) = connection {
            connection.wake();
        }
    }

    /// Whether the client is to leave; where not yet, the connection is woken when it is.
    pub(super) fn goes_away(&self, connection: &Waker) -> bool {
        self.waiting().goes_away(connection)
    }

    pub(super) fn close(&self) -> bool {
        self.waiting().close(Instant::now())
    }

    fn waiting(&self) -> MutexGuard<'_, Waiting> {
        // Nothing in the lock can panic half-way.
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
