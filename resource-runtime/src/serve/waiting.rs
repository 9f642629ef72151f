use tokio::time::Instant;

use super::options::Limits;

/// What a connection waits for, and since when. Nothing here asks for the time.
#[derive(Debug)]
pub(super) struct Waiting {
    head: Head,
    protocol: Option<Protocol>,
    with_service: usize,
    with_client: usize,
    since: Instant,
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

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Protocol {
    Http1,
    Http2,
}

/// Whose turn it is in an exchange of a request and its answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Turn {
    /// The service is to answer, or to go on answering.
    Service,
    /// The client is to take what it was answered.
    Client,
}

impl Waiting {
    pub(super) fn new(now: Instant) -> Self {
        Self {
            head: Head::First,
            protocol: None,
            with_service: 0,
            with_client: 0,
            since: now,
        }
    }

    /// Until when the client has to do something; there is no such moment while the service is to.
    pub(super) fn deadline(&self, limits: &Limits) -> Option<Instant> {
        if self.with_service > 0 {
            return None;
        }
        let limit = match self.head {
            _ if self.with_client > 0 => limits.answer,
            Head::First => limits.first_byte,
            Head::Begun => limits.header,
            Head::Next => limits.idle,
        };
        self.since.checked_add(limit)
    }

    /// Bytes have come.
    pub(super) fn received(&mut self, now: Instant) {
        let in_flight = self.with_service + self.with_client > 0;
        // What comes between two requests of HTTP/2 need not begin one: it may be a ping.
        let begins = self.head != Head::Begun && self.protocol != Some(Protocol::Http2);
        if begins && !in_flight {
            self.head = Head::Begun;
            self.since = now;
        }
    }

    /// Bytes were sent. Before the first request only a server of HTTP/2 does that: it greets.
    pub(super) fn sent(&mut self, now: Instant) {
        if self.protocol.is_none() {
            self.protocol = Some(Protocol::Http2);
            self.head = Head::Next;
            self.since = now;
        }
    }

    /// The head of a request is whole; it is the service's turn.
    pub(super) fn begin(&mut self) {
        self.protocol.get_or_insert(Protocol::Http1);
        self.head = Head::Next;
        self.with_service += 1;
    }

    /// An exchange goes from one to the other, or its turn begins anew.
    pub(super) fn pass(&mut self, from: Turn, to: Turn, now: Instant) {
        self.leave(from);
        match to {
            Turn::Service => self.with_service += 1,
            Turn::Client => self.with_client += 1,
        }
        self.since = now;
    }

    /// An exchange ends on this turn.
    pub(super) fn end(&mut self, turn: Turn, now: Instant) {
        self.leave(turn);
        self.since = now;
    }

    fn leave(&mut self, turn: Turn) {
        match turn {
            Turn::Service => self.with_service -= 1,
            Turn::Client => self.with_client -= 1,
        }
    }
}
