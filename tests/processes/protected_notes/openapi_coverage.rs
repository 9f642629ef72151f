//! Coverage of the OpenAPI document of the protected notes, including responses without a valid token.

use resource_tests::{TestDatabase, apply, every_database, raw, watch};
use serde_json::{Value, json};

use super::owners::token_granted_by;
use super::process::{Notes, cleared, command};
use crate::exercise::{Caller, OPERATIONS, delete_trigger, is_covered_elsewhere};
use crate::golden_output::assert_golden;

/// Documented responses that never occur: the index uses nothing that could fail, and invalid HTTP is refused
/// before its path is known.
const NOT_COVERED: [&str; 2] = ["GET /api/1.0 400", "GET /api/1.0 500"];

fn collections() -> [(&'static str, Value); 2] {
    [
        ("announcements", json!({"text": "Welcome"})),
        ("notes", json!({"title": "First"})),
    ]
}

fn as_bearer<'here>(notes: &'here Notes, authorization: &'here str) -> Caller<'here> {
    Caller {
        client: &notes.client,
        authorization: Some(authorization),
    }
}

/// Sends every operation and asserts that each gets one of these statuses.
fn assert_statuses(asking: Caller<'_>, statuses: &[u16]) {
    for (collection, item) in collections() {
        let path = format!("/api/1.0/{collection}");
        for operation in OPERATIONS {
            let answer = asking.operate(operation, &path, &item);
            let is_expected = statuses.contains(&answer.status);
            assert!(is_expected, "{operation:?} {path}: {answer:?}");
        }
    }
}

#[apply(every_database)]
fn every_documented_response_of_the_notes_occurs() {
    let database = TestDatabase::default();
    let notes = Notes::start_on(&database);
    let (token, _) = token_granted_by(&notes, "ann", "notes.read notes.write notes.admin");
    let administrator = format!("Bearer {token}");
    let administrator = as_bearer(&notes, &administrator);
    administrator.index("/api/1.0");
    for (collection, item) in collections() {
        administrator.exercise(&format!("/api/1.0/{collection}"), &item);
    }
    assert_statuses(as_bearer(&notes, "Bearer x"), &[401]);
    assert_statuses(as_bearer(&notes, "Bearer x, Bearer y"), &[400]);
    let nobody = Caller {
        client: &notes.client,
        authorization: None,
    };
    assert_statuses(nobody, &[200, 401]);
    for scope in ["notes.read", "notes.write"] {
        let machine = format!("Bearer {}", notes.own_token(scope));
        assert_statuses(as_bearer(&notes, &machine), &[200, 201, 403, 404]);
    }
    for (collection, item) in collections() {
        let path = format!("/api/1.0/{collection}");
        let mut other = database.other_program();
        let [begins, ends] = delete_trigger(collection);
        other.execute(&begins);
        administrator.assert_response("DELETE", &format!("{path}/1"), "", 400, Some(10010));
        other.execute(&ends);
        administrator.assert_response("DELETE", &format!("{path}/1"), "", 204, None);
        other.execute(&format!("DROP TABLE {collection}"));
        for operation in OPERATIONS {
            assert_eq!(administrator.operate(operation, &path, &item).status, 500);
        }
    }
    let mut responses_not_seen = notes.client.responses_not_seen("1.0");
    responses_not_seen.retain(|line| !is_covered_elsewhere(line));
    assert_eq!(responses_not_seen, NOT_COVERED);
}

const BASE_URL: &str = "https://notes.example.com";

/// Removes what only the document of a running service has: the OAuth 2 flows, and the security requirements
/// that refer to them. Where flows are present, they carry the scopes; otherwise the bearer scheme does.
fn remove_flows(document: &mut Value) -> Value {
    let flows = document["components"]["securitySchemes"]
        .as_object_mut()
        .and_then(|schemes| schemes.remove("oauth2"));
    let mut opened = serde_json::Map::new();
    for (path, item) in document["paths"].as_object_mut().unwrap() {
        for (method, operation) in item.as_object_mut().unwrap() {
            let ways = operation.get_mut("security");
            let Some(ways) = ways.and_then(Value::as_array_mut) else {
                continue;
            };
            let by_flow = ways.extract_if(.., |way| way.get("oauth2").is_some());
            let by_flow: Vec<Value> = by_flow.collect();
            let others = ways.iter_mut().filter_map(Value::as_object_mut);
            for scopes in others.flat_map(|way| way.values_mut()) {
                assert!(by_flow.is_empty() || *scopes == json!([]));
                *scopes = json!([]);
            }
            opened.insert(format!("{method} {path}"), json!(by_flow));
        }
    }
    json!({"oauth2": flows, "security": opened, "servers": document["servers"]})
}

#[test]
fn the_served_document_adds_the_oauth2_flows() {
    let database = TestDatabase::sqlite();
    let mut served = command(&database);
    served.env("BASE_URL", BASE_URL);
    let notes = Notes::spawn(served, &database);
    let head = b"GET /api/1.0/openapi.json HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";
    let mut served = raw::parse(&raw::exchange(notes.client.address(), head)).ok();
    let golden = serde_json::to_string_pretty(&remove_flows(&mut served)).unwrap();
    assert_golden("protected-notes-served.json", &(golden + "\n"));

    let asked = ["openapi", "--version", "1.0", "--base-url", BASE_URL];
    let told = watch::output(cleared().args(asked));
    let mut told: Value = serde_json::from_slice(&told.stdout).unwrap();
    assert_eq!(remove_flows(&mut told)["oauth2"], Value::Null);
    assert_eq!(served, told);
}
