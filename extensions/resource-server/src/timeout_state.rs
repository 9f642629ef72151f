//! The timeout state machine of a connection.

use std::mem;
use std::task::Waker;
use std::time::Duration;

use tokio::time::Instant;

use crate::options::Limits;
use crate::request_body::UnreadBody;

/// Time of a lingering close: a client that still sends its request gets to read the response.
pub(crate) const LINGER: Duration = Duration::from_secs(2);

/// The state machine that yields the deadline of a connection. Its callers pass in the time, so that tests need
/// no clock.
#[derive(Debug)]
pub(crate) struct TimeoutState {
    head: Head,
    /// Known only from the first bytes sent or the first request on.
    protocol: Option<Protocol>,
    /// Number of requests whose response the app still produces; several on HTTP/2.
    awaiting_server: usize,
    /// Number of requests whose client has response bytes to receive.
    awaiting_client: usize,
    /// Start of the current timeout.
    since: Instant,
    /// `true` once the latest request has the head of its response.
    has_responded: bool,
    /// Request body that the app dropped before it responded; taken when the response begins.
    unread_body: Option<UnreadBody>,
    /// `true` if request bytes may still arrive, so that closing the socket at once would reset the connection.
    has_unread_body: bool,
    is_lingering: bool,
    framing: Framing,
    shutdown: GracefulShutdown,
}

/// Progress of the next request while none is in flight.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Head {
    /// No byte has arrived on the connection.
    NoByte,
    /// Part of a header section has arrived.
    Partial,
    /// No byte has arrived since the last request.
    Idle,
}

/// Knowledge of message boundaries on the connection, which the socket does not parse.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Framing {
    /// Only requests without body and without pipelining so far: the next byte begins a request line.
    HeadsOnly,
    /// A body or a pipelined request has arrived: the next byte may be in the middle of one.
    Unknown,
}

/// State of a graceful shutdown of this connection, with the waker of its task.
#[derive(Debug)]
enum GracefulShutdown {
    NotRequested(Option<Waker>),
    Requested,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Protocol {
    Http1,
    Http2,
    /// A protocol of the app, after an HTTP/1 upgrade or `CONNECT`.
    Upgraded,
}

/// The peer whose action a request in flight waits for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Awaiting {
    /// The app has to produce a response, or more of it; no timeout applies.
    Server,
    /// The client has to receive response bytes.
    Client,
}

impl TimeoutState {
    pub(crate) fn new(now: Instant) -> Self {
        Self {
            head: Head::NoByte,
            protocol: None,
            awaiting_server: 0,
            awaiting_client: 0,
            since: now,
            has_responded: false,
            unread_body: None,
            has_unread_body: false,
            is_lingering: false,
            framing: Framing::HeadsOnly,
            shutdown: GracefulShutdown::NotRequested(None),
        }
    }

    /// The deadline of the client; `None` while the server has to act. One response that the app still produces
    /// suspends the timeouts of all streams of the connection.
    pub(crate) fn deadline(&self, limits: &Limits) -> Option<Instant> {
        if self.awaiting_server > 0 {
            return None;
        }
        // The more specific states come first: a closing connection has no further request, and a client
        // that still receives a response may begin its next request late.
        let limit = match self.head {
            _ if self.is_lingering => LINGER,
            _ if self.awaiting_client > 0 => limits.response,
            Head::NoByte => limits.first_byte,
            Head::Partial => limits.header,
            Head::Idle => limits.idle,
        };
        // `Duration::MAX` overflows, which disables the timeout.
        self.since.checked_add(limit)
    }

    /// Records received bytes; returns `true` if they certainly begin a request line.
    pub(crate) fn received(&mut self, now: Instant) -> bool {
        // Bytes between two HTTP/2 requests need not begin one: they may be a ping.
        let begins = self.head != Head::Partial && self.protocol != Some(Protocol::Http2);
        // Bytes during a request belong to its body or to a pipelined request.
        if self.in_flight() {
            self.framing = Framing::Unknown;
            return false;
        }
        // Only the first byte sets the start, so that bytes that trickle in do not extend the timeout.
        if begins {
            self.head = Head::Partial;
            self.since = now;
        }
        begins && self.framing == Framing::HeadsOnly
    }

    /// Records that a body follows the header section, after which message boundaries are unknown.
    pub(crate) fn expect_body(&mut self) {
        self.framing = Framing::Unknown;
    }

    /// Ends HTTP on the connection. The count is never released, so that no timeout applies from here on.
    pub(crate) fn upgrade(&mut self) {
        // A `CONNECT` on HTTP/2 upgrades one stream; the connection goes on with HTTP/2.
        if self.protocol == Some(Protocol::Http1) {
            self.protocol = Some(Protocol::Upgraded);
        }
        self.awaiting_server += 1;
    }

    /// Tests for a request without its complete response.
    pub(crate) const fn in_flight(&self) -> bool {
        self.awaiting_server + self.awaiting_client > 0
    }

    /// Records that an invalid HTTP/1 request is refused, and the rest of it left unread. Returns `false` on other
    /// protocols, which have no such response.
    pub(crate) fn refuse(&mut self) -> bool {
        // If the first request is invalid, nothing has told the protocol yet; on HTTP/2 its preface was
        // sent before.
        let is_http_1 = *self.protocol.get_or_insert(Protocol::Http1) == Protocol::Http1;
        self.has_unread_body |= is_http_1;
        is_http_1
    }

    /// Records sent bytes. Only an HTTP/2 server sends before the first request: its connection preface.
    pub(crate) fn sent(&mut self, now: Instant) {
        if self.protocol.is_none() {
            self.protocol = Some(Protocol::Http2);
            self.head = Head::Idle;
            self.since = now;
        }
    }

    /// Begins a request, whose header section is complete.
    pub(crate) fn begin(&mut self) {
        self.protocol.get_or_insert(Protocol::Http1);
        // Per-request state is reset: on HTTP/1 this request begins only after the former one, with its
        // body, ended.
        self.head = Head::Idle;
        self.awaiting_server += 1;
        self.has_responded = false;
        self.unread_body = None;
        self.has_unread_body = false;
    }

    /// Tests for an HTTP/1 client that waits for the server.
    pub(crate) fn http1_awaits_server(&self) -> bool {
        self.awaiting_server > 0 && self.protocol == Some(Protocol::Http1)
    }

    /// `true` once the latest request has the head of its response.
    pub(crate) const fn has_responded(&self) -> bool {
        self.has_responded
    }

    /// Tests for a begun response of which the app has produced nothing within `limit`.
    pub(crate) fn is_stalled(&self, now: Instant, limit: Duration) -> bool {
        self.has_responded && now.saturating_duration_since(self.since) > limit
    }

    /// Records that the app dropped a request body before its end. It is stored only before the response, which
    /// decides whether to drain it.
    pub(crate) fn leave_unread(&mut self, body: UnreadBody) {
        self.has_unread_body = true;
        // After the head of the response, it is too late to announce a close or to reuse the connection.
        if !self.has_responded {
            self.unread_body = Some(body);
        }
    }

    /// Begins the response; returns the request body to drain before it is sent.
    pub(crate) fn begin_response(&mut self) -> Option<UnreadBody> {
        self.has_responded = true;
        self.unread_body.take()
    }

    /// Records that the unread request body was drained.
    pub(crate) fn body_drained(&mut self) {
        self.has_unread_body = false;
    }

    /// Requests a graceful shutdown; returns the waker of the connection.
    pub(crate) fn request_shutdown(&mut self) -> Option<Waker> {
        match mem::replace(&mut self.shutdown, GracefulShutdown::Requested) {
            GracefulShutdown::NotRequested(waker) => waker,
            GracefulShutdown::Requested => None,
        }
    }

    /// Tests for a requested shutdown; if there is none, the connection is woken at the request.
    pub(crate) fn shutdown_requested(&mut self, connection: &Waker) -> bool {
        if let GracefulShutdown::NotRequested(waker) = &mut self.shutdown {
            *waker = Some(connection.clone());
            return false;
        }
        true
    }

    /// Begins to close the connection; returns `true` for a lingering close (RFC 9112, section 9.6). A socket
    /// closed at once would reset the connection at the next request byte, and the client would lose the response.
    pub(crate) fn begin_close(&mut self, now: Instant) -> bool {
        // HTTP/2 ends streams by frames of its own. The start is set once, since a close is polled
        // repeatedly.
        if self.has_unread_body && self.protocol == Some(Protocol::Http1) && !self.is_lingering {
            self.is_lingering = true;
            self.since = now;
        }
        self.is_lingering
    }

    /// Moves a request in flight to another peer, or restarts its timeout with the same one.
    pub(crate) fn pass(&mut self, from: Awaiting, to: Awaiting, now: Instant) {
        self.has_responded = true;
        self.release(from);
        match to {
            Awaiting::Server => self.awaiting_server += 1,
            Awaiting::Client => self.awaiting_client += 1,
        }
        self.since = now;
    }

    /// Ends a request in flight.
    pub(crate) fn end(&mut self, awaiting: Awaiting, now: Instant) {
        self.release(awaiting);
        self.since = now;
    }

    fn release(&mut self, awaiting: Awaiting) {
        match awaiting {
            // No underflow: each guard releases the one count that it holds.
            Awaiting::Server => self.awaiting_server -= 1,
            Awaiting::Client => self.awaiting_client -= 1,
        }
    }
}

#[cfg(test)]
mod tests;
