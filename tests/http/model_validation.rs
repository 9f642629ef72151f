//! Validation of a body against the model: all problems in one message.

use resource_tests::{address_book, apply, assert_error, every_database};
use serde_json::json;

#[apply(every_database)]
fn three_problems_are_named_in_one_message() {
    let service = address_book();
    let answer = service.post(
        "/api/1.0/settings",
        &json!({"name": "n".repeat(51), "vlaue": "red"}),
    );
    assert_error(&answer, 400, 10010)
        .naming(&["`name`", "50", "`vlaue`", "did you mean `value`", "`value`"])
        .in_lines(3);
}

#[apply(every_database)]
fn every_kind_of_problem_is_named_in_one_message() {
    let service = address_book();
    let body = json!({
        "id": 7, "line2": 5, "line3": "x".repeat(201), "city": ["Ely"], "zip": "1", "bill_address": null,
    });
    let answer = service.post("/api/1.0/addresses", &body);
    assert_error(&answer, 400, 10010)
        .naming(&[
            "`id`",
            "`line1`",
            "`line2`",
            "`line3`",
            "200",
            "`city`",
            "`zip`",
            "`zip_code`",
            "`bill_address`",
        ])
        .in_lines(7);
}

#[apply(every_database)]
fn an_update_names_all_problems() {
    let service = address_book();
    let path = service.create("/api/1.0/addresses", &json!({"line1": "x"}));
    let body =
        json!({"id": 7, "line1": null, "line2": 5, "zip_code": "12345678901", "citi": "Ely"});
    assert_error(&service.put(&path, &body), 400, 10010)
        .naming(&[
            "`id`",
            "`line1`",
            "`line2`",
            "`zip_code`",
            "10",
            "`citi`",
            "did you mean `city`",
        ])
        .in_lines(5);
}

#[apply(every_database)]
fn an_unknown_attribute_is_named_with_the_nearest_one() {
    let service = address_book();
    for (unknown, nearest) in [("vlaue", "value"), ("Value", "value"), ("names", "name")] {
        let answer = service.post(
            "/api/1.0/settings",
            &json!({"name": "a", "value": "b", unknown: 1}),
        );
        let remedy = format!("did you mean `{nearest}`");
        assert_error(&answer, 400, 10010)
            .naming(&[&format!("`{unknown}`"), &remedy])
            .in_lines(1);
    }
}

#[apply(every_database)]
fn nothing_is_suggested_for_a_name_without_a_similar_attribute() {
    let answer = address_book().post(
        "/api/1.0/settings",
        &json!({"name": "a", "value": "b", "colour": 1}),
    );
    assert_error(&answer, 400, 10010)
        .naming(&["`colour`"])
        .without("did you mean");
}

#[apply(every_database)]
fn attribute_names_must_match_exactly() {
    let service = address_book();
    for name in [
        "",
        " name",
        "name ",
        "na\u{0}me",
        "settings.name",
        "\"name\"",
        "1",
        "ñame",
        "__proto__",
        "n\name",
    ] {
        println!("{name:?}");
        let answer = service.post(
            "/api/1.0/settings",
            &json!({"name": "a", "value": "b", name: "c"}),
        );
        assert_error(&answer, 400, 10010);
    }
}

#[apply(every_database)]
fn a_line_break_in_an_attribute_name_adds_no_line_to_the_message() {
    let answer = address_book().post(
        "/api/1.0/settings",
        &json!({"name": "a", "value": "b", "x\ny\r\nz": 1}),
    );
    assert_error(&answer, 400, 10010).in_lines(1);
}

#[apply(every_database)]
fn a_long_attribute_name_is_shortened_in_the_message() {
    let service = address_book();
    let answer = service.post(
        "/api/1.0/settings",
        &json!({"name": "a", "value": "b", "x".repeat(500_000): 1}),
    );
    assert_error(&answer, 400, 10010);
    assert!(answer.body.len() < 10_000, "{} bytes", answer.body.len());
}

#[apply(every_database)]
fn a_text_attribute_accepts_only_strings() {
    let service = address_book();
    for value in [
        json!(1),
        json!(1.5),
        json!(true),
        json!([]),
        json!(["b"]),
        json!({}),
        json!({"b": "c"}),
    ] {
        println!("{value}");
        let answer = service.post("/api/1.0/settings", &json!({"name": "a", "value": value}));
        assert_error(&answer, 400, 10010)
            .naming(&["`value`", "string"])
            .in_lines(1);
    }
}

#[apply(every_database)]
fn a_reference_accepts_only_integers() {
    let service = address_book();
    for value in [
        json!("1"),
        json!(1.5),
        json!(true),
        json!([1]),
        json!({"id": 1}),
    ] {
        println!("{value}");
        let answer = service.post("/api/1.0/persons", &json!({"bill_address_id": value}));
        assert_error(&answer, 400, 10010)
            .naming(&["`bill_address_id`", "integer"])
            .in_lines(1);
    }
}

#[apply(every_database)]
fn the_model_is_checked_before_references() {
    let service = address_book();
    let answer = service.post(
        "/api/1.0/persons",
        &json!({"bill_address_id": 99, "ship_address_id": "x"}),
    );
    assert_error(&answer, 400, 10010)
        .naming(&["`ship_address_id`"])
        .in_lines(1);
}
