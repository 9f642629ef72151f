//! Bytes on a connection: for requests that no HTTP client would send.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};

use axum::http::{HeaderName, HeaderValue};

use crate::Answer;
use crate::polling::PATIENCE;
use crate::recording::{self, Request};
use crate::watch;

/// A connection whose reads time out after `PATIENCE`.
#[must_use]
pub fn connect(address: SocketAddr) -> TcpStream {
    let stream = TcpStream::connect(address).expect("a connection");
    stream
        .set_read_timeout(Some(PATIENCE))
        .expect("a time limit");
    stream
}

/// Sends the bytes and reads until the server closes: nothing, or the bytes of its response.
///
/// A server may respond and close before it has read everything, which does not fail the test.
#[must_use]
pub fn exchange(address: SocketAddr, request: &[u8]) -> Vec<u8> {
    let mut stream = connect(address);
    let _ = stream.write_all(request);
    read_to_end(stream)
}

/// Sends the bytes to a server that may have ended; `None` then.
#[must_use]
pub(crate) fn try_exchange(address: SocketAddr, request: &[u8]) -> Option<Vec<u8>> {
    let mut stream = TcpStream::connect(address).ok()?;
    stream.set_read_timeout(Some(PATIENCE)).ok()?;
    stream.write_all(request).ok()?;
    Some(read_to_end(stream)).filter(|bytes| !bytes.is_empty())
}

/// Sends a whole request head of these lines, with `Connection: close`, and the body after it.
#[must_use]
#[track_caller]
pub fn send(address: SocketAddr, head: &[&str], body: &[u8]) -> Answer {
    let mut request = format!("{}\r\nConnection: close\r\n\r\n", head.join("\r\n")).into_bytes();
    request.extend_from_slice(body);
    watch::sent(&request);
    let answer = parse(&exchange(address, &request));
    watch::answered(&answer);
    recording::note(Request::Raw(&request), &address.to_string(), &answer);
    answer
}

/// Reads until the server closes or resets the connection.
#[must_use]
pub fn read_to_end(mut stream: TcpStream) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut chunk = [0; 4096];
    while let Ok(count) = stream.read(&mut chunk) {
        if count == 0 {
            break;
        }
        bytes.extend_from_slice(&chunk[..count]);
    }
    bytes
}

/// Parses the bytes of a response.
#[must_use]
#[track_caller]
pub fn parse(bytes: &[u8]) -> Answer {
    let end = bytes
        .windows(4)
        .position(|window| window == b"\r\n\r\n")
        .expect("a head in the answer");
    let head = std::str::from_utf8(&bytes[..end]).expect("a readable head");
    let mut lines = head.split("\r\n");
    let status = lines
        .next()
        .and_then(|line| line.split(' ').nth(1))
        .expect("a status");
    Answer {
        status: status.parse().expect("a number"),
        headers: lines.map(header).collect(),
        body: bytes[end + 4..].to_vec(),
    }
}

fn header(line: &str) -> (HeaderName, HeaderValue) {
    let (name, value) = line.split_once(':').expect("a header");
    (
        name.parse().expect("a header's name"),
        value.trim().parse().expect("a header's value"),
    )
}
