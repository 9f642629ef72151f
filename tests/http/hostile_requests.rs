//! Hostile requests, each with its response: no input gives a 500.

use resource_tests::{Service, address_book, apply, assert_error, every_database};
use serde_json::json;

/// Paths to read, and the code of their 404.
const PATHS: &[(&str, u16)] = &[
    ("/api//settings", 10000),
    ("//api/1.0/settings", 10000),
    ("/api/1.0//settings", 10000),
    ("/api/%31.0/nothing", 10000),
    ("/api/1.0/%00", 10000),
    ("/api/1.0/%FF", 10000),
    ("/api/1.0/settings%20", 10000),
    ("/api/1.0/settings;x=1", 10000),
    ("/api/1.0/sqlite_master", 10000),
    ("/api/1.0/nothing?limit=x", 10000),
    ("/api/1.0/settings/{id}", 10001),
    ("/api/1.0/settings/:id", 10001),
    ("/api/1.0/settings/*", 10001),
    ("/api/1.0/settings/1%20OR%201=1", 10001),
    ("/api/1.0/settings/1;DROP%20TABLE%20settings", 10001),
    ("/api/1.0/settings/1%00", 10001),
    ("/api/1.0/settings/1%2F1", 10001),
    ("/api/1.0/settings/..%2F..%2Fetc", 10001),
    ("/api/1.0/settings/1e400", 10001),
    ("/api/1.0/settings/-99999999999999999999", 10001),
];

/// Query strings of a collection, and the code of their 400.
const QUERIES: &[(&str, u16)] = &[
    ("limit=1;DROP%20TABLE%20settings", 10063),
    ("limit=-0", 10063),
    ("limit=NaN", 10063),
    ("limit=1%00", 10063),
    ("limit=%F0%9F%98%80", 10063),
    ("offset=18446744073709551616", 10063),
    ("limit", 10063),
    ("limit=1&limit", 10064),
    ("limit[]=1", 10064),
    ("=1", 10064),
    ("%00=1", 10064),
    ("id=1", 10064),
    ("limit%20=1", 10064),
    ("filter=&filter=", 10064),
];

/// Bodies that are declared as JSON, where they are sent, and the status and code of the response.
const BODIES: &[(&str, &str, &str, u16, u16)] = &[
    ("POST", "/api/1.0/nothing", "{", 404, 10000),
    ("PUT", "/api/1.0/settings", "{", 405, 10070),
    ("POST", "/api/1.0/settings/1", "{", 405, 10070),
    ("DELETE", "/api/1.0/settings", "[1]", 405, 10070),
    ("PUT", "/api/1.0/settings/1%00", "{}", 404, 10001),
    ("POST", SETTINGS, "<a/>", 400, 10050),
    ("POST", SETTINGS, "name=a&value=b", 400, 10050),
    ("POST", SETTINGS, "\0", 400, 10050),
    ("POST", SETTINGS, "{\0}", 400, 10050),
    ("POST", SETTINGS, r#"{"\ud800": 1}"#, 400, 10050),
    ("POST", SETTINGS, r#"{"name": [1e999]}"#, 400, 10010),
    ("POST", SETTINGS, r#"{"\u0000": 1}"#, 400, 10010),
    ("POST", SETTINGS, r#"{"name": 1e999}"#, 400, 10010),
    ("POST", SETTINGS, r#"{"name": {"$gt": ""}}"#, 400, 10010),
    (
        "POST",
        SETTINGS,
        r#"{"rowid": 5, "name": "a", "value": "b"}"#,
        400,
        10010,
    ),
    (
        "POST",
        SETTINGS,
        r#"{"id": -0, "name": "a", "value": "b"}"#,
        400,
        10010,
    ),
    ("POST", PERSONS, r#"{"bill_address_id": 1e0}"#, 400, 10010),
    ("POST", PERSONS, r#"{"bill_address_id": 1e400}"#, 400, 10010),
    (
        "POST",
        PERSONS,
        r#"{"bill_address_id": -9223372036854775808}"#,
        400,
        10031,
    ),
    ("PUT", ITEM, r#"{"id": 1e400}"#, 400, 10010),
    ("PUT", ITEM, "null", 400, 10050),
    ("PUT", ITEM, "", 400, 10050),
];

const SETTINGS: &str = "/api/1.0/settings";
const PERSONS: &str = "/api/1.0/persons";
const ITEM: &str = "/api/1.0/settings/1";

fn with_a_setting() -> Service {
    let service = address_book();
    service.create(SETTINGS, &json!({"name": "one", "value": "1"}));
    service
}

#[track_caller]
fn assert_unharmed(service: &Service) {
    let item = json!({"id": 1, "name": "one", "value": "1"});
    assert_eq!(
        service.read(SETTINGS),
        json!({"items": [item], "totalItems": 1})
    );
}

#[apply(every_database)]
fn hostile_paths_are_404() {
    let service = with_a_setting();
    for (path, code) in PATHS {
        println!("{path}");
        assert_error(&service.get(path), 404, *code);
    }
    assert_unharmed(&service);
}

#[apply(every_database)]
fn hostile_query_strings_are_400() {
    let service = with_a_setting();
    for (query, code) in QUERIES {
        println!("{query}");
        assert_error(&service.get(&format!("{SETTINGS}?{query}")), 400, *code);
    }
    assert_unharmed(&service);
}

#[apply(every_database)]
fn hostile_bodies_get_the_error_of_the_contract() {
    let service = with_a_setting();
    for (method, path, body, status, code) in BODIES {
        println!("{method} {path} {body:?}");
        let answer = service.request(method, path).json(*body).send();
        assert_error(&answer, *status, *code);
    }
    assert_unharmed(&service);
}

#[apply(every_database)]
fn many_unknown_attributes_are_400_10010() {
    let service = with_a_setting();
    let members: Vec<String> = (0..20_000)
        .map(|number| format!("\"x{number}\":{number}"))
        .collect();
    let body = format!("{{{}}}", members.join(","));
    let answer = service
        .request("POST", "/api/1.0/settings")
        .json(body)
        .send();
    assert_error(&answer, 400, 10010);
}

#[apply(every_database)]
fn a_number_of_a_million_digits_is_400_10010_with_a_short_message() {
    let service = with_a_setting();
    let body = format!("{{\"bill_address_id\": {}}}", "9".repeat(1_000_000));
    let answer = service
        .request("POST", "/api/1.0/persons")
        .json(body)
        .send();
    assert_error(&answer, 400, 10010).naming(&["`bill_address_id`"]);
    assert!(answer.body.len() < 10_000, "{} bytes", answer.body.len());
}
