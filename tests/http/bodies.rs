//! Request bodies: their content type, and that they are one JSON object.

use resource_tests::{
    Answer, Client, address_book, apply, assert_created, assert_error, every_database,
};
use serde_json::json;

const SETTINGS: &str = "/api/1.0/settings";

fn post(service: &Client, body: impl Into<Vec<u8>>) -> Answer {
    service.request("POST", SETTINGS).json(body).send()
}

#[apply(every_database)]
fn json_and_plus_json_content_types_are_accepted() {
    let service = address_book();
    let types = [
        "application/json",
        "application/json; charset=utf-8",
        "application/json;charset=UTF-8",
        "Application/JSON",
        "application/vnd.setting+json",
        "application/vnd.example.setting+json",
        "text/vnd.example+json",
    ];
    for (number, kind) in types.iter().enumerate() {
        println!("{kind}");
        let body = json!({"name": number.to_string(), "value": "v"}).to_string();
        let answer = service
            .request("POST", SETTINGS)
            .header("content-type", kind)
            .body(body)
            .send();
        assert_created(&answer);
    }
}

#[apply(every_database)]
fn every_other_content_type_is_415_10073() {
    let service = address_book();
    let types = [
        "",
        "text/plain",
        "text/json",
        "application/x-www-form-urlencoded",
        "multipart/form-data; boundary=x",
        "application/jsonx",
        "application/xjson",
        "application/json+xml",
        "json",
        "application/",
        "*/*",
        "application/json, text/plain",
        "/json",
    ];
    for kind in types {
        println!("{kind}");
        let body = r#"{"name": "a", "value": "b"}"#;
        let answer = service
            .request("POST", SETTINGS)
            .header("content-type", kind)
            .body(body)
            .send();
        assert_error(&answer, 415, 10073).naming(&["application/json"]);
    }
    assert_eq!(service.read(SETTINGS)["totalItems"], 0);
}

#[apply(every_database)]
fn a_body_without_a_content_type_is_415_10073() {
    let service = address_book();
    let answer = service
        .request("POST", SETTINGS)
        .body(r#"{"name": "a", "value": "b"}"#)
        .send();
    assert_error(&answer, 415, 10073);
}

#[apply(every_database)]
fn a_compressed_body_is_415_10073() {
    let service = address_book();
    for encoding in ["gzip", "br", "x-nonsense"] {
        let request = service.request("POST", SETTINGS);
        let request = request.header("content-encoding", encoding);
        assert_error(&request.json(b"\x1f\x8b\x08\0").send(), 415, 10073);
    }
}

#[apply(every_database)]
fn an_identity_coding_is_accepted_in_any_case() {
    let service = address_book();
    for (index, coding) in ["identity", "Identity", "IDENTITY"].iter().enumerate() {
        let request = service.request("POST", SETTINGS);
        let request = request.header("content-encoding", coding);
        let body = json!({"name": format!("coded-{index}"), "value": "b"});
        let answer = request.json(body.to_string()).send();
        assert_eq!(answer.status, 201, "{coding}");
    }
}

#[apply(every_database)]
fn an_update_of_the_wrong_content_type_is_415_10073() {
    let service = address_book();
    let path = service.create(SETTINGS, &json!({"name": "a", "value": "b"}));
    let answer = service
        .request("PUT", &path)
        .header("content-type", "text/plain")
        .body("{}")
        .send();
    assert_error(&answer, 415, 10073);
}

#[apply(every_database)]
fn an_empty_body_is_400_10050() {
    let service = address_book();
    for body in ["", " ", "\r\n\t "] {
        assert_error(&post(&service, body), 400, 10050);
    }
    assert_error(
        &service
            .request("POST", SETTINGS)
            .header("content-type", "application/json")
            .send(),
        400,
        10050,
    );
}

#[apply(every_database)]
fn a_body_that_is_not_an_object_is_400_10050() {
    let service = address_book();
    for body in ["null", "true", "1", "-1.5e3", "\"text\"", "\"{}\""] {
        println!("{body}");
        assert_error(&post(&service, body), 400, 10050).naming(&["object"]);
    }
}

#[apply(every_database)]
fn an_array_body_is_400_10050_saying_that_bulk_writes_are_not_offered() {
    let service = address_book();
    for body in ["[]", "[{}]", " [ { \"name\": 1 } ]"] {
        println!("{body}");
        assert_error(&post(&service, body), 400, 10050).naming(&["bulk"]);
    }
}

#[apply(every_database)]
fn white_space_between_tokens_is_allowed() {
    let service = address_book();
    assert_created(&post(
        &service,
        "\n\t {\r\n\"name\" :\t\"a\" ,\n\"value\":\"b\" }\n \r\n",
    ));
    assert_eq!(
        service.get("/api/1.0/settings/1").text(),
        r#"{"id":1,"name":"a","value":"b"}"#
    );
}

#[apply(every_database)]
fn a_duplicate_key_is_400_10050() {
    let service = address_book();
    let bodies = [
        r#"{"name": "a", "value": "b", "name": "c"}"#,
        r#"{"name": "a", "value": "b", "value": "b"}"#,
        r#"{"name": "a", "value": "b", "n\u0061me": "c"}"#,
        r#"{"colour": 1, "name": "a", "value": "b", "colour": 2}"#,
    ];
    for body in bodies {
        println!("{body}");
        assert_error(&post(&service, body), 400, 10050).naming(&["line 1", "column"]);
    }
    assert_error(&post(&service, bodies[0]), 400, 10050).naming(&["`name`"]);
    assert_eq!(service.read(SETTINGS)["totalItems"], 0);
}

#[apply(every_database)]
fn json_escapes_in_keys_and_values_are_decoded() {
    let service = address_book();
    assert_created(&post(
        &service,
        r#"{"n\u0061me": "\u00e4\ud83d\ude00", "value": "\"\\\/\b\f\n\r\t"}"#,
    ));
    assert_eq!(
        service.read("/api/1.0/settings/1"),
        json!({"id": 1, "name": "ä😀", "value": "\"\\/\u{8}\u{c}\n\r\t"})
    );
}
