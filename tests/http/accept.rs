//! `Accept`: responses are JSON, and a client that does not accept JSON gets 406.

use resource_tests::{
    address_book, apply, assert_created, assert_error, assert_no_content, every_database,
};
use serde_json::json;

#[apply(every_database)]
fn json_is_served_when_accept_allows_it() {
    let service = address_book();
    for accept in [
        "application/json",
        "Application/JSON",
        "*/*",
        "application/*",
        "application/json;q=0.1",
        "text/html, */*;q=0.1",
        "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8",
        "application/json; charset=utf-8",
        "",
        "text/html;q=0, application/json",
        "*/*, application/problem+json;q=0",
        "application/problem+json;q=0, application/*;q=0.1",
    ] {
        println!("{accept}");
        let answer = service
            .request("GET", "/api/1.0/settings")
            .header("accept", accept)
            .send();
        assert_eq!(answer.ok(), json!({"items": [], "totalItems": 0}));
    }
}

#[apply(every_database)]
fn several_accept_headers_are_combined_into_one_list() {
    let service = address_book();
    let request = service
        .request("GET", "/api/1.0/settings")
        .header("accept", "text/html");
    assert_eq!(
        request.header("accept", "application/json").send().status,
        200
    );
}

#[apply(every_database)]
fn a_client_that_does_not_accept_json_gets_406_10071() {
    let service = address_book();
    for accept in [
        "text/html",
        "application/xml",
        "image/*",
        "text/*",
        "application/json;q=0",
        "application/json;q=0, */*",
        "application/*;q=0.0",
        "*/*;q=0",
    ] {
        println!("{accept}");
        for path in ["/api/1.0/settings", "/api/1.0/settings?limit=1"] {
            let answer = service.request("GET", path).header("accept", accept).send();
            assert_error(&answer, 406, 10071).naming(&["application/json"]);
        }
    }
}

#[apply(every_database)]
fn the_index_is_406_10071_when_json_is_not_accepted() {
    let answer = address_book()
        .request("GET", "/api/1.0")
        .header("accept", "text/html")
        .send();
    assert_error(&answer, 406, 10071).naming(&["application/json"]);
}

#[apply(every_database)]
fn a_create_answered_with_406_stores_nothing() {
    let service = address_book();
    let body = json!({"name": "a", "value": "b"}).to_string();
    let answer = service
        .request("POST", "/api/1.0/settings")
        .header("accept", "text/html")
        .json(body)
        .send();
    if answer.status == 406 {
        assert_error(&answer, 406, 10071);
        assert_eq!(service.read("/api/1.0/settings")["totalItems"], 0);
    } else {
        assert_created(&answer);
        assert_eq!(service.read("/api/1.0/settings")["totalItems"], 1);
    }
}

#[apply(every_database)]
fn a_delete_answered_with_406_deletes_nothing() {
    let service = address_book();
    let path = service.create("/api/1.0/settings", &json!({"name": "a", "value": "b"}));
    let answer = service
        .request("DELETE", &path)
        .header("accept", "text/html")
        .send();
    if answer.status == 406 {
        assert_error(&answer, 406, 10071);
        assert_eq!(service.get(&path).status, 200);
    } else {
        assert_no_content(&answer);
        assert_eq!(service.get(&path).status, 404);
    }
}
