//! Response headers: the request id, and those that responses need.

use std::collections::HashSet;
use std::io::{Read, Write};

use axum::http::HeaderName;
use resource_tests::{address_book, apply, assert_error, every_database, raw};
use serde_json::json;

#[apply(every_database)]
fn a_request_without_a_request_id_gets_a_unique_one() {
    let service = address_book();
    let names: HashSet<String> = (0..20)
        .map(|_| {
            service
                .get("/api/1.0/settings")
                .header("x-request-id")
                .unwrap()
                .to_owned()
        })
        .collect();
    assert_eq!(names.len(), 20);
}

#[apply(every_database)]
fn a_request_id_of_the_client_is_kept() {
    let service = address_book();
    for name in [
        "a",
        "7b0c2f5e-1d7f-4c39-9f5d-0d5c2d1e7a11",
        "trace_1.2:3",
        "0123456789abcdef",
    ] {
        for path in [
            "/api/1.0/settings",
            "/api/1.0/settings/7",
            "/nothing",
            "/errors/10001",
        ] {
            let answer = service
                .request("GET", path)
                .header("x-request-id", name)
                .send();
            assert_eq!(answer.header("x-request-id"), Some(name), "{path}");
        }
    }
}

#[apply(every_database)]
fn an_invalid_request_id_is_replaced() {
    let service = address_book();
    let long = "x".repeat(5000);
    for name in [
        "",
        " ",
        "a b",
        "<script>alert(1)</script>",
        "a\"b",
        "na\u{ef}ve",
        "a\tb",
        &long,
    ] {
        println!("{name}");
        let answer = service
            .request("GET", "/api/1.0/settings/7")
            .header("x-request-id", name)
            .send();
        assert_error(&answer, 404, 10001);
        let replaced = answer.header("x-request-id").unwrap();
        assert_ne!(replaced, name);
        assert!(
            replaced.bytes().all(|byte| byte.is_ascii_graphic()),
            "{replaced}"
        );
    }
}

#[apply(every_database)]
fn every_response_to_every_method_has_the_request_id() {
    let service = address_book();
    for method in ["GET", "HEAD", "POST", "PUT", "DELETE", "PATCH", "OPTIONS"] {
        for path in [
            "/api/1.0/settings",
            "/api/1.0/settings/7",
            "/api/1.0",
            "/nothing",
            "/errors/10001",
            "/errors/1",
        ] {
            // The test client asserts that every response has a request id.
            let answer = service
                .request(method, path)
                .header("x-request-id", "mine")
                .send();
            assert_eq!(
                answer.header("x-request-id"),
                Some("mine"),
                "{method} {path}"
            );
        }
    }
}

#[apply(every_database)]
fn responses_are_nosniff_and_only_pages_have_a_content_security_policy() {
    let service = address_book();
    let setting = json!({"name": "<script>", "value": "<html>"});
    for (answer, status) in [
        (service.post("/api/1.0/settings", &setting), 201),
        (service.get("/api/1.0/settings/1"), 200),
        (service.put("/api/1.0/settings/1", &setting), 204),
        (service.get("/api/1.0/settings?filter=%3Chtml%3E"), 400),
        (service.get("/nothing"), 404),
        (service.get("/errors/10001"), 200),
        (service.request("PATCH", "/api/1.0").send(), 405),
        (service.request("OPTIONS", "/api/1.0/settings").send(), 204),
    ] {
        assert_eq!(answer.status, status);
        assert_eq!(answer.header("x-content-type-options"), Some("nosniff"));
        let is_page = answer.header("content-type") == Some("text/html; charset=utf-8");
        let policy = answer.header("content-security-policy");
        assert_eq!(policy.is_some(), is_page, "{policy:?}");
    }
}

#[apply(every_database)]
fn responses_have_no_cors_headers_by_default() {
    let service = address_book();
    for method in ["GET", "HEAD", "POST", "PUT", "DELETE", "PATCH", "OPTIONS"] {
        for path in [
            "/api/1.0/settings",
            "/api/1.0/settings/1",
            "/api/1.0",
            "/errors/10001",
        ] {
            let request = service.request(method, path);
            let request = request.header("access-control-request-method", method);
            let answer = request.header("origin", "https://evil.example").send();
            let names = answer.headers.keys().map(HeaderName::as_str);
            let cors: Vec<&str> = names
                .filter(|it| it.starts_with("access-control-"))
                .collect();
            assert_eq!(cors, [""; 0], "{method} {path}");
        }
    }
}

#[apply(every_database)]
fn json_responses_have_content_type_and_content_length() {
    let service = address_book();
    service.create("/api/1.0/settings", &json!({"name": "ä", "value": "😀"}));
    for path in ["/api/1.0/settings/1", "/api/1.0/settings/2"] {
        let answer = service.get(path);
        assert_eq!(answer.header("content-type"), Some("application/json"));
        assert_eq!(
            answer.header("content-length"),
            Some(answer.body.len().to_string().as_str())
        );
    }
}

#[apply(every_database)]
fn a_connection_serves_many_requests() {
    let service = address_book();
    let mut stream = raw::connect(service.address());
    for _ in 0..50 {
        stream
            .write_all(b"GET /api/1.0/settings HTTP/1.1\r\nHost: localhost\r\n\r\n")
            .unwrap();
        let mut bytes = Vec::new();
        while !bytes.ends_with(br#"{"items":[],"totalItems":0}"#) {
            let mut chunk = [0; 1024];
            let count = stream.read(&mut chunk).unwrap();
            assert!(
                count > 0,
                "closed after {}",
                String::from_utf8_lossy(&bytes)
            );
            bytes.extend_from_slice(&chunk[..count]);
        }
        assert_eq!(raw::parse(&bytes).status, 200);
    }
}

#[apply(every_database)]
fn pipelined_requests_are_answered_in_order() {
    let service = address_book();
    let request = |path: &str| format!("GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n");
    let mut both = request("/api/1.0/settings/7") + &request("/api/1.0/nothing");
    both += "GET /api/1.0/settings HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
    let bytes = raw::exchange(service.address(), both.as_bytes());
    let text = String::from_utf8(bytes).unwrap();
    let place = |part: &str| {
        text.find(part)
            .unwrap_or_else(|| panic!("no {part} in {text}"))
    };
    assert!(
        place("10001") < place("10000") && place("10000") < place("totalItems"),
        "{text}"
    );
}
