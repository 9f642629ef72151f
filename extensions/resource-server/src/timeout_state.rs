//! The timeout state machine of a connection.

use std::mem;
use std::task::Waker;
use std::time::Duration;

use tokio::time::Instant;

use crate::options::Limits;
use crate::request_body::Unread;

/// How long a client that was refused may still send, so that it comes to read why.
pub(crate) const LINGER: Duration = Duration::from_secs(2);

/// What a connection waits for, and since when. Nothing here asks for the time.
#[derive(Debug)]
pub(crate) struct TimeoutState {
    head: Head,
    protocol: Option<Protocol>,
    with_server: usize,
    with_client: usize,
    since: Instant,
    /// Whether the last head has its answer.
    answered: bool,
    /// What the app has let go of, until the answer decides what becomes of it.
    left: Option<Unread>,
    unread: bool,
    lingers: bool,
    came: Came,
    leaving: Leaving,
}

/// How far the next request has come while none is in flight.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Head {
    /// Nothing has come on the connection.
    First,
    /// A part has.
    Begun,
    /// Nothing has come since the last one.
    Next,
}

/// What has come on the connection so far.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Came {
    /// Heads alone, each after the answer to the one before: what comes next is the beginning of another.
    Heads,
    /// Bodies, too, or what may be in the midst of a head.
    Other,
}

/// Whether the client is to leave the connection, and what is woken for that.
#[derive(Debug)]
enum Leaving {
    Unsaid(Option<Waker>),
    Said,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Protocol {
    Http1,
    Http2,
    /// One of the app's own, on a connection that was of HTTP/1.
    Upgraded,
}

/// Whose turn it is in an exchange of a request and its answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Awaiting {
    /// The service is to answer, or to go on answering.
    Server,
    /// The client is to take what it was answered.
    Client,
}

impl TimeoutState {
    pub(crate) fn new(now: Instant) -> Self {
        Self {
            head: Head::First,
            protocol: None,
            with_server: 0,
            with_client: 0,
            since: now,
            answered: false,
            left: None,
            unread: false,
            lingers: false,
            came: Came::Heads,
            leaving: Leaving::Unsaid(None),
        }
    }

    /// Until when the client has to do something; there is no such moment while the service is to.
    pub(crate) fn deadline(&self, limits: &Limits) -> Option<Instant> {
        if self.with_server > 0 {
            return None;
        }
        let limit = match self.head {
            _ if self.lingers => LINGER,
            _ if self.with_client > 0 => limits.answer,
            Head::First => limits.first_byte,
            Head::Begun => limits.header,
            Head::Next => limits.idle,
        };
        self.since.checked_add(limit)
    }

    /// Bytes have come; whether a head surely begins with them.
    pub(crate) fn received(&mut self, now: Instant) -> bool {
        // What comes between two requests of HTTP/2 need not begin one: it may be a ping.
        let begins = self.head != Head::Begun && self.protocol != Some(Protocol::Http2);
        if self.in_flight() {
            self.came = Came::Other;
            return false;
        }
        if begins {
            self.head = Head::Begun;
            self.since = now;
        }
        begins && self.came == Came::Heads
    }

    /// A head is whole, behind which its body comes, to its end or not.
    pub(crate) fn expect_body(&mut self) {
        self.came = Came::Other;
    }

    /// From here on all bytes are the app's own.
    pub(crate) fn upgrade(&mut self) {
        if self.protocol == Some(Protocol::Http1) {
            self.protocol = Some(Protocol::Upgraded);
        }
        self.with_server += 1;
    }

    /// Whether a request is not answered to its end.
    pub(crate) const fn in_flight(&self) -> bool {
        self.with_server + self.with_client > 0
    }

    /// What came is no request of HTTP/1; it is not read to its end. No such thing is told over HTTP/2.
    pub(crate) fn refuse(&mut self) -> bool {
        let is_http_1 = *self.protocol.get_or_insert(Protocol::Http1) == Protocol::Http1;
        self.unread |= is_http_1;
        is_http_1
    }

    /// Bytes were sent. Before the first request only a server of HTTP/2 does that: it greets.
    pub(crate) fn sent(&mut self, now: Instant) {
        if self.protocol.is_none() {
            self.protocol = Some(Protocol::Http2);
            self.head = Head::Next;
            self.since = now;
        }
    }

    /// The head of a request is whole; it is the service's turn.
    pub(crate) fn begin(&mut self) {
        self.protocol.get_or_insert(Protocol::Http1);
        self.head = Head::Next;
        self.with_server += 1;
        self.answered = false;
        self.left = None;
        self.unread = false;
    }

    /// Whether a client of HTTP/1 waits for the service.
    pub(crate) fn is_with_server(&self) -> bool {
        self.with_server > 0 && self.protocol == Some(Protocol::Http1)
    }

    /// Whether nothing has been said yet to who waits.
    pub(crate) const fn is_unanswered(&self) -> bool {
        !self.answered
    }

    /// Whether the service has said nothing more for so long that it is taken for stuck.
    pub(crate) fn is_stuck(&self, now: Instant, limit: Duration) -> bool {
        self.answered && now.saturating_duration_since(self.since) > limit
    }

    /// The app has let go of a body before its end. Once there is an answer, nobody comes for it.
    pub(crate) fn leave_unread(&mut self, left: Unread) {
        self.unread = true;
        if !self.answered {
            self.left = Some(left);
        }
    }

    /// There is an answer; what is left to read before it is given.
    pub(crate) fn answer(&mut self) -> Option<Unread> {
        self.answered = true;
        self.left.take()
    }

    /// What was left has been read.
    pub(crate) fn read_left(&mut self) {
        self.unread = false;
    }

    /// The client is to leave the connection; what is to be woken for that.
    pub(crate) fn go_away(&mut self) -> Option<Waker> {
        match mem::replace(&mut self.leaving, Leaving::Said) {
            Leaving::Unsaid(connection) => connection,
            Leaving::Said => None,
        }
    }

    /// Whether the client is to leave; where not yet, the connection is woken when it is.
    pub(crate) fn goes_away(&mut self, connection: &Waker) -> bool {
        if let Leaving::Unsaid(woken) = &mut self.leaving {
            *woken = Some(connection.clone());
            return false;
        }
        true
    }

    /// The connection is to be closed; whether what the client still sends is to be taken first.
    /// A closed socket answers it with a reset, which takes the answer away from the client.
    pub(crate) fn close(&mut self, now: Instant) -> bool {
        if self.unread && self.protocol == Some(Protocol::Http1) && !self.lingers {
            self.lingers = true;
            self.since = now;
        }
        self.lingers
    }

    /// An exchange goes from one to the other, or its turn begins anew.
    pub(crate) fn pass(&mut self, from: Awaiting, to: Awaiting, now: Instant) {
        self.answered = true;
        self.leave(from);
        match to {
            Awaiting::Server => self.with_server += 1,
            Awaiting::Client => self.with_client += 1,
        }
        self.since = now;
    }

    /// An exchange ends on this turn.
    pub(crate) fn end(&mut self, turn: Awaiting, now: Instant) {
        self.leave(turn);
        self.since = now;
    }

    fn leave(&mut self, turn: Awaiting) {
        match turn {
            Awaiting::Server => self.with_server -= 1,
            Awaiting::Client => self.with_client -= 1,
        }
    }
}

#[cfg(test)]
mod tests;
