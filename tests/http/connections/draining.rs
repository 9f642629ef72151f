//! Connections while the server drains: the next response of each announces that the connection closes.

use std::io::Write;

use axum::routing::get;
use resource_tests::polling::wait_for;

use super::client::{GET, next_answer, read_until_closed};
use super::http2::{assert_ok, assert_ok_and_gone, open, request};
use super::server::Server;
use super::{LONG, gated, hello, long_timeouts};

/// Signals the server to stop, and waits until responses announce it.
fn drain(server: &mut Server) {
    server.stop();
    wait_for("`Connection: close` in responses", || {
        let mut stream = server.connect();
        let request = b"GET /now HTTP/1.1\r\nHost: a\r\n\r\n";
        stream.write_all(request).unwrap();
        let answer = next_answer(&stream);
        (answer.header("connection") == Some("close")).then_some(())
    });
}

#[test]
fn a_draining_server_sends_connection_close_with_every_response() {
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
fn a_request_from_before_draining_is_answered_with_connection_close() {
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
fn a_draining_server_sends_goaway_with_the_next_http_2_response() {
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
