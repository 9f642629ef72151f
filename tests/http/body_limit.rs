//! The limit on the size of a request body: 1 MiB by default; no more is read.

use std::io::Write;

use resource_runtime::Api;
use resource_tests::models::SettingOne;
use resource_tests::{
    Answer, Service, address_book, apply, assert_created, assert_error, every_database, raw,
};
use serde_json::{Value, json};

const MEBIBYTE: usize = 1024 * 1024;

/// A setting whose JSON has exactly this many bytes.
fn setting_of(bytes: usize) -> String {
    let empty = json!({"name": "a", "value": ""}).to_string();
    json!({"name": "a", "value": "x".repeat(bytes - empty.len())}).to_string()
}

/// Sends the whole body even if a response arrives meanwhile. HTTP clients sometimes lose a response
/// that arrives while they still send.
fn send_whole(service: &Service, line: &str, body: &str) -> Answer {
    let length = format!("Content-Length: {}", body.len());
    let head = [
        line,
        "Host: localhost",
        "Content-Type: application/json",
        &length,
    ];
    raw::send(service.address(), &head, body.as_bytes())
}

#[apply(every_database)]
fn a_body_of_one_mebibyte_is_accepted_and_stored() {
    let service = address_book();
    let body = setting_of(MEBIBYTE);
    assert_created(
        &service
            .request("POST", "/api/1.0/settings")
            .json(body)
            .send(),
    );
    let value = service.read("/api/1.0/settings/1")["value"]
        .as_str()
        .unwrap()
        .len();
    assert_eq!(value, MEBIBYTE - r#"{"name":"a","value":""}"#.len());
}

#[apply(every_database)]
fn a_body_over_one_mebibyte_is_413_10072() {
    let service = address_book();
    let line = "POST /api/1.0/settings HTTP/1.1";
    let answer = send_whole(&service, line, &setting_of(MEBIBYTE + 1));
    assert_error(&answer, 413, 10072).naming(&["1048576"]);
    assert_eq!(service.read("/api/1.0/settings")["totalItems"], 0);
}

#[apply(every_database)]
fn an_update_over_one_mebibyte_is_413_10072() {
    let service = address_book();
    let path = service.create("/api/1.0/settings", &json!({"name": "a", "value": "b"}));
    let body = json!({"value": "x".repeat(MEBIBYTE)}).to_string();
    let line = format!("PUT {path} HTTP/1.1");
    assert_error(&send_whole(&service, &line, &body), 413, 10072);
    assert_eq!(service.read(&path)["value"], "b");
}

#[apply(every_database)]
fn the_body_limit_can_be_set() {
    let service = Service::start(|database| {
        Api::builder()
            .body_limit(100)
            .resource::<SettingOne>()
            .build(database)
    });
    assert_created(
        &service
            .request("POST", "/api/1.0/settings")
            .json(setting_of(100))
            .send(),
    );
    let answer = service
        .request("POST", "/api/1.0/settings")
        .json(setting_of(101))
        .send();
    assert_error(&answer, 413, 10072).naming(&["100"]);
}

#[apply(every_database)]
fn a_content_length_over_the_limit_is_413_without_reading_the_body() {
    let service = address_book();
    let head = [
        "POST /api/1.0/settings HTTP/1.1",
        "Host: localhost",
        "Content-Type: application/json",
        "Content-Length: 1000000000",
    ];
    // No byte of the body follows: only the `Content-Length` can be the reason.
    assert_error(&raw::send(service.address(), &head, b""), 413, 10072);
}

#[apply(every_database)]
fn a_client_that_expects_100_continue_gets_413_before_it_sends() {
    let service = address_book();
    let head = [
        "POST /api/1.0/settings HTTP/1.1",
        "Host: localhost",
        "Content-Type: application/json",
        "Expect: 100-continue",
        "Content-Length: 1000000000",
    ];
    assert_error(&raw::send(service.address(), &head, b""), 413, 10072);
}

#[apply(every_database)]
fn a_chunked_body_is_read_up_to_the_limit_only() {
    let service = address_book();
    let mut stream = raw::connect(service.address());
    let head = "POST /api/1.0/settings HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\
                Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n";
    stream.write_all(head.as_bytes()).unwrap();
    // The chunks never end: only the limit can be the reason for the response.
    let writer = stream.try_clone().unwrap();
    let sending = std::thread::spawn(move || send_chunks_until_refused(writer));
    assert_error(&raw::parse(&raw::read_to_end(stream)), 413, 10072);
    let sent = sending.join().unwrap();
    assert!(sent >= MEBIBYTE, "refused after {sent} bytes");
    assert_eq!(service.read("/api/1.0/settings")["totalItems"], 0);
}

/// Sends an endless body in chunks until the server closes the connection; returns the bytes sent.
fn send_chunks_until_refused(mut stream: std::net::TcpStream) -> usize {
    let chunk = format!("10000\r\n{}\r\n", " ".repeat(0x10000));
    let mut sent = 0;
    while stream.write_all(chunk.as_bytes()).is_ok() {
        sent += 0x10000;
        assert!(sent < 1024 * MEBIBYTE, "the server reads without a limit");
    }
    sent
}

#[apply(every_database)]
fn thousands_of_unknown_attributes_are_one_short_error_that_counts_them() {
    let service = address_book();
    for length in [4, 200] {
        let names = (0..5000).map(|number| (format!("{number:x<length$}"), json!(1)));
        let body = Value::Object(names.collect()).to_string();
        let answer = service
            .request("POST", "/api/1.0/settings")
            .json(&*body)
            .send();
        assert_error(&answer, 400, 10010).naming(&["4900 further", "`name`", "`value`"]);
        let request = service.request("POST", "/api/1.0/settings").json(body);
        let problem = request.header("accept", "application/problem+json").send();
        assert_eq!(problem.status, 400);
        for answer in [answer, problem] {
            let size = answer.body.len();
            assert!(size < 64 * 1024, "{size} bytes for names of {length}");
        }
    }
}
