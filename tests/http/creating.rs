//! `POST` on a collection.

use resource_tests::{address_book, apply, assert_created, assert_error, every_database};
use serde_json::json;

#[apply(every_database)]
fn create_is_201_with_location_and_an_empty_body() {
    let service = address_book();
    let answer = service.post(
        "/api/1.0/settings",
        &json!({"name": "colour", "value": "red"}),
    );
    assert_eq!(assert_created(&answer), "/api/1.0/settings/1");
}

#[apply(every_database)]
fn the_location_leads_to_the_new_item() {
    let service = address_book();
    let location = service.create(
        "/api/1.0/settings",
        &json!({"name": "colour", "value": "red"}),
    );
    assert_eq!(
        service.read(&location),
        json!({"id": 1, "name": "colour", "value": "red"})
    );
}

#[apply(every_database)]
fn every_item_gets_its_own_id() {
    let service = address_book();
    for id in 1..=3 {
        let location = service.create("/api/1.0/addresses", &json!({"line1": "the same"}));
        assert_eq!(location, format!("/api/1.0/addresses/{id}"));
    }
}

#[apply(every_database)]
fn a_missing_required_attribute_is_400_10010_that_names_it() {
    let service = address_book();
    let answer = service.post("/api/1.0/settings", &json!({"name": "colour"}));
    assert_error(&answer, 400, 10010)
        .naming(&["value"])
        .without("name`")
        .in_lines(1);
}

#[apply(every_database)]
fn all_missing_required_attributes_are_named() {
    let answer = address_book().post("/api/1.0/settings", &json!({}));
    assert_error(&answer, 400, 10010)
        .naming(&["name", "value"])
        .in_lines(2);
}

#[apply(every_database)]
fn null_for_a_required_attribute_is_400_10010() {
    let answer = address_book().post(
        "/api/1.0/settings",
        &json!({"name": "colour", "value": null}),
    );
    assert_error(&answer, 400, 10010)
        .naming(&["value"])
        .in_lines(1);
}

#[apply(every_database)]
fn an_optional_attribute_may_be_absent_or_null() {
    let service = address_book();
    let absent = service.create("/api/1.0/persons", &json!({}));
    let null = service.create(
        "/api/1.0/persons",
        &json!({"first_name": null, "bill_address_id": null}),
    );
    for location in [absent, null] {
        let person = service.read(&location);
        assert_eq!(
            (&person["first_name"], &person["bill_address_id"]),
            (&json!(null), &json!(null))
        );
    }
}

#[apply(every_database)]
fn an_empty_text_satisfies_a_required_attribute() {
    let service = address_book();
    let location = service.create("/api/1.0/settings", &json!({"name": "", "value": ""}));
    assert_eq!(
        service.read(&location),
        json!({"id": 1, "name": "", "value": ""})
    );
}

#[apply(every_database)]
fn an_id_in_the_body_is_400_10010() {
    let service = address_book();
    for id in [json!(1), json!(7), json!("7"), json!(null)] {
        let answer = service.post(
            "/api/1.0/settings",
            &json!({"id": id, "name": "a", "value": "b"}),
        );
        assert_error(&answer, 400, 10010)
            .naming(&["id"])
            .in_lines(1);
    }
}

#[apply(every_database)]
fn a_refused_create_stores_nothing() {
    let service = address_book();
    service.post("/api/1.0/settings", &json!({"name": "a"}));
    service.post(
        "/api/1.0/settings",
        &json!({"name": "a", "value": "b", "colour": "red"}),
    );
    assert_eq!(
        service.read("/api/1.0/settings"),
        json!({"items": [], "totalItems": 0})
    );
}

#[apply(every_database)]
fn bulk_creation_is_not_offered() {
    let service = address_book();
    let answer = service.post("/api/1.0/settings", &json!([{"name": "a", "value": "b"}]));
    assert_error(&answer, 400, 10050).naming(&["bulk"]);
    assert_eq!(service.read("/api/1.0/settings")["totalItems"], 0);
}

#[apply(every_database)]
fn query_parameters_are_ignored() {
    let service = address_book();
    for query in [
        "fields=id",
        "fields=nonsense(",
        "limit=x&limit=y",
        "colour=red",
        "%FF",
        "filter=eq(",
    ] {
        println!("{query}");
        let body = json!({"name": query, "value": "b"});
        service.create(&format!("/api/1.0/settings?{query}"), &body);
    }
}

#[apply(every_database)]
fn the_location_has_no_query() {
    let service = address_book();
    let location = service.create(
        "/api/latest/settings?fields=id",
        &json!({"name": "a", "value": "b"}),
    );
    assert_eq!(location, "/api/latest/settings/1");
}
