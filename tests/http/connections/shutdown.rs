//! Shutdown of the server: it waits for requests in flight, not for idle connections.

use std::io::Write;
use std::time::Instant;

use super::client::{GET, read_answer, read_until_closed};
use super::server::Server;
use super::{SHORT, gated, hello, long_timeouts};

#[test]
fn idle_and_silent_connections_close_at_once_on_shutdown() {
    let mut server = Server::start(long_timeouts(), hello());
    let mut idle = server.connect();
    idle.write_all(GET).unwrap();
    read_answer(&idle, "hello");
    let silent = server.connect();
    let mut last = server.connect();
    last.write_all(GET).unwrap();
    // Connections are accepted in order, so the silent one has been accepted, too.
    read_answer(&last, "hello");
    server.stop();
    for stream in [idle, silent, last] {
        assert_eq!(read_until_closed(&stream), b"");
    }
    server.ended();
}

#[test]
fn a_request_in_flight_is_answered_before_shutdown() {
    let (app, gate) = gated();
    let mut server = Server::start(long_timeouts(), app);
    let silent = server.connect();
    let mut stream = server.connect();
    stream.write_all(GET).unwrap();
    gate.wait_for_request();
    server.stop();
    assert_eq!(read_until_closed(&silent), b"");
    gate.open();
    assert!(read_until_closed(&stream).ends_with(b"\r\n\r\nhello"));
    server.ended();
}

#[test]
fn a_request_in_flight_is_aborted_after_the_grace_period() {
    let (app, gate) = gated();
    let mut server = Server::start(long_timeouts().grace(SHORT), app);
    let mut stream = server.connect();
    stream.write_all(GET).unwrap();
    gate.wait_for_request();
    let before = Instant::now();
    server.stop();
    assert_eq!(read_until_closed(&stream), b"");
    assert!(before.elapsed() >= SHORT);
    server.ended();
}
