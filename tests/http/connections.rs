//! Connections that are held open: each timeout of the server, with the others too long to matter.

mod client;
mod connection_limit;
mod draining;
mod half_closed;
mod http2;
mod server;
mod shutdown;
mod unread_bodies;

use std::io::{Read, Write};
use std::net::SocketAddr;
use std::sync::{Arc, Weak};
use std::thread;
use std::time::{Duration, Instant};

use axum::Router;
use axum::body::Bytes;
use axum::extract::ConnectInfo;
use axum::routing::get;
use resource_runtime::{Api, Database, ServeOptions};
use resource_tests::models::SettingOne;
use resource_tests::polling::{PATIENCE, wait_for};
use resource_tests::{TestDatabase, assert_error, block_on, raw};
use tokio::sync::Notify;
use tokio::time::timeout;

use client::{GET, read_answer, read_until_closed, stays_silent, trickle};
use server::Server;

const SHORT: Duration = Duration::from_millis(200);
const LONG: Duration = Duration::from_hours(1);

/// Options whose timeouts no test reaches.
fn long_timeouts() -> ServeOptions {
    ServeOptions::new()
        .first_byte_timeout(LONG)
        .header_timeout(LONG)
        .body_timeout(LONG)
        .response_timeout(LONG)
        .idle_timeout(LONG)
        .grace(LONG)
}

/// Options whose timeouts for clients are short; `grace` stays long.
fn short_timeouts() -> ServeOptions {
    long_timeouts()
        .first_byte_timeout(SHORT)
        .header_timeout(SHORT)
        .body_timeout(SHORT)
        .response_timeout(SHORT)
        .idle_timeout(SHORT)
}

fn hello() -> Router {
    Router::new().route("/", get(async || "hello"))
}

/// A gate at which requests wait until the test opens it.
#[derive(Default)]
struct Gate {
    arrived: Notify,
    open: Notify,
}

impl Gate {
    /// Waits until a request has arrived at the gate.
    fn wait_for_request(&self) {
        block_on(async { timeout(PATIENCE, self.arrived.notified()).await })
            .expect("a request arrives");
    }

    /// Lets one request through.
    fn open(&self) {
        self.open.notify_one();
    }
}

/// A router whose handler responds once the gate is opened.
fn gated() -> (Router, Arc<Gate>) {
    let gate = Arc::new(Gate::default());
    let waiting = Arc::clone(&gate);
    let answer = async move || {
        waiting.arrived.notify_one();
        waiting.open.notified().await;
        "hello"
    };
    (Router::new().route("/", get(answer)), gate)
}

#[test]
fn a_silent_connection_closes_after_the_first_byte_timeout() {
    let server = Server::start(long_timeouts().first_byte_timeout(SHORT), hello());
    let before = Instant::now();
    assert_eq!(read_until_closed(&server.connect()), b"");
    assert!(before.elapsed() >= SHORT);
}

#[test]
fn an_incomplete_head_closes_the_connection_after_the_header_timeout() {
    let server = Server::start(long_timeouts().header_timeout(SHORT), hello());
    for part in ["G", "GET / HTTP/1.1\r\nHost:", "PRI * HTTP/2.0\r\n\r\n"] {
        println!("{part}");
        let mut stream = server.connect();
        let before = Instant::now();
        stream.write_all(part.as_bytes()).unwrap();
        assert_eq!(read_until_closed(&stream), b"");
        assert!(before.elapsed() >= SHORT);
    }
}

#[test]
fn an_endless_head_closes_the_connection_after_the_header_timeout() {
    let server = Server::start(long_timeouts().header_timeout(SHORT), hello());
    let mut stream = server.connect();
    stream.write_all(b"GET / HTTP/1.1\r\n").unwrap();
    trickle(&stream, b"x: y\r\n");
    assert_eq!(read_until_closed(&stream), b"");
}

#[test]
fn the_header_timeout_applies_to_later_requests_of_a_connection() {
    let server = Server::start(long_timeouts().header_timeout(SHORT), hello());
    let mut stream = server.connect();
    stream.write_all(GET).unwrap();
    read_answer(&stream, "hello");
    stream.write_all(b"GET").unwrap();
    assert_eq!(read_until_closed(&stream), b"");
}

#[test]
fn only_the_idle_timeout_applies_to_an_idle_connection() {
    let options = short_timeouts().idle_timeout(LONG);
    let server = Server::start(options, hello());
    let mut stream = server.connect();
    for _ in 0..2 {
        stream.write_all(GET).unwrap();
        read_answer(&stream, "hello");
        assert!(stays_silent(&stream, SHORT * 3));
    }
}

#[test]
fn an_idle_connection_closes_after_the_idle_timeout() {
    let server = Server::start(long_timeouts().idle_timeout(SHORT), hello());
    let mut stream = server.connect();
    for _ in 0..2 {
        stream.write_all(GET).unwrap();
        read_answer(&stream, "hello");
    }
    let before = Instant::now();
    assert_eq!(read_until_closed(&stream), b"");
    assert!(before.elapsed() >= SHORT / 2);
}

#[test]
fn an_incomplete_body_is_400_10050_after_the_body_timeout() {
    let database = TestDatabase::default();
    let api = block_on(async {
        let database = Database::connect(&database.url()).await.unwrap();
        Api::builder().resource::<SettingOne>().build(database)
    });
    let server = Server::start(long_timeouts().body_timeout(SHORT), api.unwrap().router());
    let mut stream = server.connect();
    let head = "POST /api/1.0/settings HTTP/1.1\r\nHost: localhost\r\n\
                Content-Type: application/json\r\nContent-Length: 100000\r\n\r\n";
    stream.write_all(head.as_bytes()).unwrap();
    trickle(&stream, b" ");
    let answer = raw::parse(&read_until_closed(&stream));
    assert_error(&answer, 400, 10050).naming(&["within 0.2 seconds"]);
}

#[test]
fn a_response_reaches_a_client_that_still_sends_its_body() {
    let server = Server::start(long_timeouts(), hello());
    let mut stream = server.connect();
    let body = vec![b' '; 3_000_000];
    let length = body.len();
    let head = format!("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: {length}\r\n\r\n");
    stream.write_all(head.as_bytes()).unwrap();
    // The response has arrived; the server does not need the body.
    stream.peek(&mut [0]).unwrap();
    stream.write_all(&body).unwrap();
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).unwrap();
    assert_eq!(raw::parse(&answer).status, 405);
}

#[test]
fn a_client_that_keeps_sending_after_the_response_is_disconnected() {
    let server = Server::start(long_timeouts(), hello());
    let mut stream = server.connect();
    let head = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000000\r\n\r\n";
    stream.write_all(head.as_bytes()).unwrap();
    let part = vec![b' '; 64 * 1024];
    while stream.write_all(&part).is_ok() {}
}

#[test]
fn no_client_timeout_applies_while_the_handler_runs() {
    let (app, gate) = gated();
    let server = Server::start(short_timeouts(), app);
    let mut stream = server.connect();
    stream.write_all(GET).unwrap();
    assert!(stays_silent(&stream, SHORT * 3));
    gate.open();
    read_answer(&stream, "hello");
}

/// The bytes of a response, with a reference count of the responses in memory.
struct Payload {
    bytes: Vec<u8>,
    _held: Arc<()>,
}

impl AsRef<[u8]> for Payload {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}

/// A router that responds with this many bytes, and the reference that its responses hold while they are in memory.
fn large(bytes: usize) -> (Router, Weak<()>) {
    let held = Arc::new(());
    let observed = Arc::downgrade(&held);
    let answer = async move || {
        Bytes::from_owner(Payload {
            bytes: vec![b'x'; bytes],
            _held: Arc::clone(&held),
        })
    };
    (Router::new().route("/", get(answer)), observed)
}

/// Waits until no response is in memory: only the router still holds the reference.
fn wait_until_dropped(held: &Weak<()>) {
    wait_for("the response to be dropped", || {
        (held.strong_count() == 1).then_some(())
    });
}

/// More bytes than the buffers of two sockets hold.
const LARGE: usize = 48 * 1024 * 1024;

#[test]
fn a_response_that_is_not_read_is_aborted_after_the_answer_timeout() {
    let (app, held) = large(LARGE);
    let server = Server::start(long_timeouts().response_timeout(SHORT), app);
    let mut stream = server.connect();
    stream.write_all(GET).unwrap();
    stream.read_exact(&mut [0]).unwrap();
    wait_until_dropped(&held);
    assert!(read_until_closed(&stream).len() < LARGE);
}

#[test]
fn a_slowly_read_response_is_sent_completely() {
    let (app, _) = large(LARGE);
    let limit = Duration::from_secs(2);
    let server = Server::start(long_timeouts().response_timeout(limit), app);
    let mut stream = server.connect();
    let request = "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";
    stream.write_all(request.as_bytes()).unwrap();
    let before = Instant::now();
    let mut received = 0;
    let mut part = vec![0; 256 * 1024];
    while let count @ 1.. = stream.read(&mut part).unwrap() {
        received += count;
        // The sleep makes the client slow; it waits for nothing.
        if before.elapsed() < limit * 2 {
            thread::sleep(Duration::from_millis(20));
        }
    }
    assert!(received > LARGE);
    assert!(before.elapsed() > limit);
}

#[test]
fn a_handler_gets_the_peer_address() {
    let peer = async |ConnectInfo(peer): ConnectInfo<SocketAddr>| peer.to_string();
    let server = Server::start(long_timeouts(), Router::new().route("/", get(peer)));
    let mut stream = server.connect();
    stream.write_all(GET).unwrap();
    read_answer(&stream, &stream.local_addr().unwrap().to_string());
}
