//! Tests of the deadlines, transition by transition.

use std::time::Duration;

use tokio::time::Instant;

use super::{Awaiting, Limits, TimeoutState, UnreadBody};

const LIMITS: Limits = Limits {
    first_byte: Duration::from_secs(1),
    header: Duration::from_secs(2),
    body: Duration::from_secs(3),
    response: Duration::from_secs(4),
    idle: Duration::from_secs(5),
};

/// A connection whose times are seconds since it was opened.
struct Connection {
    opened: Instant,
    state: TimeoutState,
}

impl Connection {
    fn open() -> Self {
        let opened = Instant::now();
        let state = TimeoutState::new(opened);
        Self { opened, state }
    }

    fn at(&self, second: u64) -> Instant {
        self.opened + Duration::from_secs(second)
    }

    #[track_caller]
    fn assert_deadline(&self, second: u64) {
        assert_eq!(self.state.deadline(&LIMITS), Some(self.at(second)));
    }

    /// Passes a request from its header section to the end of its response.
    fn complete_request(&mut self, second: u64) {
        self.state.begin();
        self.pass(Awaiting::Server, Awaiting::Client, second);
        self.state.end(Awaiting::Client, self.at(second));
    }

    fn pass(&mut self, from: Awaiting, to: Awaiting, second: u64) {
        self.state.pass(from, to, self.at(second));
    }

    fn receive(&mut self, second: u64) -> bool {
        self.state.received(self.at(second))
    }
}

#[test]
fn each_step_of_the_client_has_a_deadline() {
    let mut connection = Connection::open();
    connection.assert_deadline(1);
    connection.receive(10);
    connection.assert_deadline(12);
    connection.complete_request(20);
    connection.assert_deadline(25);
    connection.receive(30);
    connection.assert_deadline(32);
}

#[test]
fn further_header_bytes_do_not_extend_the_header_timeout() {
    let mut connection = Connection::open();
    connection.receive(10);
    connection.receive(11);
    connection.assert_deadline(12);
}

#[test]
fn no_deadline_while_the_app_produces_a_response() {
    let mut connection = Connection::open();
    connection.receive(10);
    connection.state.begin();
    assert_eq!(connection.state.deadline(&LIMITS), None);
    // The request body, or a pipelined request.
    connection.receive(11);
    assert_eq!(connection.state.deadline(&LIMITS), None);
    connection.state.end(Awaiting::Server, connection.opened);
    connection.assert_deadline(5);
}

#[test]
fn each_response_chunk_has_its_own_deadline() {
    let mut connection = Connection::open();
    connection.state.begin();
    connection.pass(Awaiting::Server, Awaiting::Client, 10);
    connection.assert_deadline(14);
    connection.pass(Awaiting::Client, Awaiting::Client, 13);
    connection.assert_deadline(17);
    connection.pass(Awaiting::Client, Awaiting::Server, 13);
    assert_eq!(connection.state.deadline(&LIMITS), None);
}

#[test]
fn one_pending_response_suspends_the_deadlines_of_all_streams() {
    let mut connection = Connection::open();
    connection.state.begin();
    connection.state.begin();
    connection.pass(Awaiting::Server, Awaiting::Client, 10);
    assert_eq!(connection.state.deadline(&LIMITS), None);
    connection.state.end(Awaiting::Server, connection.at(10));
    connection.assert_deadline(14);
}

#[test]
fn http_2_frames_between_requests_start_no_header_timeout() {
    let mut connection = Connection::open();
    connection.receive(10);
    connection.state.sent(connection.at(11));
    connection.assert_deadline(16);
    connection.receive(12);
    connection.assert_deadline(16);
    connection.complete_request(20);
    connection.receive(21);
    connection.assert_deadline(25);
}

#[test]
fn http_1_response_is_not_taken_for_an_http_2_preface() {
    let mut connection = Connection::open();
    connection.receive(10);
    connection.complete_request(20);
    connection.receive(21);
    connection.state.sent(connection.at(22));
    connection.assert_deadline(23);
}

#[test]
fn close_lingers_only_after_an_unread_body() {
    let mut connection = Connection::open();
    connection.complete_request(10);
    assert!(!connection.state.begin_close(connection.at(11)));
    connection.state.leave_unread(UnreadBody::Undrainable);
    assert!(connection.state.begin_close(connection.at(12)));
    assert!(connection.state.begin_close(connection.at(13)));
    connection.assert_deadline(14);
}

#[test]
fn duration_max_disables_a_timeout() {
    let connection = Connection::open();
    let first_byte = Duration::MAX;
    let limits = Limits {
        first_byte,
        ..LIMITS
    };
    assert_eq!(connection.state.deadline(&limits), None);
}

#[test]
fn request_line_is_not_certain_after_a_body_or_a_pipelined_request() {
    let mut connection = Connection::open();
    assert!(connection.receive(1));
    connection.complete_request(2);
    assert!(connection.receive(3));
    connection.state.expect_body();
    connection.complete_request(4);
    assert!(!connection.receive(5));

    let mut connection = Connection::open();
    connection.state.begin();
    assert!(!connection.receive(1));
    connection.state.end(Awaiting::Server, connection.opened);
    assert!(!connection.receive(2));
}

#[test]
fn upgraded_connection_has_no_deadline_and_no_refusal() {
    let mut connection = Connection::open();
    connection.state.begin();
    connection.state.upgrade();
    connection.state.end(Awaiting::Server, connection.opened);
    assert_eq!(connection.state.deadline(&LIMITS), None);
    assert!(!connection.state.http1_awaits_server());
    assert!(!connection.state.refuse());
}
