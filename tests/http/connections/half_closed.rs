//! Clients that close their sending side after a request, and clients that are gone.

use std::io::Write;
use std::net::{Shutdown, TcpStream};
use std::sync::Arc;

use axum::Router;
use axum::body::Bytes;
use axum::routing::{get, post};
use resource_tests::patience::PATIENCE;
use resource_tests::{block_on, raw};
use tokio::sync::Notify;
use tokio::time::timeout;

use super::client::{GET, next_answer, read_until_closed};
use super::server::Server;
use super::{gated, hello, long_timeouts};

const POST: &[u8] = b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhello";

/// All that comes after the client has sent this, and that it sends no more.
fn exchange(server: &Server, request: &[u8]) -> Vec<u8> {
    let mut stream = server.connect();
    stream.write_all(request).unwrap();
    stream.shutdown(Shutdown::Write).unwrap();
    read_until_closed(&stream)
}

#[test]
fn who_sends_no_more_is_answered() {
    let echo = async |body: Bytes| body;
    let app = hello().route("/", post(echo));
    let server = Server::start(long_timeouts(), app);
    let old = b"GET / HTTP/1.0\r\n\r\n";
    for request in [GET, POST, old] {
        for _ in 0..30 {
            let answer = raw::parse(&exchange(&server, request));
            assert_eq!((answer.status, answer.text()), (200, "hello"));
        }
    }
}

#[test]
fn who_sends_no_more_is_answered_however_long_it_takes() {
    let (app, gate) = gated();
    let server = Server::start(long_timeouts(), app);
    for version in ["1.0", "1.1"] {
        let mut stream = server.connect();
        let request = format!("GET / HTTP/{version}\r\nHost: a\r\n\r\n");
        stream.write_all(request.as_bytes()).unwrap();
        stream.shutdown(Shutdown::Write).unwrap();
        gate.wait_for_request();
        // By its first letter the service finds out whether somebody is there.
        stream.peek(&mut [0]).unwrap();
        gate.open();
        let answer = raw::parse(&read_until_closed(&stream));
        assert_eq!((answer.status, answer.text()), (200, "hello"));
    }
}

#[test]
fn all_requests_are_answered_that_came_before_the_end() {
    let server = Server::start(long_timeouts(), hello());
    let mut stream = server.connect();
    stream.write_all(&GET.repeat(3)).unwrap();
    stream.shutdown(Shutdown::Write).unwrap();
    for _ in 0..3 {
        assert_eq!(next_answer(&stream).text(), "hello");
    }
    assert_eq!(read_until_closed(&stream), b"");
}

#[test]
fn a_body_that_ends_too_early_is_told_so() {
    let app = Router::new().route("/", post(async |body: Bytes| body));
    let server = Server::start(long_timeouts(), app);
    let answer = raw::parse(&exchange(&server, &POST[..POST.len() - 1]));
    assert_eq!(answer.status, 400);
}

/// Tells when it is dropped.
struct Held(Arc<Notify>);

impl Drop for Held {
    fn drop(&mut self) {
        self.0.notify_one();
    }
}

/// An app that never answers, what tells that a request has come, and that one was given up.
fn endless() -> (Router, Arc<Notify>, Arc<Notify>) {
    let (arrived, given_up) = (Arc::new(Notify::new()), Arc::new(Notify::new()));
    let (tell, held) = (Arc::clone(&arrived), Arc::clone(&given_up));
    let answer = async move || {
        let _held = Held(held);
        tell.notify_one();
        std::future::pending::<()>().await;
    };
    (Router::new().route("/", get(answer)), arrived, given_up)
}

#[track_caller]
fn wait_until(notified: &Notify, what: &str) {
    block_on(async { timeout(PATIENCE, notified.notified()).await }).expect(what);
}

/// Ends a connection in one of the ways in which clients go.
type Going = fn(TcpStream);

#[test]
fn what_nobody_waits_for_is_given_up() {
    let close: Going = drop;
    let half_closed_first: Going = |stream| {
        stream.shutdown(Shutdown::Write).unwrap();
        stream.peek(&mut [0]).unwrap();
    };
    let (app, arrived, given_up) = endless();
    let server = Server::start(long_timeouts(), app);
    for (unread, go) in [(false, close), (true, close), (false, half_closed_first)] {
        let mut stream = server.connect();
        if unread {
            // What is closed with something unread is reset.
            stream
                .write_all(b"GET /none HTTP/1.1\r\nHost: a\r\n\r\n")
                .unwrap();
            stream.peek(&mut [0]).unwrap();
        }
        stream.write_all(GET).unwrap();
        wait_until(&arrived, "a request arrives");
        go(stream);
        wait_until(&given_up, "the request is given up");
    }
}
