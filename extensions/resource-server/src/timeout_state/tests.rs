//! Deadlines, step by step.

use std::time::Duration;

use tokio::time::Instant;

use super::{Awaiting, Limits, TimeoutState, Unread};

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
    waiting: TimeoutState,
}

impl Connection {
    fn open() -> Self {
        let opened = Instant::now();
        let waiting = TimeoutState::new(opened);
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
    fn in_flight(&mut self, second: u64) {
        let now = self.at(second);
        self.waiting.begin();
        self.waiting.pass(Awaiting::Server, Awaiting::Client, now);
        self.waiting.end(Awaiting::Client, now);
    }
}

#[test]
fn a_client_has_a_deadline_for_each_step() {
    let mut connection = Connection::open();
    connection.assert_deadline(1);
    connection.waiting.received(connection.at(10));
    connection.assert_deadline(12);
    connection.in_flight(20);
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
    waiting.end(Awaiting::Server, connection.opened);
    connection.assert_deadline(5);
}

#[test]
fn every_piece_of_an_answer_has_its_own_deadline() {
    let mut connection = Connection::open();
    connection.waiting.begin();
    let (first, second) = (connection.at(10), connection.at(13));
    connection
        .waiting
        .pass(Awaiting::Server, Awaiting::Client, first);
    connection.assert_deadline(14);
    connection
        .waiting
        .pass(Awaiting::Client, Awaiting::Client, second);
    connection.assert_deadline(17);
    connection
        .waiting
        .pass(Awaiting::Client, Awaiting::Server, second);
    assert_eq!(connection.waiting.deadline(&LIMITS), None);
}

#[test]
fn one_answer_that_is_due_is_enough_to_wait() {
    let mut connection = Connection::open();
    connection.waiting.begin();
    connection.waiting.begin();
    let now = connection.at(10);
    connection
        .waiting
        .pass(Awaiting::Server, Awaiting::Client, now);
    assert_eq!(connection.waiting.deadline(&LIMITS), None);
    connection.waiting.end(Awaiting::Server, now);
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
    connection.in_flight(20);
    connection.waiting.received(connection.at(21));
    connection.assert_deadline(25);
}

#[test]
fn an_answer_of_http_1_is_no_greeting() {
    let mut connection = Connection::open();
    connection.waiting.received(connection.at(10));
    connection.in_flight(20);
    connection.waiting.received(connection.at(21));
    connection.waiting.sent(connection.at(22));
    connection.assert_deadline(23);
}

#[test]
fn a_connection_lingers_only_where_a_body_was_not_read() {
    let mut connection = Connection::open();
    connection.in_flight(10);
    assert!(!connection.waiting.close(connection.at(11)));
    connection.waiting.leave_unread(Unread::Much);
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

#[test]
fn no_head_surely_begins_behind_a_body_or_behind_what_came_early() {
    let mut connection = Connection::open();
    assert!(connection.waiting.received(connection.at(1)));
    connection.in_flight(2);
    assert!(connection.waiting.received(connection.at(3)));
    connection.waiting.expect_body();
    connection.in_flight(4);
    assert!(!connection.waiting.received(connection.at(5)));

    let mut connection = Connection::open();
    connection.waiting.begin();
    assert!(!connection.waiting.received(connection.at(1)));
    connection.waiting.end(Awaiting::Server, connection.opened);
    assert!(!connection.waiting.received(connection.at(2)));
}

#[test]
fn the_bytes_of_an_upgraded_connection_are_the_apps_own() {
    let mut connection = Connection::open();
    connection.waiting.begin();
    connection.waiting.upgrade();
    connection.waiting.end(Awaiting::Server, connection.opened);
    assert_eq!(connection.waiting.deadline(&LIMITS), None);
    assert!(!connection.waiting.is_with_server());
    assert!(!connection.waiting.refuse());
}
