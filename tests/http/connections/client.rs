//! Client side of a connection: requests sent byte by byte, and checks of the responses.

use std::io::{ErrorKind, Read, Write};
use std::net::TcpStream;
use std::time::Duration;

use resource_tests::polling::PATIENCE;
use resource_tests::{Answer, raw};

/// A request after which the connection stays open.
pub(crate) const GET: &[u8] = b"GET / HTTP/1.1\r\nHost: a\r\n\r\n";

/// Reads until the server closes the connection, or resets it because it has not read all requests.
#[track_caller]
pub(crate) fn read_until_closed(mut stream: &TcpStream) -> Vec<u8> {
    let mut bytes = Vec::new();
    match stream.read_to_end(&mut bytes) {
        Ok(_) => {}
        Err(error) if error.kind() == ErrorKind::ConnectionReset => {}
        Err(error) => panic!("the server has not closed: {error}"),
    }
    bytes
}

/// Reads one response, which must be 200 with this body; no bytes may follow it.
#[track_caller]
pub(crate) fn read_answer(mut stream: &TcpStream, body: &str) {
    let end = format!("\r\n\r\n{body}");
    let mut bytes = Vec::new();
    while !bytes.ends_with(end.as_bytes()) {
        let mut part = [0; 1024];
        let count = stream.read(&mut part).expect("the rest of a response");
        assert!(count > 0, "closed after {}", bytes.escape_ascii());
        bytes.extend_from_slice(&part[..count]);
    }
    assert!(bytes.starts_with(b"HTTP/1.1 200 OK\r\n"));
}

/// Returns true if no byte arrives for this long and the connection stays open; an arriving byte is left
/// unread.
pub(crate) fn stays_silent(stream: &TcpStream, time: Duration) -> bool {
    stream.set_read_timeout(Some(time)).unwrap();
    let peeked = stream.peek(&mut [0]);
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    peeked.is_err_and(|error| matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut))
}

/// Sends these bytes one by one, repeatedly, until the server responds or closes the connection.
pub(crate) fn trickle(mut stream: &TcpStream, bytes: &[u8]) {
    for byte in bytes.iter().cycle() {
        let sent = stream.write_all(&[*byte]);
        if sent.is_err() || !stays_silent(stream, Duration::from_millis(10)) {
            return;
        }
    }
}

/// Reads the next response, whose body has the length of its `Content-Length`.
#[track_caller]
pub(crate) fn next_answer(mut stream: &TcpStream) -> Answer {
    let mut bytes = Vec::new();
    while !bytes.ends_with(b"\r\n\r\n") {
        let mut byte = [0];
        let count = stream.read(&mut byte).expect("the rest of a head");
        assert!(count > 0, "closed after {}", bytes.escape_ascii());
        bytes.push(byte[0]);
    }
    let mut answer = raw::parse(&bytes);
    let length = answer.header("content-length").map_or(0, |length| {
        length.parse().expect("a numeric Content-Length")
    });
    answer.body = vec![0; length];
    stream.read_exact(&mut answer.body).expect("the whole body");
    answer
}
