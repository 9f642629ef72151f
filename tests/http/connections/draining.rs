//! Connections while the service is about to stop: each is told so with its next answer.

use std::io::Write;

use axum::routing::get;
use resource_tests::patience::wait_for;

use super::client::{GET, next_answer, read_until_closed};
use super::http2::{assert_ok, assert_ok_and_gone, open, request};
use super::server::Server;
use super::{LONG, gated, hello, long_timeouts};

/// Asks it to stop, and waits until it tells.
fn drain(server: &mut Server) {
    server.stop();
    wait_for("answers to say so", || {
        let mut stream = server.connect();
        let request = b"GET /now HTTP/1.1\r\nHost: a\r\n\r\n";
        stream.write_all(request).unwrap();
        let answer = next_answer(&stream);
        (answer.header("connection") == Some("close")).then_some(())
    });
}

#[test]
fn every_answer_says_that_the_connection_closes() {
    let mut server = Server::start(long_timeouts().drain(LONG), hello());
    let mut kept = server.connect();
    kept.write_all(GET).unwrap();
    assert_eq!(next_answer(&kept).header("connection"), None);
    drain(&mut server);
    for mut stream in [kept, server.connect()] {
        stream.write_all(GET).unwrap();
        let answer = next_answer(&stream);
        assert_eq!(answer.text(), "hello");
        assert_eq!(answer.header("connection"), Some("close"));
        assert_eq!(read_until_closed(&stream), b"");
    }
    server.abandon();
}

#[test]
fn what_was_asked_before_is_answered_so_too() {
    let (app, gate) = gated();
    let app = app.route("/now", get(async || "hello"));
    let mut server = Server::start(long_timeouts().drain(LONG), app);
    let mut stream = server.connect();
    stream.write_all(GET).unwrap();
    gate.wait_for_request();
    let (multiplexed, _) = open(&server, &[]);
    request(&multiplexed, 1);
    gate.wait_for_request();
    drain(&mut server);
    gate.open();
    gate.open();
    assert_eq!(next_answer(&stream).header("connection"), Some("close"));
    assert_ok_and_gone(&multiplexed);
    server.abandon();
}

#[test]
fn a_connection_of_http_2_goes_away_with_its_answer() {
    let mut server = Server::start(long_timeouts().drain(LONG), hello());
    let (kept, _) = open(&server, &[]);
    request(&kept, 1);
    assert_ok(&kept);
    drain(&mut server);
    let (new, _) = open(&server, &[]);
    for (stream, id) in [(kept, 3), (new, 1)] {
        request(&stream, id);
        assert_ok_and_gone(&stream);
    }
    server.abandon();
}
