//! Messages that violate the HTTP standards, and valid ones in an unusual form.

mod framing;
mod host_header;
mod http2;
mod http_versions;
mod rejected_by_hyper;
mod request_targets;

use std::io::{Read, Write};
use std::net::Shutdown;

use resource_tests::{Answer, Client, Description, assert_error, raw};

/// The bytes of all responses until the server closes the connection, which it must do unprompted.
#[track_caller]
fn responses_until_closed(service: &Client, request: &[u8]) -> Vec<u8> {
    let mut stream = raw::connect(service.address());
    stream.write_all(request).unwrap();
    let mut bytes = Vec::new();
    stream.read_to_end(&mut bytes).expect("the server closes");
    let _ = stream.shutdown(Shutdown::Both);
    bytes
}

/// Asserts that the request gets this error with the headers of every response, and that the connection closes.
#[track_caller]
fn assert_refused(service: &Client, request: &[u8], status: u16, code: u16) -> Description {
    let answer = raw::parse(&responses_until_closed(service, request));
    let description = assert_error(&answer, status, code);
    assert_common_headers(&answer);
    description
}

#[track_caller]
fn assert_common_headers(answer: &Answer) {
    assert!(
        !answer
            .header("x-request-id")
            .expect("a request id")
            .is_empty()
    );
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

/// The status of the response to a request with these head lines.
#[track_caller]
fn status(service: &Client, head: &[&str]) -> u16 {
    raw::send(service.address(), head, b"").status
}
