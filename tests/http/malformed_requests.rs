//! Bytes that are not valid HTTP: refused, and the next request is served.

use std::io::Write;

use resource_tests::{address_book, apply, assert_error, every_database, raw};
use serde_json::json;

/// Bytes that are not a request, to be answered with 400 or with a closed connection.
const NO_REQUESTS: [&[u8]; 11] = [
    b"\r\n\r\n", b"nonsense\r\n\r\n", b"GET\r\n\r\n", b"GET /api/1.0/settings\r\n\r\n",
    b"GET /api/1.0/settings HTTP/9.9\r\n\r\n", b"GET api/1.0/settings HTTP/1.1\r\nHost: a\r\n\r\n",
    b"\x16\x03\x01\x02\x00\x01\x00\x01", b"GET /api/1.0/settings HTTP/1.1\r\nno colon\r\n\r\n",
    b"GET /\xff HTTP/1.1\r\nHost: a\r\nbad name: x\r\n\r\n", b"G\0T / HTTP/1.1\r\nHost: a\r\n\r\n",
    b"POST /api/1.0/settings HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}",
];

#[apply(every_database)]
fn invalid_http_is_refused_and_the_next_request_is_served() {
    let service = address_book();
    for bytes in NO_REQUESTS {
        println!("{}", String::from_utf8_lossy(bytes));
        let mut stream = raw::connect(service.address());
        stream.write_all(bytes).unwrap();
        // A server that waits for the rest of a request learns that nothing follows.
        let _ = stream.shutdown(std::net::Shutdown::Write);
        let answer = raw::read_to_end(stream);
        if !answer.is_empty() {
            assert_eq!(raw::parse(&answer).status, 400);
        }
        assert_eq!(
            service.read("/api/1.0/settings"),
            json!({"items": [], "totalItems": 0})
        );
    }
}

#[apply(every_database)]
fn a_truncated_body_stores_nothing() {
    let service = address_book();
    let mut stream = raw::connect(service.address());
    let head = "POST /api/1.0/settings HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n";
    stream.write_all(head.as_bytes()).unwrap();
    stream.write_all(br#"{"name":"a","value":"b"}"#).unwrap();
    stream.shutdown(std::net::Shutdown::Write).unwrap();
    let answer = raw::read_to_end(stream);
    if !answer.is_empty() {
        assert_eq!(raw::parse(&answer).status, 400);
    }
    assert_eq!(service.read("/api/1.0/settings")["totalItems"], 0);
}

#[apply(every_database)]
fn an_invalid_chunk_stores_nothing() {
    let service = address_book();
    let head = [
        "POST /api/1.0/settings HTTP/1.1",
        "Host: a",
        "Content-Type: application/json",
        "Transfer-Encoding: chunked",
    ];
    let request = format!(
        "{}\r\nConnection: close\r\n\r\n18\r\n{}\r\nzz\r\n",
        head.join("\r\n"),
        r#"{"name":"a","value":"b"}"#
    );
    let answer = raw::exchange(service.address(), request.as_bytes());
    if !answer.is_empty() {
        assert_eq!(raw::parse(&answer).status, 400);
    }
    assert_eq!(service.read("/api/1.0/settings")["totalItems"], 0);
}

#[apply(every_database)]
fn a_chunked_body_is_accepted() {
    let service = address_book();
    let head = [
        "POST /api/1.0/settings HTTP/1.1",
        "Host: a",
        "Content-Type: application/json",
        "Transfer-Encoding: chunked",
    ];
    let answer = raw::send(
        service.address(),
        &head,
        b"a\r\n{\"name\":\"a\r\ne\r\n\",\"value\":\"b\"}\r\n0\r\n\r\n",
    );
    assert_eq!(answer.status, 201);
    assert_eq!(
        service.read("/api/1.0/settings/1"),
        json!({"id": 1, "name": "a", "value": "b"})
    );
}

#[apply(every_database)]
fn a_path_that_is_not_utf_8_is_404() {
    let service = address_book();
    for (path, code) in [
        ("/api/1.0/%C3%28", 10000),
        ("/api/1.0/settings/%C3%28", 10001),
    ] {
        let answer = raw::send(
            service.address(),
            &[&format!("GET {path} HTTP/1.1"), "Host: a"],
            b"",
        );
        assert_error(&answer, 404, code);
    }
}

#[apply(every_database)]
fn invalid_percent_encoding_in_a_path_is_404() {
    let service = address_book();
    for (path, code) in [
        ("/api/1.0/%", 10000),
        ("/api/1.0/settings/%", 10001),
        ("/api/1.0/settings/%zz", 10001),
    ] {
        let answer = raw::send(
            service.address(),
            &[&format!("GET {path} HTTP/1.1"), "Host: a"],
            b"",
        );
        assert_error(&answer, 404, code);
    }
}

#[apply(every_database)]
fn invalid_percent_encoding_in_a_query_string_is_400() {
    let service = address_book();
    for query in ["limit=%", "limit=1%", "limit=%zz", "limit=%1"] {
        println!("{query}");
        let line = format!("GET /api/1.0/settings?{query} HTTP/1.1");
        let answer = raw::send(service.address(), &[&line, "Host: a"], b"");
        let code = answer.json()["error_code"].as_u64().unwrap();
        assert!(code == 10063 || code == 10064, "{code}");
        assert_eq!(answer.status, 400);
    }
}

#[apply(every_database)]
fn dot_segments_in_a_path_are_404_10000() {
    let service = address_book();
    for path in [
        "/api/1.0/../1.0/settings",
        "/api/1.0/./settings",
        "/../../etc/passwd",
        "/api/1.0/settings/../settings",
    ] {
        println!("{path}");
        let answer = raw::send(
            service.address(),
            &[&format!("GET {path} HTTP/1.1"), "Host: a"],
            b"",
        );
        assert_error(&answer, 404, 10000);
    }
}

#[apply(every_database)]
fn unusual_request_lines_are_204_404_or_405() {
    let service = address_book();
    for line in [
        "OPTIONS * HTTP/1.1",
        "CONNECT example.org:443 HTTP/1.1",
        "BREW /api/1.0/settings HTTP/1.1",
    ] {
        println!("{line}");
        let answer = raw::send(service.address(), &[line, "Host: a"], b"");
        assert!(
            [204, 404, 405].contains(&answer.status),
            "{}",
            answer.status
        );
    }
}

#[apply(every_database)]
fn an_overlong_request_line_or_header_is_414_or_431() {
    let service = address_book();
    let long = "x".repeat(1_000_000);
    for head in [
        format!("GET /{long} HTTP/1.1\r\nHost: a"),
        format!("GET / HTTP/1.1\r\nHost: a\r\nx-long: {long}"),
    ] {
        let answer = raw::send(service.address(), &[&head], b"");
        assert!([414, 431].contains(&answer.status), "{}", answer.status);
    }
    assert_eq!(service.get("/api/1.0/settings").status, 200);
}
