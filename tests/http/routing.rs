//! Paths: `<root>/<version>/<collection>[/<id>]`, and nothing else.

use resource_tests::{address_book, apply, assert_error, every_database, raw};
use serde_json::json;

#[apply(every_database)]
fn a_resource_is_served_under_api_version_collection() {
    let service = address_book();
    assert_eq!(service.get("/api/1.0/settings").status, 200);
    assert_eq!(service.get("/api/2.0/settings").status, 200);
    assert_eq!(service.get("/api/1.0/addresses").status, 200);
    assert_eq!(service.get("/api/1.0/persons").status, 200);
}

#[apply(every_database)]
fn an_unknown_collection_is_404_10000() {
    let service = address_book();
    for path in [
        "/api/1.0/setting",
        "/api/1.0/Settings",
        "/api/latest/nothing",
        "/api/1.0/nothing/1",
    ] {
        println!("{path}");
        assert_error(&service.get(path), 404, 10000);
    }
}

#[apply(every_database)]
fn an_unknown_version_is_404_10000() {
    let service = address_book();
    for version in [
        "3.0", "1", "1.00", "01.0", "1.0.0", "v1.0", "1.", ".0", "1,0", "Latest", "LATEST",
        "newest", "-1.0",
    ] {
        println!("{version}");
        assert_error(
            &service.get(&format!("/api/{version}/settings")),
            404,
            10000,
        );
        assert_error(
            &service.get(&format!("/api/{version}/settings/1")),
            404,
            10000,
        );
    }
}

#[apply(every_database)]
fn a_version_of_another_collection_is_404_10000() {
    let service = address_book();
    assert_error(&service.get("/api/2.0/addresses"), 404, 10000);
    assert_error(&service.post("/api/2.0/persons", &json!({})), 404, 10000);
}

#[apply(every_database)]
fn a_path_outside_the_pattern_is_404_10000() {
    let service = address_book();
    for path in [
        "/api",
        "/api/",
        "/apix/1.0/settings",
        "/apix",
        "/ap/1.0/settings",
        "/api/api/1.0/settings",
        "/api/1.0/settings/1/value",
        "/api/1.0/settings/1/",
        "/settings",
        "/1.0/settings",
        "/API/1.0/settings",
    ] {
        println!("{path}");
        assert_error(&service.get(path), 404, 10000);
    }
}

#[apply(every_database)]
fn the_top_leads_to_the_documentation() {
    let service = address_book();
    for method in ["GET", "HEAD"] {
        let answer = service.request(method, "/").send();
        assert_eq!(answer.status, 307);
        assert_eq!(answer.header("location"), Some("/docs"));
    }
    assert_error(&service.post("/", &json!({})), 404, 10000);
}

#[apply(every_database)]
fn a_path_outside_the_pattern_is_404_for_every_method() {
    let service = address_book();
    for method in ["POST", "PUT", "DELETE", "PATCH", "PURGE"] {
        println!("{method}");
        assert_error(
            &service
                .request(method, "/api/1.0/nothing")
                .json("{}")
                .send(),
            404,
            10000,
        );
    }
}

#[apply(every_database)]
fn an_empty_identifier_is_404_10000() {
    let service = address_book();
    assert_error(&service.get("/api/1.0/settings/"), 404, 10000);
}

#[apply(every_database)]
fn an_identifier_of_the_wrong_type_is_404_10001() {
    let service = address_book();
    let path = service.create("/api/1.0/settings", &json!({"name": "one", "value": "1"}));
    assert_eq!(path, "/api/1.0/settings/1");
    for id in [
        "abc",
        "1.0",
        "1e0",
        "+1",
        "%2B1",
        "0x1",
        "%201",
        "1%20",
        "1%00",
        "true",
        "null",
        "1;2",
        "1,2",
        "'1'",
        "%C3%A4",
        "%FF",
        "-",
        "9223372036854775808",
        "-9223372036854775809",
        "99999999999999999999999999999999",
    ] {
        println!("{id}");
        assert_error(&service.get(&format!("/api/1.0/settings/{id}")), 404, 10001);
    }
}

#[apply(every_database)]
fn an_identifier_of_the_wrong_type_is_404_10001_for_put_and_delete() {
    let service = address_book();
    assert_error(
        &service.put("/api/1.0/settings/abc", &json!({"value": "x"})),
        404,
        10001,
    );
    assert_error(&service.delete("/api/1.0/settings/abc"), 404, 10001);
}

#[apply(every_database)]
fn an_identifier_without_an_item_is_404_10001() {
    let service = address_book();
    for id in [
        "1",
        "0",
        "-1",
        "9223372036854775807",
        "-9223372036854775808",
    ] {
        println!("{id}");
        assert_error(&service.get(&format!("/api/1.0/settings/{id}")), 404, 10001);
    }
}

#[apply(every_database)]
fn an_absolute_request_target_is_served() {
    let service = address_book();
    let line = format!("GET http://{}/api/1.0/settings HTTP/1.1", service.address());
    let answer = raw::send(service.address(), &[&line, "Host: elsewhere.example"], b"");
    assert_eq!(answer.ok(), json!({"items": [], "totalItems": 0}));
}
