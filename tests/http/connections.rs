//! Connections that are held open: each limit of the server, with the others out of the way.

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
use resource_tests::patience::{PATIENCE, wait_for};
use resource_tests::{TestDatabase, assert_error, block_on, raw};
use tokio::sync::Notify;
use tokio::time::timeout;

use client::{GET, read_answer, read_until_closed, stays_silent, trickle};
use server::Server;

const SHORT: Duration = Duration::from_millis(200);
const LONG: Duration = Duration::from_hours(1);

/// No limit is reached within a test.
fn unhurried() -> ServeOptions {
    ServeOptions::new()
        .first_byte_timeout(LONG)
        .header_timeout(LONG)
        .body_timeout(LONG)
        .answer_timeout(LONG)
        .idle_timeout(LONG)
        .grace(LONG)
}

/// All limits of a client are short.
fn hurried() -> ServeOptions {
    unhurried()
        .first_byte_timeout(SHORT)
        .header_timeout(SHORT)
        .body_timeout(SHORT)
        .answer_timeout(SHORT)
        .idle_timeout(SHORT)
}

fn hello() -> Router {
    Router::new().route("/", get(async || "hello"))
}

/// A place at which requests wait.
#[derive(Default)]
struct Gate {
    arrived: Notify,
    open: Notify,
}

impl Gate {
    /// Waits until a request waits here.
    fn wait_for_request(&self) {
        block_on(async { timeout(PATIENCE, self.arrived.notified()).await })
            .expect("a request arrives");
    }

    /// Lets one request through.
    fn open(&self) {
        self.open.notify_one();
    }
}

/// An app that answers once it is told to.
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
fn a_silent_connection_is_closed() {
    let server = Server::start(unhurried().first_byte_timeout(SHORT), hello());
    let before = Instant::now();
    assert_eq!(read_until_closed(&server.connect()), b"");
    assert!(before.elapsed() >= SHORT);
}

#[test]
fn a_head_that_stops_is_closed() {
    let server = Server::start(unhurried().header_timeout(SHORT), hello());
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
fn a_head_that_never_ends_is_closed_however_steadily_it_comes() {
    let server = Server::start(unhurried().header_timeout(SHORT), hello());
    let mut stream = server.connect();
    stream.write_all(b"GET / HTTP/1.1\r\n").unwrap();
    trickle(&stream, b"x: y\r\n");
    assert_eq!(read_until_closed(&stream), b"");
}

#[test]
fn a_second_head_that_stops_is_closed_too() {
    let server = Server::start(unhurried().header_timeout(SHORT), hello());
    let mut stream = server.connect();
    stream.write_all(GET).unwrap();
    read_answer(&stream, "hello");
    stream.write_all(b"GET").unwrap();
    assert_eq!(read_until_closed(&stream), b"");
}

#[test]
fn an_idle_connection_is_kept_for_its_own_time() {
    let options = hurried().idle_timeout(LONG);
    let server = Server::start(options, hello());
    let mut stream = server.connect();
    for _ in 0..2 {
        stream.write_all(GET).unwrap();
        read_answer(&stream, "hello");
        assert!(stays_silent(&stream, SHORT * 3));
    }
}

#[test]
fn an_idle_connection_is_closed_in_the_end() {
    let server = Server::start(unhurried().idle_timeout(SHORT), hello());
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
fn a_body_that_never_ends_is_told_so() {
    let database = TestDatabase::default();
    let api = block_on(async {
        let database = Database::connect(&database.url()).await.unwrap();
        Api::builder().resource::<SettingOne>().build(database)
    });
    let server = Server::start(unhurried().body_timeout(SHORT), api.unwrap().router());
    let mut stream = server.connect();
    let head = "POST /api/1.0/settings HTTP/1.1\r\nHost: localhost\r\n\
                Content-Type: application/json\r\nContent-Length: 100000\r\n\r\n";
    stream.write_all(head.as_bytes()).unwrap();
    trickle(&stream, b" ");
    let answer = raw::parse(&read_until_closed(&stream));
    assert_error(&answer, 400, 10050).naming(&["within 0.2 seconds"]);
}

#[test]
fn an_answer_reaches_who_is_still_sending() {
    let server = Server::start(unhurried(), hello());
    let mut stream = server.connect();
    let body = vec![b' '; 3_000_000];
    let length = body.len();
    let head = format!("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: {length}\r\n\r\n");
    stream.write_all(head.as_bytes()).unwrap();
    // It is answered, and the server has no use for the body.
    stream.peek(&mut [0]).unwrap();
    stream.write_all(&body).unwrap();
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).unwrap();
    assert_eq!(raw::parse(&answer).status, 405);
}

#[test]
fn who_goes_on_sending_after_the_answer_is_closed() {
    let server = Server::start(unhurried(), hello());
    let mut stream = server.connect();
    let head = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000000\r\n\r\n";
    stream.write_all(head.as_bytes()).unwrap();
    let part = vec![b' '; 64 * 1024];
    while stream.write_all(&part).is_ok() {}
}

#[test]
fn a_service_may_take_its_time() {
    let (app, gate) = gated();
    let server = Server::start(hurried(), app);
    let mut stream = server.connect();
    stream.write_all(GET).unwrap();
    assert!(stays_silent(&stream, SHORT * 3));
    gate.open();
    read_answer(&stream, "hello");
}

/// The bytes of an answer, and what counts how many such are in memory.
struct Payload {
    bytes: Vec<u8>,
    _held: Arc<()>,
}

impl AsRef<[u8]> for Payload {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}

/// An app that answers with as many bytes, and what its answers hold while they are in memory.
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

/// Waits until no answer is in memory: the app alone holds what they would.
fn wait_until_given_up(held: &Weak<()>) {
    wait_for("the answer to be given up", || {
        (held.strong_count() == 1).then_some(())
    });
}

/// More than the buffers of two sockets hold.
const LARGE: usize = 48 * 1024 * 1024;

#[test]
fn an_answer_that_nobody_takes_is_given_up() {
    let (app, held) = large(LARGE);
    let server = Server::start(unhurried().answer_timeout(SHORT), app);
    let mut stream = server.connect();
    stream.write_all(GET).unwrap();
    stream.read_exact(&mut [0]).unwrap();
    wait_until_given_up(&held);
    assert!(read_until_closed(&stream).len() < LARGE);
}

#[test]
fn an_answer_that_is_taken_slowly_is_sent_to_the_end() {
    let (app, _) = large(LARGE);
    let limit = Duration::from_secs(2);
    let server = Server::start(unhurried().answer_timeout(limit), app);
    let mut stream = server.connect();
    let request = "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";
    stream.write_all(request.as_bytes()).unwrap();
    let before = Instant::now();
    let mut received = 0;
    let mut part = vec![0; 256 * 1024];
    while let count @ 1.. = stream.read(&mut part).unwrap() {
        received += count;
        // This is what a slow client is, not a wait for anything.
        if before.elapsed() < limit * 2 {
            thread::sleep(Duration::from_millis(20));
        }
    }
    assert!(received > LARGE);
    assert!(before.elapsed() > limit);
}

#[test]
fn a_request_knows_its_peer() {
    let peer = async |ConnectInfo(peer): ConnectInfo<SocketAddr>| peer.to_string();
    let server = Server::start(unhurried(), Router::new().route("/", get(peer)));
    let mut stream = server.connect();
    stream.write_all(GET).unwrap();
    read_answer(&stream, &stream.local_addr().unwrap().to_string());
}
