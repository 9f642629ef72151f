//! `:authority` and `Host` over HTTP/2 (RFC 9113, section 8.3.1), with headers that are never indexed.

use std::io::{Read, Write};
use std::net::TcpStream;

use resource_tests::{Client, address_book, apply, every_database, raw};
use serde_json::Value;

const PREFACE: &[u8] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0";
const DATA: u8 = 0;
const HEADERS: u8 = 1;

/// A literal header without indexing, its lengths in one or more bytes (RFC 7541, sections 5.1 and 6.2.2).
fn literal(name: &str, value: &str) -> Vec<u8> {
    let text = |text: &str| {
        let mut bytes = Vec::new();
        match text.len().checked_sub(127) {
            None => bytes.push(u8::try_from(text.len()).unwrap()),
            Some(mut rest) => {
                bytes.push(127);
                while rest >= 128 {
                    bytes.push(u8::try_from(rest % 128).unwrap() | 128);
                    rest /= 128;
                }
                bytes.push(u8::try_from(rest).unwrap());
            }
        }
        bytes.extend_from_slice(text.as_bytes());
        bytes
    };
    [vec![0], text(name), text(value)].concat()
}

fn receive(stream: &mut TcpStream, kind: u8) -> Vec<u8> {
    loop {
        let mut head = [0; 9];
        stream.read_exact(&mut head).expect("a frame");
        let length = u32::from_be_bytes([0, head[0], head[1], head[2]]);
        let mut payload = vec![0; usize::try_from(length).unwrap()];
        stream.read_exact(&mut payload).expect("the whole frame");
        if head[3] == kind {
            return payload;
        }
    }
}

/// The JSON body of the response to `GET` with these headers.
fn get(service: &Client, path: &str, headers: &[(&str, &str)]) -> Value {
    let mut stream = raw::connect(service.address());
    let pseudo = [(":method", "GET"), (":scheme", "http"), (":path", path)];
    let block: Vec<u8> = pseudo
        .iter()
        .chain(headers)
        .flat_map(|(name, value)| literal(name, value))
        .collect();
    let length = u32::try_from(block.len()).unwrap().to_be_bytes();
    // Flags END_STREAM and END_HEADERS.
    let head = [length[1], length[2], length[3], HEADERS, 5, 0, 0, 0, 1];
    stream
        .write_all(&[PREFACE, &head, &block].concat())
        .unwrap();
    receive(&mut stream, HEADERS);
    serde_json::from_slice(&receive(&mut stream, DATA)).expect("a JSON body")
}

#[apply(every_database)]
fn an_authority_or_a_host_is_used_in_error_details() {
    let service = address_book();
    let missing = "/api/1.0/settings/7";
    for headers in [
        &[(":authority", "a:81")][..],
        &[("host", "a:81")],
        &[(":authority", "a:81"), ("host", "A:81")],
    ] {
        let body = get(&service, missing, headers);
        assert_eq!(body["error_code"], 10001, "{headers:?}");
        let details = body["error_details"].as_str().unwrap();
        assert_eq!(details.to_lowercase(), "http://a:81/errors/10001");
    }
    // The default port of the scheme may be omitted.
    let body = get(&service, missing, &[(":authority", "a"), ("host", "a:80")]);
    assert_eq!(body["error_code"], 10001);
}

#[apply(every_database)]
fn a_missing_conflicting_or_invalid_authority_is_400_10077() {
    let service = address_book();
    for headers in [
        &[][..],
        &[("host", "a"), ("host", "a")],
        &[("host", "a b")],
        &[(":authority", "u@a")],
        &[(":authority", "a"), ("host", "b")],
        &[(":authority", "a"), ("host", "a:81")],
    ] {
        let body = get(&service, "/api/1.0/settings", headers);
        assert_eq!(body["error_code"], 10077, "{headers:?}");
    }
}
