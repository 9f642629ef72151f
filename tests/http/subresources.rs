//! Subresources: only their keys are read and written.

use resource_tests::{
    Service, address_book, apply, assert_error, assert_no_content, every_database,
};
use serde_json::json;

fn with_two_addresses() -> Service {
    let service = address_book();
    service.create("/api/1.0/addresses", &json!({"line1": "1 High Street"}));
    service.create("/api/1.0/addresses", &json!({"line1": "2 High Street"}));
    service
}

#[apply(every_database)]
fn an_item_has_only_the_keys_of_its_subresources() {
    let service = with_two_addresses();
    let body = json!({"first_name": "Ann", "bill_address_id": 1, "ship_address_id": 2});
    let path = service.create("/api/1.0/persons", &body);
    let text = r#"{"id":1,"first_name":"Ann","last_name":null,"bill_address_id":1,"ship_address_id":2,"mail_address_id":null}"#;
    assert_eq!(service.get(&path).text(), text);
    assert_eq!(
        service.get("/api/1.0/persons").text(),
        format!(r#"{{"items":[{text}],"totalItems":1}}"#)
    );
}

#[apply(every_database)]
fn a_subresource_object_is_400_10010_that_names_its_key() {
    let service = with_two_addresses();
    for value in [json!({"line1": "1 High Street"}), json!(null), json!(1)] {
        println!("{value}");
        let answer = service.post("/api/1.0/persons", &json!({"bill_address": value}));
        assert_error(&answer, 400, 10010)
            .naming(&["`bill_address`", "`bill_address_id`"])
            .in_lines(1);
    }
}

#[apply(every_database)]
fn a_subresource_object_is_refused_on_update_too() {
    let service = with_two_addresses();
    let path = service.create("/api/1.0/persons", &json!({}));
    let answer = service.put(&path, &json!({"ship_address": {"id": 2}}));
    assert_error(&answer, 400, 10010).naming(&["`ship_address`", "`ship_address_id`"]);
}

#[apply(every_database)]
fn several_references_may_have_the_same_target() {
    let service = with_two_addresses();
    let body = json!({"bill_address_id": 1, "ship_address_id": 1, "mail_address_id": 1});
    let person = service.read(&service.create("/api/1.0/persons", &body));
    assert_eq!(
        (&person["bill_address_id"], &person["mail_address_id"]),
        (&json!(1), &json!(1))
    );
}

#[apply(every_database)]
fn the_key_of_a_subresource_can_be_changed_and_set_to_null() {
    let service = with_two_addresses();
    let path = service.create("/api/1.0/persons", &json!({"bill_address_id": 1}));
    for key in [json!(2), json!(null), json!(1)] {
        assert_no_content(&service.put(&path, &json!({"bill_address_id": key})));
        assert_eq!(service.read(&path)["bill_address_id"], key);
    }
}

#[apply(every_database)]
fn the_maximum_lengths_of_the_specification_hold() {
    let service = address_book();
    let limits = [
        ("persons", "first_name", 80),
        ("persons", "last_name", 50),
        ("addresses", "line1", 200),
        ("addresses", "line2", 200),
        ("addresses", "line3", 200),
        ("addresses", "line4", 200),
        ("addresses", "line5", 200),
        ("addresses", "line6", 200),
        ("addresses", "city", 80),
        ("addresses", "country", 80),
        ("addresses", "zip_code", 10),
    ];
    for (collection, attribute, limit) in limits {
        println!("{attribute}");
        let path = format!("/api/1.0/{collection}");
        let mut body = if collection == "addresses" {
            json!({"line1": "x"})
        } else {
            json!({})
        };
        body[attribute] = json!("x".repeat(limit));
        service.create(&path, &body);
        body[attribute] = json!("x".repeat(limit + 1));
        assert_error(&service.post(&path, &body), 400, 10010)
            .naming(&[attribute, &limit.to_string()])
            .in_lines(1);
    }
}

#[apply(every_database)]
fn only_line1_of_an_address_is_required() {
    let answer = address_book().post("/api/1.0/addresses", &json!({"city": "Ely"}));
    assert_error(&answer, 400, 10010)
        .naming(&["line1"])
        .in_lines(1);
}
