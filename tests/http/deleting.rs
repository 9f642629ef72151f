//! `DELETE` on an item.

use resource_tests::{
    Service, address_book, apply, assert_error, assert_no_content, every_database,
};
use serde_json::json;

fn with_an_address_in_use() -> Service {
    let service = address_book();
    service.create("/api/1.0/addresses", &json!({"line1": "1 High Street"}));
    service.create("/api/1.0/persons", &json!({"mail_address_id": 1}));
    service
}

#[apply(every_database)]
fn delete_is_204_without_a_body_and_the_item_is_gone() {
    let service = address_book();
    let path = service.create("/api/1.0/settings", &json!({"name": "a", "value": "b"}));
    assert_no_content(&service.delete(&path));
    assert_error(&service.get(&path), 404, 10001);
    assert_eq!(service.read("/api/1.0/settings")["totalItems"], 0);
}

#[apply(every_database)]
fn only_the_item_of_the_path_is_deleted() {
    let service = address_book();
    let first = service.create("/api/1.0/settings", &json!({"name": "a", "value": "b"}));
    let second = service.create("/api/1.0/settings", &json!({"name": "b", "value": "b"}));
    assert_no_content(&service.delete(&first));
    assert_eq!(service.read(&second)["name"], "b");
}

#[apply(every_database)]
fn an_unknown_item_is_404_10001() {
    let service = address_book();
    let path = service.create("/api/1.0/settings", &json!({"name": "a", "value": "b"}));
    assert_no_content(&service.delete(&path));
    assert_error(&service.delete(&path), 404, 10001).naming(&["does not exist"]);
}

#[apply(every_database)]
fn deleting_a_referenced_item_is_400_10020_that_names_the_referring_resource() {
    let service = with_an_address_in_use();
    let answer = service.delete("/api/1.0/addresses/1");
    assert_error(&answer, 400, 10020).naming(&["in use", "Person"]);
    assert_eq!(
        service.read("/api/1.0/addresses/1")["line1"],
        "1 High Street"
    );
}

#[apply(every_database)]
fn an_item_can_be_deleted_once_the_reference_is_cleared() {
    let service = with_an_address_in_use();
    assert_no_content(&service.put("/api/1.0/persons/1", &json!({"mail_address_id": null})));
    assert_no_content(&service.delete("/api/1.0/addresses/1"));
}

#[apply(every_database)]
fn an_item_can_be_deleted_once_the_referring_item_is_deleted() {
    let service = with_an_address_in_use();
    assert_no_content(&service.delete("/api/1.0/persons/1"));
    assert_no_content(&service.delete("/api/1.0/addresses/1"));
}

#[apply(every_database)]
fn a_unique_value_can_be_reused_after_its_item_is_deleted() {
    let service = address_book();
    let path = service.create("/api/1.0/settings", &json!({"name": "a", "value": "b"}));
    assert_no_content(&service.delete(&path));
    service.create("/api/1.0/settings", &json!({"name": "a", "value": "b"}));
}

#[apply(every_database)]
fn query_parameters_and_a_body_are_ignored() {
    let service = address_book();
    let path = service.create("/api/1.0/settings", &json!({"name": "a", "value": "b"}));
    let request = service.request(
        "DELETE",
        &format!("{path}?fields=nonsense(&fields=&limit=x"),
    );
    assert_no_content(
        &request
            .header("content-type", "text/plain")
            .body("{not JSON")
            .send(),
    );
}
