//! A collection: its representation, its order, its total.

use resource_tests::{Service, address_book, apply, assert_no_content, every_database};
use serde_json::{Value, json};

/// An address book with the settings 1 to `count`.
pub(crate) fn with_settings(count: usize) -> Service {
    let service = address_book();
    for number in 1..=count {
        service.create(
            "/api/1.0/settings",
            &json!({"name": format!("name {number}"), "value": "v"}),
        );
    }
    service
}

/// Ids of the items of a page.
pub(crate) fn ids(page: &Value) -> Vec<i64> {
    page["items"]
        .as_array()
        .expect("items")
        .iter()
        .map(|item| item["id"].as_i64().expect("an id"))
        .collect()
}

#[apply(every_database)]
fn an_empty_collection_has_no_items() {
    let answer = address_book().get("/api/1.0/settings");
    assert_eq!(answer.status, 200);
    assert_eq!(answer.header("content-type"), Some("application/json"));
    assert_eq!(answer.text(), r#"{"items":[],"totalItems":0}"#);
}

#[apply(every_database)]
fn a_list_has_items_and_total_items() {
    let service = with_settings(2);
    assert_eq!(
        service.get("/api/1.0/settings").text(),
        r#"{"items":[{"id":1,"name":"name 1","value":"v"},{"id":2,"name":"name 2","value":"v"}],"totalItems":2}"#
    );
}

#[apply(every_database)]
fn items_are_ordered_by_primary_key() {
    let service = with_settings(5);
    assert_no_content(&service.delete("/api/1.0/settings/2"));
    assert_no_content(&service.put("/api/1.0/settings/1", &json!({"name": "zzz"})));
    assert_no_content(&service.put("/api/1.0/settings/5", &json!({"name": "aaa"})));
    assert_eq!(ids(&service.read("/api/1.0/settings")), [1, 3, 4, 5]);
}

#[apply(every_database)]
fn the_total_follows_creates_and_deletes() {
    let service = with_settings(3);
    assert_eq!(service.read("/api/1.0/settings?limit=1")["totalItems"], 3);
    service.delete("/api/1.0/settings/1");
    assert_eq!(service.read("/api/1.0/settings?limit=1")["totalItems"], 2);
    service.create("/api/1.0/settings", &json!({"name": "new", "value": "v"}));
    assert_eq!(service.read("/api/1.0/settings?limit=1")["totalItems"], 3);
}

#[apply(every_database)]
fn an_item_in_a_list_equals_the_item_retrieved_alone() {
    let service = address_book();
    service.create(
        "/api/1.0/addresses",
        &json!({"line1": "1 High Street", "city": "Ely"}),
    );
    let page = service.get("/api/1.0/addresses");
    let item = service.get("/api/1.0/addresses/1");
    assert_eq!(
        page.text(),
        format!(r#"{{"items":[{}],"totalItems":1}}"#, item.text())
    );
}

#[apply(every_database)]
fn an_item_has_every_attribute_and_unset_ones_are_null() {
    let service = address_book();
    service.create("/api/1.0/addresses", &json!({"line1": "1 High Street"}));
    assert_eq!(
        service.get("/api/1.0/addresses/1").text(),
        r#"{"id":1,"line1":"1 High Street","line2":null,"line3":null,"line4":null,"line5":null,"line6":null,"city":null,"country":null,"zip_code":null}"#
    );
}

#[apply(every_database)]
fn empty_filter_order_and_fields_are_as_if_absent() {
    let service = with_settings(2);
    let page = service.read("/api/1.0/settings");
    for query in [
        "filter=",
        "order=",
        "fields=",
        "filter=&order=&fields=&limit=10&offset=0",
        "",
    ] {
        assert_eq!(
            service.read(&format!("/api/1.0/settings?{query}")),
            page,
            "{query}"
        );
    }
}
