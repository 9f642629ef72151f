//! Requests that hyper rejects before the service sees them: they get the same form of error as all others.

use std::io::{Read, Write};
use std::net::Shutdown;

use axum::Router;
use axum::http::StatusCode;
use axum::routing::get;
use resource_tests::{
    Service, TestDatabase, address_book, apply, assert_error, every_database, raw,
};

use super::{assert_common_headers, assert_refused, responses_until_closed};

const GET: &str = "GET /api/1.0/settings HTTP/1.1\r\nHost: a\r\n";

#[apply(every_database)]
fn invalid_http_is_400_10077() {
    let service = address_book();
    for bytes in [
        &b"nonsense\r\n\r\n"[..],
        b"GET\r\n\r\n",
        b"GET /api/1.0/settings\r\n\r\n",
        b"GET  HTTP/1.1\r\nHost: a\r\n\r\n",
        b"GET api/1.0/settings HTTP/1.1\r\nHost: a\r\n\r\n",
        b"GET example.org HTTP/1.1\r\nHost: a\r\n\r\n",
        b"GET * HTTP/1.1\r\nHost: a\r\n\r\n",
        b"CONNECT / HTTP/1.1\r\nHost: a\r\n\r\n",
        b"GET /\0 HTTP/1.1\r\nHost: a\r\n\r\n",
        b"G\0T / HTTP/1.1\r\nHost: a\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: a\r\nno colon\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: a\r\nbad name: x\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: a\r\nfolded: x\r\n y\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: a\r\nnul: \0\r\n\r\n",
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n",
    ] {
        println!("{}", bytes.escape_ascii());
        assert_refused(&service, bytes, 400, 10077);
    }
    assert_eq!(service.get("/api/1.0/settings").status, 200);
}

#[apply(every_database)]
fn a_url_that_is_too_long_is_414_10075() {
    let service = address_book();
    for length in [66_000, 300_000, 1_000_000] {
        let request = format!("GET /{} HTTP/1.1\r\nHost: a\r\n\r\n", "x".repeat(length));
        assert_refused(&service, request.as_bytes(), 414, 10075).naming(&["65534"]);
    }
}

#[apply(every_database)]
fn headers_that_are_too_large_are_431_10076() {
    let service = address_book();
    let long = format!("{GET}x: {}\r\n\r\n", "x".repeat(1_000_000));
    let many: Vec<String> = (0..200).map(|number| format!("x-{number}: x")).collect();
    for request in [long, format!("{GET}{}\r\n\r\n", many.join("\r\n"))] {
        assert_refused(&service, request.as_bytes(), 431, 10076).naming(&["100"]);
    }
}

#[apply(every_database)]
fn an_invalid_second_request_is_refused_after_the_first_response() {
    let service = address_book();
    // Both in one segment, then the second one after the first response.
    let bytes = responses_until_closed(&service, format!("{GET}\r\nnonsense\r\n\r\n").as_bytes());
    assert_second(&bytes);
    let mut stream = raw::connect(service.address());
    stream.write_all(format!("{GET}\r\n").as_bytes()).unwrap();
    let mut bytes = vec![0];
    stream.read_exact(&mut bytes).unwrap();
    stream.write_all(b"nonsense\r\n\r\n").unwrap();
    stream.read_to_end(&mut bytes).unwrap();
    assert_second(&bytes);
}

#[track_caller]
fn assert_second(bytes: &[u8]) {
    let second = bytes.windows(9).rposition(|window| window == b"HTTP/1.1 ");
    let second = second.expect("a response");
    assert!(bytes.starts_with(b"HTTP/1.1 200 ") && second > 0);
    let answer = raw::parse(&bytes[second..]);
    assert_error(&answer, 400, 10077);
    assert_common_headers(&answer);
}

/// A response of a handler may look like a rejection of hyper and must not be replaced.
#[test]
fn a_response_of_a_handler_is_never_replaced() {
    let app = Router::new()
        .route("/empty", get(async || StatusCode::BAD_REQUEST))
        .route(
            "/text",
            get(async || "HTTP/1.1 400 Bad Request\r\ncontent-length: 0\r\n\r\n"),
        );
    let service = Service::serve(&TestDatabase::sqlite(), app);
    for _ in 0..3 {
        let request = "GET /empty HTTP/1.1\r\nHost: a\r\n\r\nGET /text HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";
        let bytes = responses_until_closed(&service, request.as_bytes());
        let text = String::from_utf8(bytes).unwrap();
        let (first, second) = text.split_once("HTTP/1.1 200 OK").unwrap();
        assert!(
            first.starts_with("HTTP/1.1 400 ") && first.contains("content-length: 0\r\n"),
            "{first}"
        );
        assert!(
            second.ends_with("HTTP/1.1 400 Bad Request\r\ncontent-length: 0\r\n\r\n"),
            "{second}"
        );
    }
}

#[apply(every_database)]
fn an_incomplete_head_of_a_half_closed_client_gets_no_response() {
    let service = address_book();
    let mut stream = raw::connect(service.address());
    stream.write_all(GET.as_bytes()).unwrap();
    stream.shutdown(Shutdown::Write).unwrap();
    assert_eq!(raw::read_to_end(stream), b"");
}
