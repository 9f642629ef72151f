use std::time::Duration;

use tokio::time::Instant;

use super::options::Limits;

/// How long a client that was refused may still send, so that it comes to read why.
const LINGER: Duration = Duration::from_secs(2);

/// What a connection waits for, and since when. Nothing here asks for the time.
#[derive(Debug)]
pub(super) struct Waiting {
    head: Head,
    protocol: Option<Protocol>,
    with_service: usize,
    with_client: usize,
    since: Instant,
    unread: bool,
    lingers: bool,
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
            unread: false,
            lingers: false,
        }
    }

    /// Until when the client has to do something; there is no such moment while the service is to.
    pub(super) fn deadline(&self, limits: &Limits) -> Option<Instant> {
        if self.with_service > 0 {
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
        self.unread = false;
    }

    /// The app has let go of a body before its end.
    pub(super) fn leave_unread(&mut self) {
        self.unread = true;
    }

    /// The connection is to be closed; whether what the client still sends is to be taken first.
    /// A closed socket answers it with a reset, which takes the answer away from the client.
    pub(super) fn close(&mut self, now: Instant) -> bool {
        if self.unread && self.protocol == Some(Protocol::Http1) && !self.lingers {
            self.lingers = true;
            self.since = now;
        }
        self.lingers
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

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use tokio::time::Instant;

    use super::{Limits, Turn, Waiting};

    const LIMITS: Limits = Limits {
        first_byte: Duration::from_secs(1),
        header: Duration::from_secs(2),
        body: Duration::from_secs(3),
        answer: Duration::from_secs(4),
        idle: Duration::from_secs(5),
    };

    /// A connection, and the seconds that it has been open for.
    struct Connection {
        opened: Instant,
        waiting: Waiting,
    }

    impl Connection {
        fn open() -> Self {
            let opened = Instant::now();
            let waiting = Waiting::new(opened);
            Self { opened, waiting }
        }

        fn at(&self, second: u64) -> Instant {
            self.opened + Duration::from_secs(second)
        }

        #[track_caller]
        fn assert_deadline(&self, second: u64) {
            assert_eq!(self.waiting.deadline(&LIMITS), Some(self.at(second)));
        }

        /// A request from its whole head to its whole answer.
        fn exchange(&mut self, second: u64) {
            let now = self.at(second);
            self.waiting.begin();
            self.waiting.pass(Turn::Service, Turn::Client, now);
            self.waiting.end(Turn::Client, now);
        }
    }

    #[test]
    fn a_client_has_a_deadline_for_each_step() {
        let mut connection = Connection::open();
        connection.assert_deadline(1);
        connection.waiting.received(connection.at(10));
        connection.assert_deadline(12);
        connection.exchange(20);
        connection.assert_deadline(25);
        connection.waiting.received(connection.at(30));
        connection.assert_deadline(32);
    }

    #[test]
    fn more_bytes_of_a_head_give_it_no_more_time() {
        let mut connection = Connection::open();
        connection.waiting.received(connection.at(10));
        connection.waiting.received(connection.at(11));
        connection.assert_deadline(12);
    }

    #[test]
    fn there_is_no_deadline_while_the_service_is_to_answer() {
        let mut connection = Connection::open();
        connection.waiting.received(connection.at(10));
        connection.waiting.begin();
        assert_eq!(connection.waiting.deadline(&LIMITS), None);
        // The body, or the next request already.
        connection.waiting.received(connection.at(11));
        assert_eq!(connection.waiting.deadline(&LIMITS), None);
        let waiting = &mut connection.waiting;
        waiting.end(Turn::Service, connection.opened);
        connection.assert_deadline(5);
    }

    #[test]
    fn every_piece_of_an_answer_has_its_own_deadline() {
        let mut connection = Connection::open();
        connection.waiting.begin();
        let (first, second) = (connection.at(10), connection.at(13));
        connection.waiting.pass(Turn::Service, Turn::Client, first);
        connection.assert_deadline(14);
        connection.waiting.pass(Turn::Client, Turn::Client, second);
        connection.assert_deadline(17);
        connection.waiting.pass(Turn::Client, Turn::Service, second);
        assert_eq!(connection.waiting.deadline(&LIMITS), None);
    }

    #[test]
    fn one_answer_that_is_due_is_enough_to_wait() {
        let mut connection = Connection::open();
        connection.waiting.begin();
        connection.waiting.begin();
        let now = connection.at(10);
        connection.waiting.pass(Turn::Service, Turn::Client, now);
        assert_eq!(connection.waiting.deadline(&LIMITS), None);
        connection.waiting.end(Turn::Service, now);
        connection.assert_deadline(14);
    }

    #[test]
    fn what_http_2_sends_between_requests_is_no_head() {
        let mut connection = Connection::open();
        connection.waiting.received(connection.at(10));
        connection.waiting.sent(connection.at(11));
        connection.assert_deadline(16);
        connection.waiting.received(connection.at(12));
        connection.assert_deadline(16);
        connection.exchange(20);
        connection.waiting.received(connection.at(21));
        connection.assert_deadline(25);
    }

    #[test]
    fn an_answer_of_http_1_is_no_greeting() {
        let mut connection = Connection::open();
        connection.waiting.received(connection.at(10));
        connection.exchange(20);
        connection.waiting.received(connection.at(21));
        connection.waiting.sent(connection.at(22));
        connection.assert_deadline(23);
    }

    #[test]
    fn a_connection_lingers_only_where_a_body_was_not_read() {
        let mut connection = Connection::open();
        connection.exchange(10);
        assert!(!connection.waiting.close(connection.at(11)));
        connection.waiting.leave_unread();
        assert!(connection.waiting.close(connection.at(12)));
        assert!(connection.waiting.close(connection.at(13)));
        connection.assert_deadline(14);
    }

    #[test]
    fn the_longest_limit_is_none() {
        let connection = Connection::open();
        let first_byte = Duration::MAX;
        let limits = Limits {
            first_byte,
            ..LIMITS
        };
        assert_eq!(connection.waiting.deadline(&limits), None);
    }
}
