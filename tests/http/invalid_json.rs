//! Bodies that are not JSON: 400/10050 with the line and the column.

use resource_tests::{address_book, apply, assert_error, every_database};
use serde_json::json;

/// Bodies that violate the syntax of JSON, inside an object or instead of it.
const BROKEN: [&[u8]; 40] = [
    b"{",
    b"}",
    b"{\"name\"",
    b"{\"name\":",
    b"{\"name\": \"a",
    b"{\"name\": \"a\"",
    b"{\"name\": \"a\",",
    b"{\"name\": \"a\",}",
    b"{,}",
    b"{\"name\" \"a\"}",
    b"{\"name\": \"a\" \"value\": \"b\"}",
    b"{name: \"a\"}",
    b"{'name': 'a'}",
    b"{1: 2}",
    b"{\"name\": NaN}",
    b"{\"name\": Infinity}",
    b"{\"name\": -Infinity}",
    b"{\"name\": nul}",
    b"{\"name\": True}",
    b"{\"name\": undefined}",
    b"{\"name\": 01}",
    b"{\"name\": +1}",
    b"{\"name\": .5}",
    b"{\"name\": 1.}",
    b"{\"name\": 1e}",
    b"{\"name\": 0x1}",
    b"{\"name\": --1}",
    b"{\"name\": \"a\"} {}",
    b"{} x",
    b"{}}",
    b"{} []",
    b"{\"name\": \"a\"} // comment",
    b"{/* comment */}",
    b"{\"name\": [1,]}",
    b"{\"name\": \"\\x41\"}",
    b"{\"name\": \"\\u12\"}",
    b"{\"name\": \"\\ud800\"}",
    b"{\"name\": \"\\udc00\\ud800\"}",
    b"{\"name\": \"line\nbreak\"}",
    b"{\"name\": \"\t\"}",
];

/// Bodies that are not UTF-8, or have a byte order mark.
const UNREADABLE: [&[u8]; 8] = [
    b"{\"name\": \"\xff\"}",
    b"{\"name\": \"\xc3\"}",
    b"{\"name\": \"\xc0\xaf\"}",
    b"{\"name\": \"\xed\xa0\x80\"}",
    b"{\"\xff\": \"a\"}",
    b"\xef\xbb\xbf{}",
    b"\xff\xfe{\0}\0",
    b"\x1f\x8b\x08\0",
];

#[apply(every_database)]
fn invalid_json_is_400_10050_with_line_and_column() {
    let service = address_book();
    for body in BROKEN.into_iter().chain(UNREADABLE) {
        println!("{}", String::from_utf8_lossy(body));
        let answer = service
            .request("POST", "/api/1.0/settings")
            .json(body)
            .send();
        assert_error(&answer, 400, 10050).naming(&["line", "column"]);
    }
    assert_eq!(service.read("/api/1.0/settings")["totalItems"], 0);
}

#[apply(every_database)]
fn invalid_json_in_an_update_is_400_10050_with_line_and_column() {
    let service = address_book();
    let path = service.create("/api/1.0/settings", &json!({"name": "a", "value": "b"}));
    for body in BROKEN.into_iter().chain(UNREADABLE) {
        println!("{}", String::from_utf8_lossy(body));
        let answer = service.request("PUT", &path).json(body).send();
        assert_error(&answer, 400, 10050).naming(&["line", "column"]);
    }
    assert_eq!(
        service.read(&path),
        json!({"id": 1, "name": "a", "value": "b"})
    );
}

#[apply(every_database)]
fn the_line_and_column_point_at_the_syntax_error() {
    let service = address_book();
    let places = [
        ("{\"name\": \"a\",\n \"value\": }", "line 2 column 11"),
        ("{\n\n  name: 1}", "line 3 column 3"),
        ("x", "line 1 column 1"),
    ];
    for (body, place) in places {
        println!("{body}");
        let answer = service
            .request("POST", "/api/1.0/settings")
            .json(body)
            .send();
        let text = answer.json()["error_description"]
            .as_str()
            .unwrap()
            .replace(',', "");
        assert!(text.contains(place), "«{text}» does not name {place}");
    }
}

#[apply(every_database)]
fn deeply_nested_json_is_400_10050() {
    let service = address_book();
    for open in ["[", "{\"a\":", "{\"name\":[", "{\"name\":{\"a\":"] {
        println!("{open}");
        let answer = service
            .request("POST", "/api/1.0/settings")
            .json(open.repeat(60_000))
            .send();
        assert_error(&answer, 400, 10050);
    }
    assert_eq!(service.read("/api/1.0/settings")["totalItems"], 0);
}

#[apply(every_database)]
fn a_byte_order_mark_is_400_10050_that_names_it() {
    let service = address_book();
    for body in [
        &b"\xef\xbb\xbf{\"name\": \"a\", \"value\": \"b\"}"[..],
        b"\xef\xbb\xbf",
        b"\xff\xfe{\0}\0",
        b"\xfe\xff\0{\0}",
    ] {
        let request = service.request("POST", "/api/1.0/settings");
        let answer = request
            .header("content-type", "application/json")
            .body(body)
            .send();
        assert_error(&answer, 400, 10050).naming(&["byte order mark", "line 1, column 1"]);
    }
    assert_eq!(service.read("/api/1.0/settings")["totalItems"], 0);
}
