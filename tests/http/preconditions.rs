//! `If-Match` and `If-None-Match` of writes: which are taken, and what refuses them.

use std::thread;

use resource_tests::{
    Answer, Service, address_book, apply, assert_error, every_database, responses_differ,
};
use serde_json::json;

const SETTING: &str = "/api/1.0/settings/1";

fn with(service: &Service, method: &str, path: &str, headers: &[(&str, &str)]) -> Answer {
    let request = service.request(method, path);
    let request = headers.iter().fold(request, |request, (name, value)| {
        request.header(name, value)
    });
    match method {
        "POST" => request
            .json(json!({"name": "n", "value": "v"}).to_string())
            .send(),
        "PUT" => request.json(json!({"value": "v"}).to_string()).send(),
        _ => request.send(),
    }
}

#[apply(every_database)]
fn conditions_that_an_operation_does_not_take_are_400_10074() {
    let service = address_book();
    let refused = |method, path: &str, headers: &[(&str, &str)]| {
        assert_error(&with(&service, method, path, headers), 400, 10074)
    };
    for tag in ["*", "\"a\""] {
        refused("POST", "/api/1.0/settings", &[("if-match", tag)]);
        refused("POST", "/api/1.0/settings", &[("if-none-match", tag)]);
        refused("DELETE", SETTING, &[("if-none-match", tag)]).naming(&["`If-Match`"]);
        let both = [("if-match", "*"), ("if-none-match", tag)];
        refused("PUT", SETTING, &both);
        refused("DELETE", SETTING, &both);
    }
    refused("PUT", SETTING, &[("if-none-match", "\"a\"")]).naming(&["`*`", "`If-Match`"]);
    for malformed in ["", "a", "\"a", "\"a\" \"b\"", "*, \"a\""] {
        refused("PUT", SETTING, &[("if-match", malformed)]).naming(&["`If-Match`"]);
        refused("DELETE", SETTING, &[("if-match", malformed)]);
    }
}

#[apply(every_database)]
fn a_missing_item_is_404_under_any_condition_and_an_existing_one_fulfils_a_star() {
    let service = address_book();
    for headers in [
        ("if-match", "*"),
        ("if-match", "\"a\""),
        ("if-none-match", "*"),
    ] {
        assert_error(&with(&service, "PUT", SETTING, &[headers]), 404, 10001);
    }
    assert_error(
        &with(&service, "DELETE", SETTING, &[("if-match", "\"a\"")]),
        404,
        10001,
    );
    service.create(
        "/api/1.0/settings",
        &json!({"name": "theme", "value": "dark"}),
    );
    let absent = with(&service, "PUT", SETTING, &[("if-none-match", "*")]);
    assert_error(&absent, 412, 10040).naming(&["Setting", "`1`", "exists already"]);
    let other = with(&service, "PUT", SETTING, &[("if-match", "\"a\"")]);
    assert_error(&other, 412, 10040).naming(&["none of these tags", "without `W/`"]);
    assert_error(
        &with(&service, "DELETE", SETTING, &[("if-match", "\"a\"")]),
        412,
        10040,
    );
    // A mistake in the body is told before.
    let request = service.request("PUT", SETTING).header("if-match", "\"a\"");
    assert_error(&request.json("{\"nam\": 1}").send(), 400, 10010);
    let request = service.request("PUT", SETTING).header("if-match", "\"a\"");
    assert_error(&request.json("{}").send(), 412, 10040);
    assert_eq!(service.read(SETTING)["value"], "dark");
    assert_eq!(
        with(&service, "PUT", SETTING, &[("if-match", "*")]).status,
        204
    );
    assert_eq!(
        with(&service, "DELETE", SETTING, &[("if-match", "*")]).status,
        204
    );
}

#[apply(every_database)]
fn an_item_that_is_as_before_again_is_changed_or_written_and_never_refused() {
    responses_differ("the clients run in no fixed order");
    let service = &address_book();
    service.create("/api/1.0/settings", &json!({"name": "theme", "value": "a"}));
    thread::scope(|scope| {
        for client in 0..16 {
            scope.spawn(move || {
                for _ in 0..20 {
                    let read = service.get(SETTING);
                    let value = if client % 2 == 0 { "a" } else { "b" };
                    let put = service
                        .request("PUT", SETTING)
                        .header("if-match", read.header("etag").unwrap_or_default());
                    let answer = put.json(json!({"value": value}).to_string()).send();
                    match answer.status {
                        204 => {}
                        503 => drop(assert_error(&answer, 503, 10090)),
                        _ => drop(assert_error(&answer, 412, 10040)),
                    }
                }
            });
        }
    });
}
