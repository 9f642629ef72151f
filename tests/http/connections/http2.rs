//! Timeouts, refusals and shutdown over HTTP/2, frame by frame.

use std::io::{Read, Write};
use std::net::TcpStream;

use super::client::{read_until_closed, stays_silent};
use super::server::Server;
use super::{LONG, SHORT, gated, hello, large, long_timeouts, short_timeouts, wait_until_dropped};

const PREFACE: &[u8] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

const DATA: u8 = 0;
const HEADERS: u8 = 1;
const RESET: u8 = 3;
const SETTINGS: u8 = 4;
const PING: u8 = 6;
const GO_AWAY: u8 = 7;
const WINDOW_UPDATE: u8 = 8;

const MAX_CONCURRENT_STREAMS: [u8; 2] = [0, 3];
const INITIAL_WINDOW_SIZE: [u8; 2] = [0, 4];

const NO_ERROR: [u8; 4] = [0; 4];

const ACK: u8 = 1;
const END_STREAM: u8 = 1;
const END_HEADERS: u8 = 4;

pub(crate) struct Frame {
    kind: u8,
    flags: u8,
    pub(crate) payload: Vec<u8>,
}

fn send(mut stream: &TcpStream, kind: u8, flags: u8, id: u8, payload: &[u8]) {
    let length = u8::try_from(payload.len()).unwrap();
    let head = [0, 0, length, kind, flags, 0, 0, 0, id];
    stream.write_all(&[&head, payload].concat()).unwrap();
}

fn receive(mut stream: &TcpStream) -> Frame {
    let mut head = [0; 9];
    stream.read_exact(&mut head).expect("a frame");
    let length = u32::from_be_bytes([0, head[0], head[1], head[2]]);
    let mut payload = vec![0; usize::try_from(length).unwrap()];
    stream.read_exact(&mut payload).expect("the whole frame");
    Frame {
        kind: head[3],
        flags: head[4],
        payload,
    }
}

fn receive_of(stream: &TcpStream, kind: u8) -> Frame {
    loop {
        let frame = receive(stream);
        if frame.kind == kind {
            return frame;
        }
    }
}

/// Opens a connection and exchanges settings; returns it with the settings frame of the server.
pub(crate) fn open(server: &Server, settings: &[u8]) -> (TcpStream, Frame) {
    let mut stream = server.connect();
    stream.write_all(PREFACE).unwrap();
    send(&stream, SETTINGS, 0, 0, settings);
    let theirs = receive_of(&stream, SETTINGS);
    assert_eq!(receive_of(&stream, SETTINGS).flags, ACK);
    send(&stream, SETTINGS, ACK, 0, &[]);
    (stream, theirs)
}

/// Returns true if the connection stays open without a response for longer than every short timeout.
fn stays_open(stream: &TcpStream) -> bool {
    while !stays_silent(stream, SHORT * 3) {
        // Only window updates may arrive.
        if receive(stream).kind != WINDOW_UPDATE {
            return false;
        }
    }
    true
}

/// Sends `GET /` from the static table with the authority `a`.
pub(crate) fn request(stream: &TcpStream, id: u8) {
    send(
        stream,
        HEADERS,
        END_STREAM | END_HEADERS,
        id,
        &[0x82, 0x84, 0x86, 1, 1, b'a'],
    );
}

/// Asserts a response of 200, which is in the static table.
pub(crate) fn assert_ok(stream: &TcpStream) {
    assert_eq!(receive_of(stream, HEADERS).payload[0], 0x88);
}

/// Asserts a response of 200 and a `GOAWAY` without an error, in any order.
pub(crate) fn assert_ok_and_gone(stream: &TcpStream) {
    let mut kinds = Vec::new();
    while !(kinds.contains(&HEADERS) && kinds.contains(&GO_AWAY)) {
        let frame = receive(stream);
        match frame.kind {
            HEADERS => assert_eq!(frame.payload[0], 0x88),
            GO_AWAY => assert_eq!(frame.payload[4..8], NO_ERROR),
            _ => {}
        }
        kinds.push(frame.kind);
    }
}

#[test]
fn requests_are_answered_and_100_concurrent_streams_are_allowed() {
    let server = Server::start(long_timeouts(), hello());
    let (stream, settings) = open(&server, &[]);
    let cap = [&MAX_CONCURRENT_STREAMS[..], &[0, 0, 0, 100]].concat();
    assert!(settings.payload.chunks(6).any(|setting| setting == cap));
    for id in [1, 3] {
        request(&stream, id);
        assert_ok(&stream);
        assert_eq!(receive_of(&stream, DATA).payload, b"hello");
    }
}

#[test]
fn an_invalid_frame_is_refused_with_goaway() {
    let server = Server::start(long_timeouts(), hello());
    let mut stream = server.connect();
    stream.write_all(PREFACE).unwrap();
    stream.write_all(b"GET / HTTP/1.1\r\n\r\n").unwrap();
    receive_of(&stream, GO_AWAY);
    read_until_closed(&stream);
}

#[test]
fn only_the_idle_timeout_applies_to_an_idle_connection() {
    let server = Server::start(short_timeouts().idle_timeout(LONG), hello());
    let (stream, _) = open(&server, &[]);
    assert!(stays_open(&stream));
    // A ping between requests does not start the header timeout.
    send(&stream, PING, 0, 0, &[0; 8]);
    receive_of(&stream, PING);
    assert!(stays_open(&stream));
    request(&stream, 1);
    assert_ok(&stream);
}

#[test]
fn an_idle_connection_closes_after_the_idle_timeout() {
    let server = Server::start(long_timeouts().idle_timeout(SHORT), hello());
    read_until_closed(&open(&server, &[]).0);
    let (stream, _) = open(&server, &[]);
    request(&stream, 1);
    assert_ok(&stream);
    read_until_closed(&stream);
}

#[test]
fn no_client_timeout_applies_while_the_handler_runs() {
    let (app, gate) = gated();
    let server = Server::start(short_timeouts(), app);
    let (stream, _) = open(&server, &[]);
    request(&stream, 1);
    assert!(stays_open(&stream));
    gate.open();
    assert_ok(&stream);
}

#[test]
fn a_response_that_is_not_read_is_aborted_after_the_answer_timeout() {
    let (app, held) = large(1024 * 1024);
    // With a window of zero no byte of the body is sent, with a small one its beginning.
    for window in [0, 9] {
        let server = Server::start(long_timeouts().response_timeout(SHORT), app.clone());
        let setting = [&INITIAL_WINDOW_SIZE[..], &[0, 0, 0, window]].concat();
        let (stream, _) = open(&server, &setting);
        request(&stream, 1);
        assert_ok(&stream);
        wait_until_dropped(&held);
        read_until_closed(&stream);
    }
}

/// Sends `POST /` from the static table with the authority `a`, and a first part of its body.
fn begin_request(stream: &TcpStream, id: u8) {
    send(
        stream,
        HEADERS,
        END_HEADERS,
        id,
        &[0x83, 0x84, 0x86, 1, 1, b'a'],
    );
    send(stream, DATA, 0, id, b"a");
}

#[test]
fn a_refused_body_that_ends_soon_is_not_reset() {
    let server = Server::start(long_timeouts(), hello());
    let (stream, _) = open(&server, &[]);
    for id in [1, 3] {
        begin_request(&stream, id);
        receive_of(&stream, HEADERS);
        for _ in 0..200 {
            send(&stream, DATA, 0, id, &[b'a'; 255]);
        }
        send(&stream, DATA, END_STREAM, id, b"a");
        send(&stream, PING, 0, 0, &[0; 8]);
        while let Frame { kind, .. } = receive(&stream)
            && kind != PING
        {
            assert_eq!(kind, WINDOW_UPDATE);
        }
    }
    request(&stream, 5);
    assert_ok(&stream);
}

#[test]
fn a_refused_body_that_does_not_end_is_reset_with_no_error() {
    let server = Server::start(long_timeouts(), hello());
    let (stream, _) = open(&server, &[]);
    begin_request(&stream, 1);
    receive_of(&stream, HEADERS);
    assert_eq!(receive_of(&stream, RESET).payload, NO_ERROR);
    request(&stream, 3);
    assert_ok(&stream);
}

#[test]
fn a_request_in_flight_is_answered_before_shutdown() {
    let (app, gate) = gated();
    let mut server = Server::start(long_timeouts(), app);
    let (stream, _) = open(&server, &[]);
    request(&stream, 1);
    gate.wait_for_request();
    server.stop();
    receive_of(&stream, GO_AWAY);
    let ping = receive_of(&stream, PING);
    send(&stream, PING, ACK, 0, &ping.payload);
    gate.open();
    assert_ok(&stream);
    read_until_closed(&stream);
    server.ended();
}
