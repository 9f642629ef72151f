//! JSON in filters and orders: it compares with null alone, and has no order.

use resource_tests::{apply, every_database};
use serde_json::Value;

use crate::rejection::assert_takes_no_pattern;
use crate::requests::{description, filtered, refused};
use crate::round_trip::create;
use crate::samples::{SAMPLES, samples_of};

samples_of!(Value);

#[apply(every_database)]
fn null_is_matched_and_nested_nulls_are_not() {
    let service = samples();
    for (value, maybe) in [
        ("1", "null"),
        ("2", "[null]"),
        ("3", r#"{"a":null}"#),
        ("4", "0"),
    ] {
        create(
            &service,
            SAMPLES,
            &format!(r#"{{"value":{value},"maybe":{maybe}}}"#),
        );
    }
    for (filter, found) in [
        ("eq(maybe,null)", &[1][..]),
        ("ne(maybe,null)", &[2, 3, 4]),
        ("not(eq(maybe,null))", &[2, 3, 4]),
        ("in(maybe,[null])", &[1]),
        ("in(maybe,[])", &[]),
        ("eq(value,null)", &[]),
    ] {
        assert_eq!(filtered(&service, SAMPLES, filter), found, "{filter}");
    }
}

#[apply(every_database)]
fn comparison_with_a_value_is_refused() {
    let service = one_sample("1");
    for call in [
        "eq(value,",
        "ne(value,",
        "gt(value,",
        "ge(value,",
        "lt(value,",
        "le(value,",
    ] {
        for literal in ["1", "\"a\"", "true"] {
            let filter = format!("{call}{literal})");
            refused(&service, SAMPLES, "filter", &filter);
            assert_eq!(
                description(&service, SAMPLES, &[("filter", &filter)]),
                "`filter`, column 10: `value` is JSON, which is compared with null alone"
            );
        }
    }
    refused(&service, SAMPLES, "filter", "in(value,[null,1])").naming(&[
        "column 16",
        "`value` is JSON, which is compared with null alone",
    ]);
    refused(&service, SAMPLES, "filter", "gt(value,null)").naming(&["`eq` and `ne` alone"]);
}

#[apply(every_database)]
fn order_by_json_is_refused() {
    let service = samples();
    for (order, column) in [
        ("asc(value)", 5),
        ("desc(value)", 6),
        ("asc(id),desc(maybe)", 14),
    ] {
        refused(&service, SAMPLES, "order", order).naming(&[
            &format!("`order`, column {column}: "),
            "` is JSON, which has no order",
        ]);
    }
}

#[apply(every_database)]
fn patterns_are_refused() {
    assert_takes_no_pattern(&samples(), "JSON");
}
