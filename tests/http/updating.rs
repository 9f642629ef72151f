//! `PUT` on an item.

use resource_tests::{
    Service, address_book, apply, assert_error, assert_no_content, every_database,
};
use serde_json::{Value, json};

const ITEM: &str = "/api/1.0/settings/1";

fn with_a_setting() -> Service {
    let service = address_book();
    service.create(
        "/api/1.0/settings",
        &json!({"name": "colour", "value": "red"}),
    );
    service
}

#[track_caller]
fn assert_unchanged(service: &Service) {
    assert_eq!(
        service.read(ITEM),
        json!({"id": 1, "name": "colour", "value": "red"})
    );
}

#[apply(every_database)]
fn update_is_204_without_a_body() {
    assert_no_content(&with_a_setting().put(ITEM, &json!({"name": "hue", "value": "blue"})));
}

#[apply(every_database)]
fn an_update_changes_only_the_attributes_in_the_body() {
    let service = with_a_setting();
    assert_no_content(&service.put(ITEM, &json!({"value": "blue"})));
    assert_eq!(
        service.read(ITEM),
        json!({"id": 1, "name": "colour", "value": "blue"})
    );
}

#[apply(every_database)]
fn only_the_item_of_the_path_is_changed() {
    let service = with_a_setting();
    let other = service.create(
        "/api/1.0/settings",
        &json!({"name": "size", "value": "red"}),
    );
    assert_no_content(&service.put(ITEM, &json!({"value": "blue"})));
    assert_eq!(service.read(&other)["value"], "red");
}

#[apply(every_database)]
fn an_empty_object_changes_nothing() {
    let service = with_a_setting();
    assert_no_content(&service.put(ITEM, &json!({})));
    assert_unchanged(&service);
}

#[apply(every_database)]
fn null_clears_an_optional_attribute_and_absence_does_not() {
    let service = address_book();
    let path = service.create(
        "/api/1.0/addresses",
        &json!({"line1": "a", "city": "Ely", "country": "GB"}),
    );
    assert_no_content(&service.put(&path, &json!({"city": null})));
    let address = service.read(&path);
    assert_eq!(
        (&address["city"], &address["country"]),
        (&Value::Null, &json!("GB"))
    );
}

#[apply(every_database)]
fn a_required_attribute_cannot_be_set_to_null() {
    let service = with_a_setting();
    assert_error(&service.put(ITEM, &json!({"value": null})), 400, 10010)
        .naming(&["value"])
        .in_lines(1);
    assert_unchanged(&service);
}

#[apply(every_database)]
fn an_id_in_the_body_must_equal_the_one_in_the_path() {
    let service = with_a_setting();
    assert_no_content(&service.put(ITEM, &json!({"id": 1, "value": "red"})));
    for id in [json!(2), json!("1"), json!(null), json!(1.0)] {
        println!("{id}");
        assert_error(
            &service.put(ITEM, &json!({"id": id, "value": "blue"})),
            400,
            10010,
        )
        .naming(&["id"]);
    }
    assert_unchanged(&service);
}

#[apply(every_database)]
fn an_unknown_item_is_404_10001() {
    let answer = with_a_setting().put("/api/1.0/settings/2", &json!({"value": "blue"}));
    assert_error(&answer, 404, 10001).naming(&["does not exist"]);
}

#[apply(every_database)]
fn an_unknown_item_is_404_10001_even_when_nothing_would_change() {
    let service = with_a_setting();
    for body in [json!({}), json!({"id": 2})] {
        assert_error(&service.put("/api/1.0/settings/2", &body), 404, 10001);
    }
}

#[apply(every_database)]
fn an_unknown_item_is_404_10001_even_with_a_bad_body() {
    let service = with_a_setting();
    for body in [
        "",
        "{",
        "[]",
        "{\"id\": 7}",
        "{\"nonsense\": 1}",
        "{\"value\": null}",
        "{\"a\": 1, \"a\": 2}",
    ] {
        println!("{body}");
        let answer = service
            .request("PUT", "/api/1.0/settings/2")
            .json(body)
            .send();
        assert_error(&answer, 404, 10001);
    }
}

#[apply(every_database)]
fn a_refused_update_changes_nothing() {
    let service = with_a_setting();
    let answer = service.put(
        ITEM,
        &json!({"value": "blue", "name": "n".repeat(51), "colour": 1}),
    );
    assert_error(&answer, 400, 10010)
        .naming(&["name", "50", "colour"])
        .in_lines(2);
    assert_unchanged(&service);
}

#[apply(every_database)]
fn bulk_update_is_not_offered() {
    let service = with_a_setting();
    assert_error(&service.put(ITEM, &json!([{"value": "blue"}])), 400, 10050).naming(&["bulk"]);
    assert_unchanged(&service);
}

#[apply(every_database)]
fn an_item_may_keep_its_own_unique_value() {
    let service = with_a_setting();
    assert_no_content(&service.put(ITEM, &json!({"name": "colour", "value": "blue"})));
    assert_eq!(service.read(ITEM)["value"], "blue");
}

#[apply(every_database)]
fn query_parameters_are_ignored() {
    let service = with_a_setting();
    for query in ["fields=name", "fields=nonsense(", "limit=x", "%FF"] {
        assert_no_content(&service.put(&format!("{ITEM}?{query}"), &json!({"value": query})));
        assert_eq!(service.read(ITEM)["value"], query);
    }
}

#[apply(every_database)]
fn an_update_under_latest_is_validated_by_the_newest_version() {
    let service = with_a_setting();
    let long = json!({"name": "n".repeat(80)});
    assert_error(&service.put(ITEM, &long), 400, 10010).naming(&["name", "50"]);
    assert_no_content(&service.put("/api/latest/settings/1", &long));
}
