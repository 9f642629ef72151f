//! The end of the server: what it waits for, and what not.

use std::io::Write;
use std::time::Instant;

use super::client::{GET, read_answer, read_until_closed};
use super::server::Server;
use super::{SHORT, gated, hello, long_timeouts};

#[test]
fn idle_and_silent_connections_are_closed_at_once() {
    let mut server = Server::start(long_timeouts(), hello());
    let mut idle = server.connect();
    idle.write_all(GET).unwrap();
    read_answer(&idle, "hello");
    let silent = server.connect();
    let mut last = server.connect();
    last.write_all(GET).unwrap();
    // Connections are accepted in turn: so the silent one has been, too.
    read_answer(&last, "hello");
    server.stop();
    for stream in [idle, silent, last] {
        assert_eq!(read_until_closed(&stream), b"");
    }
    server.ended();
}

#[test]
fn a_request_in_flight_is_answered() {
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
fn a_request_in_flight_is_cut_off_after_the_grace() {
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
