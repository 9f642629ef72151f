//! Tests of the errors of orders and fields, word by word.

use super::{LIMITS, message};
use crate::ApiResource as _;
use crate::authorization::View;
use crate::query::{fields, order};
use crate::samples::Person;

#[test]
fn errors_of_orders_and_fields_name_the_column() {
    for (text, expected) in [
        (
            "name",
            "column 1: expected `asc(` or `desc(`, found `name`; write `asc(name)`",
        ),
        (
            "asc(id),-region.name",
            "column 9: expected `asc(` or `desc(`, found `-`; write `desc(region.name)`",
        ),
        (
            "name DESC,id",
            "column 1: expected `asc(` or `desc(`, found `name`; write `desc(name),asc(id)`",
        ),
        (
            "name.asc",
            "column 1: expected `asc(` or `desc(`, found `name`; write `asc(name)`",
        ),
        ("-(1)", "column 1: expected `asc(` or `desc(`, found `-`"),
        (
            "dsc(name)",
            "column 1: expected `asc(` or `desc(`, found `dsc`; did you mean `desc`?",
        ),
        ("asc(name", "column 9: expected `)`, found the end"),
        (
            "asc(name) desc(id)",
            "column 11: expected `,` or the end, found `desc`",
        ),
        (
            "asc(name),",
            "column 11: expected `asc(` or `desc(`, found the end",
        ),
        (
            "asc(password)",
            "column 5: `password` is not an attribute of Person",
        ),
    ] {
        let found = message(order(
            View::unrestricted(Person::DEFINITION),
            Some(text),
            LIMITS,
        ));
        assert_eq!(found, format!("`order`, {expected}"), "{text}");
    }
    for (text, expected) in [
        (
            "id,",
            "column 4: expected an attribute or a subresource, found the end",
        ),
        ("id name", "column 4: expected `,` or the end, found `name`"),
        (
            "*",
            "column 1: expected an attribute or a subresource, found `*`; name each attribute, or leave the list out for all",
        ),
        (
            "name(id)",
            "column 1: `name` is not a subresource of Person; \
             it has `bill_address`, `ship_address`, `region`",
        ),
        ("region()", "column 8: expected an attribute, found `)`"),
        (
            "region(nam)",
            "column 8: `nam` is not an attribute of Region 1.0; did you mean `name`?",
        ),
        ("region(name", "column 12: expected `)`, found the end"),
        (
            "region(name(x))",
            "column 12: only the first level expands; list the resource of `region` by itself, with \
             `fields=name(…)` and a `filter`",
        ),
        (
            "password",
            "column 1: `password` is not an attribute of Person",
        ),
        (
            "region(name;limit=2)",
            "column 1: `region` is not a collection; only those have `order=` and `limit=`",
        ),
        (
            "region(;limit=2;limit=3)",
            "column 17: expected `order=` or `limit=`, each once, found `limit`",
        ),
        (
            "region(name;filter=eq(id,1))",
            "column 13: expected `order=` or `limit=`, each once, found `filter`",
        ),
        ("region(name;order)", "column 18: expected `=`, found `)`"),
    ] {
        let found = message(fields(
            View::unrestricted(Person::DEFINITION),
            Some(text),
            LIMITS,
        ));
        assert_eq!(found, format!("`fields`, {expected}"), "{text}");
    }
}
