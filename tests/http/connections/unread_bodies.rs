//! Requests that are answered before their body has been read to its end.

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

/// A router with a handler that responds without reading the body, and one that reads it.
fn early_response() -> Router {
    Router::new()
        .route("/", get(async || "hello"))
        .route("/read", post(async |_: Bytes| "read"))
}

fn head_only(method: &str, length: usize) -> Vec<u8> {
    format!("{method} / HTTP/1.1\r\nHost: a\r\nContent-Length: {length}\r\n\r\n").into_bytes()
}

fn complete(method: &str, length: usize) -> Vec<u8> {
    [head_only(method, length), vec![b' '; length]].concat()
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

fn announces_close(answer: &Answer) -> bool {
    answer.header("connection") == Some("close")
}

/// Asserts that the response announces `Connection: close` and that the connection closes.
#[track_caller]
fn assert_closes(stream: &TcpStream, status: u16) {
    let answer = next_answer(stream);
    assert_eq!(answer.status, status);
    assert!(announces_close(&answer), "{:?}", answer.headers);
    assert_eq!(read_until_closed(stream), b"");
}

#[test]
fn an_unread_body_of_up_to_64_kib_keeps_the_connection() {
    let server = Server::start(long_timeouts(), hello());
    let mut stream = server.connect();
    let little = 40 * 1024;
    for (request, status) in [
        (complete("POST", 1), 405),
        (complete("POST", little), 405),
        (complete("GET", little), 200),
        (chunked("POST", little), 405),
        (chunked("GET", little), 200),
        (complete("POST", 64 * 1024), 405),
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
fn a_content_length_over_64_kib_gets_connection_close_at_once() {
    let server = Server::start(long_timeouts(), hello());
    for (method, status) in [("POST", 405), ("GET", 200)] {
        let mut stream = server.connect();
        let length = 64 * 1024 + 1;
        stream.write_all(&head_only(method, length)).unwrap();
        let answer = next_answer(&stream);
        assert_eq!(answer.status, status);
        assert!(announces_close(&answer), "{:?}", answer.headers);
        stream.write_all(&vec![b' '; length]).unwrap();
        assert_eq!(read_until_closed(&stream), b"");
    }
}

#[test]
fn a_long_unread_chunked_body_gets_connection_close() {
    let server = Server::start(long_timeouts(), hello());
    for (method, status) in [("POST", 405), ("GET", 200)] {
        let mut stream = server.connect();
        stream.write_all(&chunked(method, 128 * 1024)).unwrap();
        assert_closes(&stream, status);
    }
}

#[test]
fn an_incomplete_unread_body_gets_connection_close() {
    let server = Server::start(long_timeouts(), hello());
    let mut stream = server.connect();
    stream.write_all(&head_only("POST", 1024)).unwrap();
    assert_closes(&stream, 405);
}

#[test]
fn a_refused_body_gets_no_100_continue() {
    let server = Server::start(long_timeouts(), early_response());
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
    assert_eq!((answer.status, announces_close(&answer)), (200, false));
}

#[test]
fn an_invalid_chunk_gets_connection_close() {
    let server = Server::start(long_timeouts(), early_response());
    let mut stream = server.connect();
    let head = b"POST /read HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nnone\r\n";
    stream.write_all(head).unwrap();
    assert_closes(&stream, 400);
}

#[test]
fn an_http_1_0_keep_alive_client_gets_connection_close_for_a_long_body() {
    let server = Server::start(long_timeouts(), hello());
    let kept = "HTTP/1.0\r\nConnection: keep-alive\r\n";
    let mut stream = server.connect();
    for length in [1, 64 * 1024 + 1] {
        let head = format!("POST / {kept}Content-Length: {length}\r\n\r\n");
        stream.write_all(head.as_bytes()).unwrap();
        stream.write_all(&vec![b' '; length]).unwrap();
        let answer = next_answer(&stream);
        assert_eq!(announces_close(&answer), length > 1, "{:?}", answer.headers);
        assert_eq!(answer.headers.get_all("connection").iter().count(), 1);
    }
    assert_eq!(read_until_closed(&stream), b"");
}

#[test]
fn a_body_held_beyond_its_response_does_not_hold_the_connection() {
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
    stream.write_all(&head_only("POST", 10)).unwrap();
    assert_eq!(next_answer(&stream).status, 200);
    let_go.notify_one();
    assert_eq!(read_until_closed(&stream), b"");
}
