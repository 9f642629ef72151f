//! Messages that are not HTTP as its standards have it, and those that are it in an unusual form.

mod framing;
mod host_header;
mod http2;
mod http_versions;
mod rejected_by_hyper;
mod request_targets;

use std::io::{Read, Write};
use std::net::Shutdown;

use resource_tests::{Answer, Client, Description, assert_error, raw};

/// The bytes of all answers until the server closes, which it must do by itself.
#[track_caller]
fn closed_after(service: &Client, request: &[u8]) -> Vec<u8> {
    let mut stream = raw::connect(service.address());
    stream.write_all(request).unwrap();
    let mut bytes = Vec::new();
    stream.read_to_end(&mut bytes).expect("the server closes");
    let _ = stream.shutdown(Shutdown::Both);
    bytes
}

/// The request is answered with this error and all that every answer has, and the connection is closed.
#[track_caller]
fn assert_refused(service: &Client, request: &[u8], status: u16, code: u16) -> Description {
    let answer = raw::parse(&closed_after(service, request));
    let description = assert_error(&answer, status, code);
    assert_whole(&answer);
    description
}

#[track_caller]
fn assert_whole(answer: &Answer) {
    assert!(!answer.header("x-request-id").expect("a name").is_empty());
    assert!(answer.header("date").is_some());
    let length = answer.body.len().to_string();
    for (name, value) in [
        ("x-content-type-options", "nosniff"),
        ("content-length", &length),
        ("connection", "close"),
        ("vary", "Accept"),
        ("cache-control", "no-store"),
    ] {
        assert_eq!(answer.header(name), Some(value), "{name}: {answer:?}");
    }
}

/// The status of what is answered to these lines of a head, and an empty line.
#[track_caller]
fn status(service: &Client, head: &[&str]) -> u16 {
    raw::send(service.address(), head, b"").status
}
