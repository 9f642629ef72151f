//! `fields`: the attributes of a response.

use resource_tests::{apply, assert_error, every_database};

use crate::people::{PERSONS, people};
use crate::requests::{page, refused, text, url};
use crate::samples::{ATTRIBUTES, SAMPLES, samples};

#[apply(every_database)]
fn response_has_the_named_attributes_alone() {
    let service = samples();
    let first = |fields| {
        let page = text(&service, SAMPLES, &[("fields", fields), ("limit", "1")]);
        let item = text(&service, &format!("{SAMPLES}/1"), &[("fields", fields)]);
        assert_eq!(page, format!(r#"{{"items":[{item}],"totalItems":5}}"#));
        item
    };
    assert_eq!(first("id"), r#"{"id":1}"#);
    assert_eq!(first("small"), r#"{"small":-32768}"#);
    assert_eq!(first("large"), r#"{"large":-9223372036854775808}"#);
    assert_eq!(first("real"), r#"{"real":-1.5}"#);
    assert_eq!(first("flag"), r#"{"flag":false}"#);
    assert_eq!(first("note"), r#"{"note":""}"#);
    assert_eq!(first("text,flag"), r#"{"flag":false,"text":""}"#);
}

#[apply(every_database)]
fn named_null_attributes_are_present() {
    let service = samples();
    let query = [("fields", "note,flag,id"), ("filter", "eq(id,4)")];
    assert_eq!(
        text(&service, SAMPLES, &query),
        r#"{"items":[{"id":4,"flag":null,"note":null}],"totalItems":1}"#
    );
}

#[apply(every_database)]
fn attributes_appear_once_in_declaration_order() {
    let service = people();
    let item = r#"{"id":1,"first_name":"Ann","last_name":"Lee"}"#;
    for fields in [
        "id,first_name,last_name",
        "last_name,first_name,id",
        "first_name,last_name,id",
        "last_name,id,last_name,first_name,id",
        "id,id,id,last_name,first_name,first_name",
    ] {
        assert_eq!(
            text(&service, "/api/1.0/persons/1", &[("fields", fields)]),
            item
        );
        let page = text(&service, PERSONS, &[("fields", fields), ("limit", "1")]);
        assert_eq!(page, format!(r#"{{"items":[{item}],"totalItems":6}}"#));
    }
}

#[apply(every_database)]
fn naming_all_attributes_equals_no_fields() {
    let service = samples();
    let mut names = ATTRIBUTES.map(|(attribute, _)| attribute);
    names.reverse();
    let fields = names.join(",");
    assert_eq!(
        text(&service, SAMPLES, &[("fields", &fields)]),
        text(&service, SAMPLES, &[])
    );
    assert_eq!(
        text(&service, SAMPLES, &[("fields", "")]),
        text(&service, SAMPLES, &[])
    );
}

#[apply(every_database)]
fn attribute_outside_of_fields_can_be_filtered_and_ordered_by() {
    let service = people();
    let query = [
        ("fields", "first_name"),
        ("filter", "eq(last_name,\"Lee\")"),
        ("order", "desc(id)"),
    ];
    assert_eq!(
        text(&service, PERSONS, &query),
        r#"{"items":[{"first_name":"Bob"},{"first_name":"Cleo"},{"first_name":"Ann"}],"totalItems":3}"#
    );
    let query = [
        ("fields", "id"),
        ("order", "desc(bill_address.city),desc(first_name)"),
        ("limit", "3"),
    ];
    assert_eq!(
        text(&service, PERSONS, &query),
        r#"{"items":[{"id":5},{"id":1},{"id":2}],"totalItems":6}"#
    );
}

#[apply(every_database)]
fn absent_item_with_fields_is_404() {
    let service = people();
    let answer = service.get(&url(
        "/api/1.0/persons/99",
        &[("fields", "id,bill_address(city)")],
    ));
    assert_error(&answer, 404, 10001);
}

#[apply(every_database)]
fn errors_of_fields_name_the_column() {
    let service = people();
    for (fields, said) in [
        (
            "lst_name",
            &[
                "column 1",
                "`lst_name`",
                "Person",
                "did you mean `last_name`?",
            ][..],
        ),
        ("id,colour", &["column 4", "`colour`"]),
        ("id,", &["column 4", "the end"]),
        (",id", &["column 1", "`,`"]),
        ("id,,id", &["column 4", "`,`"]),
        ("id first_name", &["column 4", "`first_name`"]),
        ("id;first_name", &["column 3", "`;`"]),
        ("*", &["column 1", "`*`"]),
        ("\"id\"", &["column 1", "a string"]),
        ("id()", &["column "]),
        (
            "first_name(city)",
            &["column 1", "`first_name`", "subresource"],
        ),
        (
            "bil_address(city)",
            &["column 1", "`bil_address`", "did you mean `bill_address`?"],
        ),
        (
            "bill_address(cty)",
            &["column 14", "`cty`", "Address", "did you mean `city`?"],
        ),
        (
            "bill_address(first_name)",
            &["column 14", "`first_name`", "Address"],
        ),
        ("bill_address()", &["column 14", "`)`"]),
        ("bill_address(", &["column 14", "the end"]),
        (
            "bill_address(city",
            &["column 18", "expected `)`", "the end"],
        ),
        ("bill_address(city,)", &["column 19", "`)`"]),
        ("bill_address(city))", &["column 19", "`)`"]),
        ("bill_address(city(x))", &["column 18", "first level"]),
        (
            "bill_address.city",
            &["column 13", "`.`; write `bill_address(city)`"],
        ),
        ("bill_address__city", &["write `bill_address(city)`"]),
        (
            "first_name:last_name",
            &["column 11", "no other names in a response"],
        ),
        ("asc(id)", &["column 1", "`asc`"]),
        (" ", &["the end"]),
    ] {
        refused(&service, PERSONS, "fields", fields)
            .naming(said)
            .in_lines(1);
        refused(&service, "/api/1.0/persons/1", "fields", fields)
            .naming(said)
            .in_lines(1);
    }
}

#[apply(every_database)]
fn only_the_first_level_can_be_expanded() {
    let service = people();
    refused(
        &service,
        PERSONS,
        "fields",
        "bill_address(bill_address(city))",
    )
    .naming(&["column 26", "first level"]);
    refused(&service, PERSONS, "fields", "bill_address(bill_address)").naming(&[
        "column 14",
        "`bill_address`",
        "Address",
    ]);
    let page = page(
        &service,
        PERSONS,
        &[("fields", "bill_address(id)"), ("limit", "1")],
    );
    assert_eq!(page["items"][0]["bill_address"]["id"], 1);
}
