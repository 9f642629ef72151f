//! SIGTERM and SIGINT: requests in flight are answered, and the exit code is 0.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::thread;

use resource_tests::polling::wait_for;
use resource_tests::{TestDatabase, raw};
use serde_json::json;

use crate::address_book::AddressBook;

const BODY: &str = r#"{"name":"last","value":"words"}"#;

/// A request of which the server has received the head, and the client has sent a part of the body.
fn half_sent(book: &AddressBook) -> TcpStream {
    let mut stream = raw::connect(book.client.address());
    let head = "POST /api/1.0/settings HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n\
                Expect: 100-continue\r\n";
    write!(stream, "{head}Content-Length: {}\r\n\r\n", BODY.len()).unwrap();
    // The server asks for the body, so it has the head, and the request is in flight.
    let mut asked = [0; 25];
    stream.read_exact(&mut asked).unwrap();
    assert_eq!(&asked, b"HTTP/1.1 100 Continue\r\n\r\n");
    stream.write_all(&BODY.as_bytes()[..10]).unwrap();
    stream
}

/// Waits until the service no longer listens, that is, until it has handled the signal.
fn wait_until_closed(book: &AddressBook) {
    let address = book.client.address();
    wait_for("the port to be free", || TcpListener::bind(address).ok());
}

#[test]
fn a_request_in_flight_is_answered_before_exit() {
    for signal in ["TERM", "INT"] {
        println!("{signal}");
        let file = TestDatabase::default();
        let mut book = AddressBook::start(&file);
        let mut stream = half_sent(&book);
        book.signal(signal);
        wait_until_closed(&book);
        stream.write_all(&BODY.as_bytes()[10..]).unwrap();
        assert_eq!(raw::parse(&raw::read_to_end(stream)).status, 201);
        assert_eq!(book.ended().code(), Some(0));
        let item = AddressBook::start(&file).client.read("/api/1.0/settings/1");
        assert_eq!(item, json!({"id": 1, "name": "last", "value": "words"}));
    }
}

#[test]
fn unfinished_requests_do_not_prevent_exit() {
    let mut book = AddressBook::start(&TestDatabase::default());
    let _body_never_comes = half_sent(&book);
    let mut head_never_ends = raw::connect(book.client.address());
    head_never_ends
        .write_all(b"GET /api/1.0/settings HTTP/1.1\r\nHost:")
        .unwrap();
    book.signal("TERM");
    assert_eq!(book.ended().code(), Some(0));
}

#[test]
fn an_idle_connection_does_not_delay_exit() {
    let mut book = AddressBook::start(&TestDatabase::default());
    let mut stream = raw::connect(book.client.address());
    stream
        .write_all(b"GET /api/1.0/settings HTTP/1.1\r\nHost: a\r\n\r\n")
        .unwrap();
    let mut first = [0; 1];
    stream.read_exact(&mut first).unwrap();
    book.signal("TERM");
    let rest = raw::read_to_end(stream);
    assert!(rest.ends_with(br#"{"items":[],"totalItems":0}"#));
    assert_eq!(book.ended().code(), Some(0));
}

#[test]
fn the_main_file_alone_has_every_acknowledged_row_after_shutdown() {
    let file = TestDatabase::sqlite();
    let mut book = AddressBook::start(&file);
    thread::scope(|scope| {
        for writer in 0..4 {
            let client = &book.client;
            scope.spawn(move || {
                for number in 0..25 {
                    let name = format!("{writer}/{number}");
                    client.create("/api/1.0/settings", &json!({"name": name, "value": "v"}));
                }
            });
        }
    });
    // Users have hooks, so they are written by another connection.
    let user = json!({"username": "ann", "email": "a@example.org", "phone": "+49301234567", "password": "x"});
    book.client.create("/api/1.0/users", &user);
    book.client.read("/api/1.0/settings");
    book.signal("TERM");
    assert_eq!(book.ended().code(), Some(0));
    let folder = tempfile::tempdir().unwrap();
    let copy = folder.path().join("copy.db");
    std::fs::copy(file.path(), &copy).unwrap();
    let copy = rusqlite::Connection::open(copy).unwrap();
    let text = |query: &str| -> String { copy.query_row(query, [], |row| row.get(0)).unwrap() };
    assert_eq!(text("PRAGMA integrity_check"), "ok");
    assert_eq!(text("SELECT count(*) || '' FROM settings"), "100");
    assert_eq!(text("SELECT group_concat(username) FROM users"), "ann");
}
