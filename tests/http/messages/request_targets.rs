//! Forms of request targets (RFC 9112, section 3.2), and equivalent paths (RFC 3986, section 6.2.2.2).

use axum::Router;
use resource_runtime::Api;
use resource_tests::models::SettingOne;
use resource_tests::{
    Service, address_book, apply, assert_created, assert_error, every_database, raw,
};
use serde_json::json;

use super::status;

/// The response to a path that HTTP clients would normalize.
#[track_caller]
fn answer(service: &Service, method: &str, path: &str, body: &str) -> resource_tests::Answer {
    let head = [
        &*format!("{method} {path} HTTP/1.1"),
        "Host: a",
        "Content-Type: application/json",
        &format!("Content-Length: {}", body.len()),
    ];
    raw::send(service.address(), &head, body.as_bytes())
}

#[apply(every_database)]
fn needless_percent_encoding_in_a_path_is_decoded() {
    let service = address_book();
    let setting = json!({"name": "a", "value": "b"}).to_string();
    let created = answer(&service, "POST", "/%61pi/1%2e0/%73etting%73", &setting);
    assert_eq!(assert_created(&created), "/api/1.0/settings/1");
    for path in [
        "/api/1.0/%73ettings/1",
        "/api/1%2E0/settings/%31",
        "/%61%70%69/l%61test/settings/1",
    ] {
        println!("{path}");
        assert_eq!(answer(&service, "GET", path, "").ok()["name"], "a");
    }
    assert_eq!(answer(&service, "GET", "/%65rrors/10001", "").status, 200);
    assert_eq!(
        answer(&service, "GET", "/api/1.0/%6fpenapi.json", "").status,
        200
    );
    assert_eq!(answer(&service, "GET", "/%64ocs", "").status, 200);
    assert_eq!(answer(&service, "GET", "/live%7A", "").status, 200);
    let list = answer(
        &service,
        "GET",
        "/api/1.0/%73ettings?limit=0&filter=eq(name,%22a%22)",
        "",
    );
    assert_eq!(list.ok()["totalItems"], 1);
    assert_eq!(
        answer(&service, "OPTIONS", "/api/1.0/%73ettings", "").methods(),
        ["GET", "HEAD", "POST"]
    );
    assert_error(
        &answer(&service, "PATCH", "/api/1.0/%73ettings", ""),
        405,
        10070,
    );
    assert_eq!(
        answer(&service, "DELETE", "/api/1.0/%73ettings/1", "").status,
        204
    );
}

#[apply(every_database)]
fn reserved_characters_are_not_decoded_and_nothing_is_decoded_twice() {
    let service = address_book();
    for path in [
        "/api%2F1.0%2Fsettings",
        "/api/1.0%2fsettings",
        "/api/1.0/%2573ettings",
        "/api/1.0/%2e%2e/1.0/settings",
        "/api/1.0/%2e/settings",
        "/api/1.0/%73ettings%2f1",
        "/api/1.0/%73ettings/",
        "/api/1.0/%73etting",
        "/api/1.0/%7",
        "/api/1.0/settings%00",
    ] {
        println!("{path}");
        assert_error(&answer(&service, "GET", path, ""), 404, 10000);
    }
    assert_error(
        &answer(&service, "GET", "/api/1.0/%73ettings/%2531", ""),
        404,
        10001,
    );
}

#[apply(every_database)]
fn a_nested_router_decodes_needless_percent_encoding() {
    let service = Service::start_wrapped(
        |database| Api::builder().resource::<SettingOne>().build(database),
        |api| Router::new().nest("/team", api),
    );
    let setting = json!({"name": "a", "value": "b"}).to_string();
    let created = answer(&service, "POST", "/team/api/1.0/%73ettings", &setting);
    assert_eq!(assert_created(&created), "/team/api/1.0/settings/1");
    let missing = answer(&service, "GET", "/team/api/1.0/%73ettings/7", "");
    assert_error(&missing, 404, 10001);
    assert_eq!(
        missing.json()["error_details"],
        "http://a/team/errors/10001"
    );
}

#[apply(every_database)]
fn options_asterisk_lists_all_methods() {
    let service = address_book();
    let answer = answer(&service, "OPTIONS", "*", "");
    assert_eq!((answer.status, answer.body.len()), (204, 0));
    assert_eq!(
        answer.methods(),
        ["DELETE", "GET", "HEAD", "PATCH", "POST", "PUT"]
    );
}

#[apply(every_database)]
fn unusual_methods_and_paths_are_404_or_405() {
    let service = address_book();
    let long = "X".repeat(10_000);
    for (line, status, code) in [
        ("CONNECT a:443", 404, 10000),
        ("TRACE /api/1.0/settings", 405, 10070),
        ("get /api/1.0/settings", 405, 10070),
        (&*format!("{long} /api/1.0/settings"), 405, 10070),
        ("GET //api/1.0/settings", 404, 10000),
        ("GET /api//1.0/settings", 404, 10000),
        ("GET /api/1.0/settings/", 404, 10000),
        ("GET /api/1.0/../1.0/settings", 404, 10000),
        ("GET http://a/x", 404, 10000),
    ] {
        println!("{line:.60}");
        let answer = raw::send(
            service.address(),
            &[&format!("{line} HTTP/1.1"), "Host: a"],
            b"",
        );
        assert_error(&answer, status, code);
    }
    assert_eq!(
        status(&service, &["GET /api/1.0/settings HTTP/1.1", "Host: a"]),
        200
    );
}
