//! `Transfer-Encoding` and `Content-Length` (RFC 9112, section 6).

use resource_tests::{address_book, apply, assert_error, every_database, raw};
use serde_json::json;

use super::{assert_refused, responses_until_closed};

const BODY: &str = "18\r\n{\"name\":\"a\",\"value\":\"b\"}\r\n0\r\n\r\n";

/// A request with these header lines that creates a setting in one chunk.
fn post_with(version: &str, lines: &[&str]) -> Vec<u8> {
    let head = format!(
        "POST /api/1.0/settings HTTP/{version}\r\nHost: a\r\nContent-Type: application/json"
    );
    format!("{head}\r\n{}\r\n\r\n{BODY}", lines.join("\r\n")).into_bytes()
}

#[apply(every_database)]
fn an_unknown_transfer_coding_is_501_10078_and_closes_the_connection() {
    let service = address_book();
    for coding in [
        "gzip, chunked",
        "identity, chunked",
        "GZIP;q=1 , Chunked",
        "\"x, y\", chunked",
    ] {
        println!("{coding}");
        let request = post_with("1.1", &[&format!("Transfer-Encoding: {coding}")]);
        assert_refused(&service, &request, 501, 10078).naming(&["Transfer-Encoding: chunked"]);
    }
    let lines = ["Transfer-Encoding: gzip", "Transfer-Encoding: chunked"];
    assert_refused(&service, &post_with("1.1", &lines), 501, 10078).naming(&["`gzip`"]);
    assert_eq!(service.read("/api/1.0/settings")["totalItems"], 0);
}

#[apply(every_database)]
fn an_ambiguous_body_length_is_400_10077_and_closes_the_connection() {
    let service = address_book();
    for lines in [
        &["Transfer-Encoding: chunked, chunked"][..],
        &["Transfer-Encoding: chunked", "Transfer-Encoding: chunked"],
        &["Transfer-Encoding: gzip"],
        &["Transfer-Encoding: identity"],
        &["Transfer-Encoding: chunked, gzip"],
        &["Transfer-Encoding:"],
        &["Content-Length: 2", "Content-Length: 3"],
        &["Content-Length: -1"],
        &["Content-Length: 2, 2"],
        &["Content-Length: 99999999999999999999"],
        &["Content-Length:"],
    ] {
        println!("{lines:?}");
        assert_refused(&service, &post_with("1.1", lines), 400, 10077);
    }
    let chunked = ["Transfer-Encoding: chunked"];
    assert_refused(&service, &post_with("1.0", &chunked), 400, 10077);
    assert_eq!(service.read("/api/1.0/settings")["totalItems"], 0);
}

/// RFC 9112, section 6.1, permits this: the coding is used, and nothing after the body is read.
#[apply(every_database)]
fn a_transfer_coding_overrides_content_length_and_closes_the_connection() {
    let service = address_book();
    let coding = "Transfer-Encoding: chunked";
    for lines in [[coding, "Content-Length: 5"], ["Content-Length: 5", coding]] {
        let smuggled = b"GET /api/1.0/settings HTTP/1.1\r\nHost: a\r\n\r\n";
        let request = [&post_with("1.1", &lines)[..], smuggled].concat();
        let bytes = responses_until_closed(&service, &request);
        let text = String::from_utf8(bytes).unwrap();
        assert!(text.starts_with("HTTP/1.1 201 "), "{text}");
        assert_eq!(text.matches("HTTP/1.1 ").count(), 1, "{text}");
        let id = text.split("settings/").nth(1).unwrap().split("\r\n").next();
        service.delete(&format!("/api/1.0/settings/{}", id.unwrap()));
    }
}

#[apply(every_database)]
fn an_invalid_chunk_is_400_10050() {
    let service = address_book();
    let head = "POST /api/1.0/settings HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked";
    for chunk in [
        "zz\r\n",
        "5\r\n{}\r\n0\r\n\r\n",
        "-1\r\n",
        "ffffffffffffffffff\r\n",
    ] {
        println!("{chunk:?}");
        let answer = raw::exchange(
            service.address(),
            format!("{head}\r\n\r\n{chunk}").as_bytes(),
        );
        assert_error(&raw::parse(&answer), 400, 10050);
    }
    assert_eq!(
        service.read("/api/1.0/settings"),
        json!({"items": [], "totalItems": 0})
    );
}
