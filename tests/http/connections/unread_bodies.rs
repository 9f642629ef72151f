//! Requests that are answered before their body was read to its end.

use std::io::Write;
use std::net::TcpStream;
use std::sync::Arc;

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::routing::{get, post};
use resource_tests::Answer;
use tokio::sync::Notify;

use super::client::{GET, next_answer, read_answer, read_until_closed};
use super::server::Server;
use super::{hello, long_timeouts};

/// An app that answers before it reads.
fn hasty() -> Router {
    Router::new()
        .route("/", get(async || "hello"))
        .route("/read", post(async |_: Bytes| "read"))
}

fn announced(method: &str, length: usize) -> Vec<u8> {
    format!("{method} / HTTP/1.1\r\nHost: a\r\nContent-Length: {length}\r\n\r\n").into_bytes()
}

fn whole(method: &str, length: usize) -> Vec<u8> {
    [announced(method, length), vec![b' '; length]].concat()
}

fn chunked(method: &str, length: usize) -> Vec<u8> {
    let head = format!("{method} / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n");
    let chunk = [b"400\r\n".to_vec(), vec![b' '; 1024], b"\r\n".to_vec()].concat();
    [
        head.into_bytes(),
        chunk.repeat(length / 1024),
        b"0\r\n\r\n".to_vec(),
    ]
    .concat()
}

fn says_close(answer: &Answer) -> bool {
    answer.header("connection") == Some("close")
}

/// The answer says that the connection closes, and it does.
#[track_caller]
fn assert_closes(stream: &TcpStream, status: u16) {
    let answer = next_answer(stream);
    assert_eq!(answer.status, status);
    assert!(says_close(&answer), "{:?}", answer.headers);
    assert_eq!(read_until_closed(stream), b"");
}

#[test]
fn who_has_little_left_to_send_keeps_the_connection() {
    let server = Server::start(long_timeouts(), hello());
    let mut stream = server.connect();
    let little = 40 * 1024;
    for (request, status) in [
        (whole("POST", 1), 405),
        (whole("POST", little), 405),
        (whole("GET", little), 200),
        (chunked("POST", little), 405),
        (chunked("GET", little), 200),
        (whole("POST", 64 * 1024), 405),
    ] {
        for _ in 0..10 {
            stream.write_all(&request).unwrap();
            let answer = next_answer(&stream);
            assert_eq!(answer.status, status);
            assert_eq!(answer.header("connection"), None);
        }
    }
    stream.write_all(GET).unwrap();
    read_answer(&stream, "hello");
}

#[test]
fn who_announces_much_is_told_at_once_that_the_connection_closes() {
    let server = Server::start(long_timeouts(), hello());
    for (method, status) in [("POST", 405), ("GET", 200)] {
        let mut stream = server.connect();
        let length = 64 * 1024 + 1;
        stream.write_all(&announced(method, length)).unwrap();
        let answer = next_answer(&stream);
        assert_eq!(answer.status, status);
        assert!(says_close(&answer), "{:?}", answer.headers);
        stream.write_all(&vec![b' '; length]).unwrap();
        assert_eq!(read_until_closed(&stream), b"");
    }
}

#[test]
fn who_sends_much_without_announcing_it_is_told_that_the_connection_closes() {
    let server = Server::start(long_timeouts(), hello());
    for (method, status) in [("POST", 405), ("GET", 200)] {
        let mut stream = server.connect();
        stream.write_all(&chunked(method, 128 * 1024)).unwrap();
        assert_closes(&stream, status);
    }
}

#[test]
fn who_stops_sending_is_answered_and_told_that_the_connection_closes() {
    let server = Server::start(long_timeouts(), hello());
    let mut stream = server.connect();
    stream.write_all(&announced("POST", 1024)).unwrap();
    assert_closes(&stream, 405);
}

#[test]
fn nobody_is_asked_for_a_body_that_is_refused() {
    let server = Server::start(long_timeouts(), hasty());
    let asking = |path: &str| {
        let head = format!(
            "POST {path} HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nExpect: 100-continue\r\n\r\n"
        );
        let mut stream = server.connect();
        stream.write_all(head.as_bytes()).unwrap();
        stream
    };
    assert_closes(&asking("/"), 405);
    let mut stream = asking("/read");
    assert_eq!(next_answer(&stream).status, 100);
    stream.write_all(b"abc").unwrap();
    let answer = next_answer(&stream);
    assert_eq!((answer.status, says_close(&answer)), (200, false));
}

#[test]
fn who_sends_no_sound_chunk_is_told_that_the_connection_closes() {
    let server = Server::start(long_timeouts(), hasty());
    let mut stream = server.connect();
    let head = b"POST /read HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nnone\r\n";
    stream.write_all(head).unwrap();
    assert_closes(&stream, 400);
}

#[test]
fn a_client_of_http_1_0_that_would_keep_the_connection_is_told_so_too() {
    let server = Server::start(long_timeouts(), hello());
    let kept = "HTTP/1.0\r\nConnection: keep-alive\r\n";
    let mut stream = server.connect();
    for length in [1, 64 * 1024 + 1] {
        let head = format!("POST / {kept}Content-Length: {length}\r\n\r\n");
        stream.write_all(head.as_bytes()).unwrap();
        stream.write_all(&vec![b' '; length]).unwrap();
        let answer = next_answer(&stream);
        assert_eq!(says_close(&answer), length > 1, "{:?}", answer.headers);
        assert_eq!(answer.headers.get_all("connection").iter().count(), 1);
    }
    assert_eq!(read_until_closed(&stream), b"");
}

#[test]
fn a_body_that_is_kept_beyond_its_answer_does_not_hold_the_connection() {
    let let_go = Arc::new(Notify::new());
    let keep = async |State(let_go): State<Arc<Notify>>, body: Body| {
        tokio::spawn(async move {
            let_go.notified().await;
            drop(body);
        });
        "hello"
    };
    let app = Router::new().route("/", post(keep));
    let server = Server::start(long_timeouts(), app.with_state(Arc::clone(&let_go)));
    let mut stream = server.connect();
    stream.write_all(&announced("POST", 10)).unwrap();
    assert_eq!(next_answer(&stream).status, 200);
    let_go.notify_one();
    assert_eq!(read_until_closed(&stream), b"");
}
