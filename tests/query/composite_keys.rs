//! Subresources by a composite key: expansion, filters and orders.

use resource_tests::{apply, assert_error, every_database};
use serde_json::json;

use crate::regions::{OFFICES, offices};
use crate::requests::{filtered, matching, ordered, refused, text};

#[apply(every_database)]
fn composite_key_identifies_the_subresource() {
    let service = offices();
    for (item, expected) in [
        (
            1,
            r#"{"name":"a","region":{"id":1,"country":"CH","code":1,"name":"Bern"},"former":null}"#,
        ),
        (
            2,
            r#"{"name":"b","region":{"id":3,"country":"DE","code":1,"name":"Bayern"},"former":{"id":2,"country":"CH","code":2,"name":"Uri"}}"#,
        ),
    ] {
        let path = format!("{OFFICES}/{item}");
        assert_eq!(
            text(&service, &path, &[("fields", "name,region,former")]),
            expected
        );
    }
}

#[apply(every_database)]
fn partly_null_key_expands_to_null() {
    let service = offices();
    assert_eq!(
        text(
            &service,
            OFFICES,
            &[("fields", "id,region(name),former(code,country)")]
        ),
        concat!(
            r#"{"items":[{"id":1,"region":{"name":"Bern"},"former":null},"#,
            r#"{"id":2,"region":{"name":"Bayern"},"former":{"country":"CH","code":2}},"#,
            r#"{"id":3,"region":null,"former":null},"#,
            r#"{"id":4,"region":null,"former":null},"#,
            r#"{"id":5,"region":null,"former":{"country":"DE","code":2}},"#,
            r#"{"id":6,"region":{"name":null},"former":null}],"totalItems":6}"#,
        )
    );
}

#[apply(every_database)]
fn subresource_is_its_keys_without_fields() {
    let service = offices();
    assert_eq!(
        text(&service, &format!("{OFFICES}/2"), &[]),
        r#"{"id":2,"name":"b","country":"DE","regionCode":1,"formerCountry":"CH","former_code":2}"#
    );
}

#[apply(every_database)]
fn filter_follows_a_composite_key() {
    let service = offices();
    for (filter, expected) in [
        (r#"eq(region.name,"Bern")"#, &[1][..]),
        (r#"eq(region.country,"DE")"#, &[2, 6]),
        (r#"ne(region.country,"DE")"#, &[1, 3, 4, 5]),
        ("eq(region.id,null)", &[3, 4, 5]),
        ("eq(region.name,null)", &[3, 4, 5, 6]),
        ("eq(region.code,1)", &[1, 2]),
        ("not(eq(region.code,1))", &[3, 4, 5, 6]),
        ("in(former.id,[2,4])", &[2, 5]),
        (
            r#"and(eq(region.country,"DE"),eq(former.country,"CH"))"#,
            &[2],
        ),
        (
            r#"or(eq(region.name,"Bern"),eq(former.code,2))"#,
            &[1, 2, 5],
        ),
        (r#"eq(country,"CH")"#, &[1, 4]),
        (r#"and(eq(country,"CH"),eq(region.country,null))"#, &[4]),
        ("eq(regionCode,2)", &[5, 6]),
    ] {
        assert_eq!(filtered(&service, OFFICES, filter), expected, "{filter}");
    }
}

#[apply(every_database)]
fn order_follows_a_composite_key() {
    let service = offices();
    assert_eq!(
        ordered(&service, OFFICES, "asc(region.name)"),
        [3, 4, 5, 6, 2, 1]
    );
    assert_eq!(
        ordered(&service, OFFICES, "desc(region.country),desc(region.code)"),
        [6, 2, 1, 3, 4, 5]
    );
    assert_eq!(
        ordered(&service, OFFICES, "desc(former.name),asc(region.id)"),
        [2, 3, 4, 5, 1, 6]
    );
}

#[apply(every_database)]
fn filter_order_expansion_and_paging_combine() {
    let service = offices();
    let query = [
        (
            "filter",
            r#"or(eq(region.country,"DE"),eq(former.country,"DE"))"#,
        ),
        ("order", "desc(former.country),asc(region.code)"),
        ("fields", "id,former(country),region(country,code)"),
    ];
    assert_eq!(matching(&service, OFFICES, &query), [5, 2, 6]);
    let page = [&query[..], &[("limit", "2"), ("offset", "1")]].concat();
    assert_eq!(
        text(&service, OFFICES, &page),
        concat!(
            r#"{"items":[{"id":2,"region":{"country":"DE","code":1},"former":{"country":"CH"}},"#,
            r#"{"id":6,"region":{"country":"DE","code":2},"former":null}],"totalItems":3}"#,
        )
    );
}

#[apply(every_database)]
fn two_composite_keys_may_share_an_attribute() {
    let service = offices();
    let trips = "/api/1.0/trips";
    for (country, from, to) in [
        ("CH", 1, Some(2)),
        ("DE", 2, Some(1)),
        ("CH", 1, None),
        ("CH", 2, Some(2)),
    ] {
        service.create(trips, &json!({"country": country, "from": from, "to": to}));
    }
    assert_eq!(
        filtered(&service, trips, r#"eq(destination.name,"Uri")"#),
        [1, 4]
    );
    assert_eq!(
        filtered(&service, trips, r#"eq(origin.name,"Bern")"#),
        [1, 3]
    );
    assert_eq!(filtered(&service, trips, "eq(destination.id,null)"), [3]);
    assert_eq!(
        ordered(&service, trips, "asc(origin.name),desc(destination.name)"),
        [2, 1, 3, 4]
    );
    assert_eq!(
        text(
            &service,
            &format!("{trips}/2"),
            &[("fields", "destination(name),origin(code),country")]
        ),
        r#"{"country":"DE","origin":{"code":2},"destination":{"name":"Bayern"}}"#
    );
    let answer = service.post(trips, &json!({"country": "CH", "from": 1, "to": 3}));
    assert_error(&answer, 400, 10031)
        .naming(&["`to`"])
        .without("`from`");
    assert_error(&service.delete("/api/1.0/regions/2"), 400, 10020).naming(&["Office", "Trip"]);
}

#[apply(every_database)]
fn names_of_rust_fields_and_columns_are_unknown() {
    let service = offices();
    for name in ["code", "left_code", "region_code", "former_country"] {
        refused(&service, OFFICES, "filter", &format!("eq({name},1)"))
            .naming(&["column 4", &format!("`{name}`")]);
        refused(&service, OFFICES, "order", &format!("asc({name})"))
            .naming(&["column 5", &format!("`{name}`")]);
        refused(&service, OFFICES, "fields", name).naming(&["column 1", &format!("`{name}`")]);
    }
    refused(&service, OFFICES, "fields", "region(region_code)").naming(&[
        "column 8",
        "`region_code`",
        "Region",
    ]);
}
