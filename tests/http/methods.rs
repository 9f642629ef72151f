//! Methods: those that a path allows, and 405 with `Allow` for the others.

use resource_runtime::{Api, ApiResource};
use resource_tests::{
    Answer, Service, address_book, apply, assert_error, assert_no_content, every_database,
};
use serde_json::json;

const COLLECTION: [&str; 3] = ["GET", "HEAD", "POST"];
const ITEM: [&str; 5] = ["DELETE", "GET", "HEAD", "PATCH", "PUT"];

#[derive(Debug, ApiResource)]
#[resource(
    name = "Country",
    url = "/countries",
    version = "1.0",
    operations(list, retrieve)
)]
struct Country {
    id: i64,
    name: Option<String>,
}

#[derive(Debug, ApiResource)]
#[resource(name = "Event", url = "/events", version = "1.0", operations(create))]
struct Event {
    id: i64,
    name: Option<String>,
}

fn service_with_some_operations() -> Service {
    Service::start(|database| {
        Api::builder()
            .resource::<Country>()
            .resource::<Event>()
            .build(database)
    })
}

#[track_caller]
fn assert_not_allowed(answer: &Answer, allowed: &[&str]) {
    let described = assert_error(answer, 405, 10070);
    assert_eq!(answer.methods(), allowed);
    // Most clients show no headers.
    let named = allowed.iter().map(|method| format!("`{method}`"));
    let named: Vec<String> = named.collect();
    let named: Vec<&str> = named.iter().map(String::as_str).collect();
    described.naming(&["it offers"]).naming(&named);
}

#[apply(every_database)]
fn a_collection_allows_only_get_head_and_post() {
    let service = address_book();
    for method in ["PUT", "DELETE", "PATCH", "TRACE", "PROPFIND", "get"] {
        println!("{method}");
        let answer = service
            .request(method, "/api/1.0/settings")
            .json("{}")
            .send();
        assert_not_allowed(&answer, &COLLECTION);
        // Other APIs write all items that a condition finds.
        let is_of_item = ["PUT", "DELETE", "PATCH"].contains(&method);
        let told = answer.text().contains("one request writes one item");
        assert_eq!(told, is_of_item, "{}", answer.text());
    }
}

#[apply(every_database)]
fn an_item_allows_only_get_head_put_patch_and_delete() {
    let service = address_book();
    for method in ["POST", "TRACE", "PROPFIND", "put"] {
        println!("{method}");
        let answer = service
            .request(method, "/api/latest/settings/1")
            .json("{}")
            .send();
        assert_not_allowed(&answer, &ITEM);
    }
}

#[apply(every_database)]
fn a_wrong_method_is_405_before_the_item_is_looked_up() {
    let service = address_book();
    assert_not_allowed(
        &service.request("POST", "/api/1.0/settings/abc").send(),
        &ITEM,
    );
}

#[apply(every_database)]
fn an_operation_that_is_left_out_is_405_10070() {
    let service = service_with_some_operations();
    let readable = ["GET", "HEAD"];
    assert_not_allowed(&service.post("/api/1.0/countries", &json!({})), &readable);
    assert_not_allowed(&service.put("/api/1.0/countries/1", &json!({})), &readable);
    assert_not_allowed(
        &service.patch("/api/1.0/countries/1", &json!({})),
        &readable,
    );
    assert_not_allowed(&service.delete("/api/1.0/countries/1"), &readable);
    assert_not_allowed(&service.get("/api/1.0/events"), &["POST"]);
    let head = service.request("HEAD", "/api/1.0/events").send();
    assert_eq!((head.status, head.methods()), (405, vec!["POST"]));
}

#[apply(every_database)]
fn the_declared_operations_work() {
    let service = service_with_some_operations();
    assert_eq!(
        service.read("/api/1.0/countries"),
        json!({"items": [], "totalItems": 0})
    );
    assert_error(&service.get("/api/1.0/countries/1"), 404, 10001);
    assert_eq!(
        service.create("/api/1.0/events", &json!({})),
        "/api/1.0/events/1"
    );
}

#[apply(every_database)]
fn a_path_without_any_operation_is_404_10000() {
    let service = service_with_some_operations();
    assert_error(&service.get("/api/1.0/events/1"), 404, 10000);
}

#[apply(every_database)]
fn head_is_get_without_the_body() {
    let service = address_book();
    service.create("/api/1.0/settings", &json!({"name": "one", "value": "1"}));
    for path in [
        "/api/1.0/settings",
        "/api/1.0/settings/1",
        "/api/latest/settings?limit=0",
        "/api/1.0/settings/2",
    ] {
        println!("{path}");
        let (get, head) = (service.get(path), service.request("HEAD", path).send());
        assert_eq!(head.status, get.status);
        assert!(head.body.is_empty());
        for name in ["content-type", "content-length"] {
            assert_eq!(head.header(name), get.header(name), "{name}");
        }
    }
}

#[apply(every_database)]
fn options_is_204_with_allow() {
    let service = address_book();
    for (path, allowed) in [
        ("/api/1.0/settings", &COLLECTION[..]),
        ("/api/latest/settings/1", &ITEM[..]),
    ] {
        let answer = service.request("OPTIONS", path).send();
        assert_no_content(&answer);
        assert_eq!(answer.methods(), allowed);
        let is_patched = allowed.contains(&"PATCH");
        let form = is_patched.then_some("application/merge-patch+json");
        assert_eq!(answer.header("accept-patch"), form);
    }
}

#[apply(every_database)]
fn options_of_an_unknown_path_is_404_10000() {
    let service = address_book();
    assert_error(
        &service.request("OPTIONS", "/api/1.0/nothing").send(),
        404,
        10000,
    );
}

#[apply(every_database)]
fn options_lists_only_the_declared_operations() {
    let service = service_with_some_operations();
    let answer = service.request("OPTIONS", "/api/1.0/countries").send();
    assert_eq!(answer.methods(), ["GET", "HEAD"]);
}
