//! `GET` of one item.

use resource_tests::{address_book, apply, assert_error, every_database};
use serde_json::json;

#[apply(every_database)]
fn an_item_has_its_attributes_in_declaration_order() {
    let service = address_book();
    service.create(
        "/api/1.0/settings",
        &json!({"value": "red", "name": "colour"}),
    );
    let answer = service.get("/api/1.0/settings/1");
    assert_eq!(answer.status, 200);
    assert_eq!(answer.header("content-type"), Some("application/json"));
    assert_eq!(answer.text(), r#"{"id":1,"name":"colour","value":"red"}"#);
}

#[apply(every_database)]
fn an_unknown_item_is_404_10001() {
    let answer = address_book().get("/api/1.0/settings/1");
    assert_error(&answer, 404, 10001).naming(&["does not exist"]);
}

#[apply(every_database)]
fn an_id_of_another_collection_is_404_10001() {
    let service = address_book();
    service.create(
        "/api/1.0/settings",
        &json!({"value": "red", "name": "colour"}),
    );
    assert_error(&service.get("/api/1.0/persons/1"), 404, 10001);
}

#[apply(every_database)]
fn empty_fields_are_as_if_absent() {
    let service = address_book();
    service.create(
        "/api/1.0/settings",
        &json!({"value": "red", "name": "colour"}),
    );
    assert_eq!(
        service.read("/api/1.0/settings/1?fields="),
        service.read("/api/1.0/settings/1")
    );
}

#[apply(every_database)]
fn an_unknown_parameter_is_400_10064_with_the_nearest_name() {
    let service = address_book();
    service.create(
        "/api/1.0/settings",
        &json!({"value": "red", "name": "colour"}),
    );
    let answer = service.get("/api/1.0/settings/1?feilds=");
    assert_error(&answer, 400, 10064).naming(&["feilds", "`fields`"]);
    assert_error(
        &service.get("/api/1.0/settings/1?fields=&fields="),
        400,
        10064,
    )
    .naming(&["fields"]);
}

#[apply(every_database)]
fn list_parameters_of_an_item_are_400_10064() {
    let service = address_book();
    service.create(
        "/api/1.0/settings",
        &json!({"value": "red", "name": "colour"}),
    );
    for name in ["offset", "limit", "order", "filter"] {
        let answer = service.get(&format!("/api/1.0/settings/1?{name}=1"));
        assert_error(&answer, 400, 10064).naming(&[name]);
    }
}
