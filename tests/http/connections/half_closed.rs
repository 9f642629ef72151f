//! Clients that close their sending side after a request, and clients that disconnect.

use std::io::Write;
use std::net::{Shutdown, TcpStream};
use std::sync::Arc;

use axum::Router;
use axum::body::Bytes;
use axum::routing::{get, post};
use resource_tests::polling::PATIENCE;
use resource_tests::{block_on, raw};
use tokio::sync::Notify;
use tokio::time::timeout;

use super::client::{GET, next_answer, read_until_closed};
use super::server::Server;
use super::{gated, hello, long_timeouts};

const POST: &[u8] = b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhello";

/// Sends a request, closes the sending side, and returns all bytes of the response.
fn exchange(server: &Server, request: &[u8]) -> Vec<u8> {
    let mut stream = server.connect();
    stream.write_all(request).unwrap();
    stream.shutdown(Shutdown::Write).unwrap();
    read_until_closed(&stream)
}

#[test]
fn a_half_closed_client_gets_its_response() {
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
fn a_half_closed_client_gets_a_slow_response() {
    let (app, gate) = gated();
    let server = Server::start(long_timeouts(), app);
    for version in ["1.0", "1.1"] {
        let mut stream = server.connect();
        let request = format!("GET / HTTP/{version}\r\nHost: a\r\n\r\n");
        stream.write_all(request.as_bytes()).unwrap();
        stream.shutdown(Shutdown::Write).unwrap();
        gate.wait_for_request();
        // The server sends the first byte of the response early, to find out whether the client is still there.
        stream.peek(&mut [0]).unwrap();
        gate.open();
        let answer = raw::parse(&read_until_closed(&stream));
        assert_eq!((answer.status, answer.text()), (200, "hello"));
    }
}

#[test]
fn pipelined_requests_of_a_half_closed_client_are_all_answered() {
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
fn a_truncated_body_of_a_half_closed_client_is_400() {
    let app = Router::new().route("/", post(async |body: Bytes| body));
    let server = Server::start(long_timeouts(), app);
    let answer = raw::parse(&exchange(&server, &POST[..POST.len() - 1]));
    assert_eq!(answer.status, 400);
}

/// Notifies when it is dropped.
struct Held(Arc<Notify>);

impl Drop for Held {
    fn drop(&mut self) {
        self.0.notify_one();
    }
}

/// A router that never responds, with the notifications that a request has arrived and that its handler was
/// cancelled.
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

/// Disconnects a client in one of several ways.
type Disconnect = fn(TcpStream);

#[test]
fn a_request_is_cancelled_when_its_client_disconnects() {
    let close: Disconnect = drop;
    let half_closed_first: Disconnect = |stream| {
        stream.shutdown(Shutdown::Write).unwrap();
        stream.peek(&mut [0]).unwrap();
    };
    let (app, arrived, given_up) = endless();
    let server = Server::start(long_timeouts(), app);
    for (unread, go) in [(false, close), (true, close), (false, half_closed_first)] {
        let mut stream = server.connect();
        if unread {
            // A connection that is closed with unread bytes is reset.
            stream
                .write_all(b"GET /none HTTP/1.1\r\nHost: a\r\n\r\n")
                .unwrap();
            stream.peek(&mut [0]).unwrap();
        }
        stream.write_all(GET).unwrap();
        wait_until(&arrived, "a request arrives");
        go(stream);
        wait_until(&given_up, "the request is cancelled");
    }
}
