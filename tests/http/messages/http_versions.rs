//! Versions of HTTP (RFC 9110, section 2.5).

use std::io::{Read, Write};

use resource_tests::{address_book, apply, every_database, raw};

use super::{assert_refused, responses_until_closed, status};

#[apply(every_database)]
fn a_later_minor_version_is_processed_as_http_1_1() {
    let service = address_book();
    for version in ["1.2", "1.9"] {
        let line = format!("GET /api/1.0/settings HTTP/{version}");
        assert_eq!(status(&service, &[&line, "Host: a"]), 200, "{version}");
        let request = format!("{line}\r\nHost: a\r\n\r\n");
        let kept = format!("{request}{line}\r\nHost: a\r\nConnection: close\r\n\r\n");
        let mut stream = raw::connect(service.address());
        stream.write_all(request.as_bytes()).unwrap();
        let mut first = [0; 12];
        stream.read_exact(&mut first).unwrap();
        assert_eq!(&first, b"HTTP/1.1 200");
        drop(stream);
        // Without a `Host` it is refused, like HTTP/1.1.
        assert_refused(&service, format!("{line}\r\n\r\n").as_bytes(), 400, 10077);
        // Of two pipelined requests, hyper has already read the second one.
        let both = responses_until_closed(&service, kept.as_bytes());
        assert!(both.starts_with(b"HTTP/1.1 200 "));
    }
}

#[apply(every_database)]
fn a_request_line_may_arrive_in_parts() {
    let service = address_book();
    let request = b"GET /api/1.0/settings HTTP/1.2\r\nHost: a\r\nConnection: close\r\n\r\n";
    for end in 1..request.len() {
        let mut stream = raw::connect(service.address());
        stream.set_nodelay(true).unwrap();
        for piece in [&request[..end], &request[end..]] {
            stream.write_all(piece).unwrap();
        }
        let answer = raw::parse(&raw::read_to_end(stream));
        assert_eq!(answer.status, 200, "{end}");
    }
}

#[apply(every_database)]
fn a_version_outside_the_request_line_is_left_unchanged() {
    let service = address_book();
    let head = [
        "POST /api/1.0/settings HTTP/1.1",
        "Host: a",
        "Content-Type: application/json",
        "Content-Length: 46",
    ];
    let body = br#"{"name": "a b HTTP/1.2", "value": " HTTP/1.3"}"#;
    assert_eq!(raw::send(service.address(), &head, body).status, 201);
    let setting = service.read("/api/1.0/settings/1");
    assert_eq!(
        (&setting["name"], &setting["value"]),
        (&"a b HTTP/1.2".into(), &" HTTP/1.3".into())
    );
    let head = [
        "GET /api/1.0/settings/7 HTTP/1.1",
        "Host: a",
        "x-request-id: HTTP/1.2",
    ];
    let answer = raw::send(service.address(), &head, b"");
    assert_eq!(answer.header("x-request-id"), Some("HTTP/1.2"));
}

#[apply(every_database)]
fn an_unsupported_major_version_is_400_10077_that_names_http_1_1() {
    let service = address_book();
    for version in ["2.0", "3.0", "0.9", "9.9"] {
        println!("{version}");
        let request = format!("GET /api/1.0/settings HTTP/{version}\r\nHost: a\r\n\r\n");
        assert_refused(&service, request.as_bytes(), 400, 10077).naming(&["HTTP/1.1"]);
    }
    for version in ["1.10", "1", "1.x", "11.1"] {
        println!("{version}");
        let request = format!("GET /api/1.0/settings HTTP/{version}\r\nHost: a\r\n\r\n");
        assert_refused(&service, request.as_bytes(), 400, 10077);
    }
}
