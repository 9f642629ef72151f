//! `order`: several criteria, nulls smallest, text by code point.

use crate::people::{PERSONS, people};
use crate::requests::{matching, ordered};
use crate::samples::{ATTRIBUTES, SAMPLES, samples, with_texts};
use resource_tests::{apply, every_database};

#[apply(every_database)]
fn null_is_the_smallest_value_of_every_kind() {
    let service = samples();
    for (attribute, ascending, descending) in [
        ("id", [1, 2, 3, 4, 5], [5, 4, 3, 2, 1]),
        ("small", [4, 1, 2, 5, 3], [3, 2, 5, 1, 4]),
        ("medium", [1, 2, 3, 4, 5], [5, 3, 4, 2, 1]),
        ("large", [4, 1, 2, 5, 3], [3, 5, 2, 1, 4]),
        ("real", [4, 1, 2, 5, 3], [3, 5, 2, 1, 4]),
        ("ratio", [1, 5, 2, 3, 4], [3, 4, 2, 5, 1]),
        ("flag", [3, 4, 1, 5, 2], [2, 1, 5, 3, 4]),
        ("sure", [1, 3, 2, 4, 5], [2, 4, 5, 1, 3]),
        ("text", [1, 2, 3, 4, 5], [5, 4, 3, 2, 1]),
        ("note", [3, 4, 1, 5, 2], [2, 5, 1, 3, 4]),
    ] {
        assert_eq!(
            ordered(&service, SAMPLES, &format!("asc({attribute})")),
            ascending
        );
        assert_eq!(
            ordered(&service, SAMPLES, &format!("desc({attribute})")),
            descending
        );
    }
}

#[apply(every_database)]
fn text_is_ordered_by_code_point() {
    let texts = [
        "🦀",
        "é",
        "a",
        "Z",
        "z",
        "A",
        "",
        " ",
        "~",
        "\u{e000}",
        "\u{ffff}",
        "ab",
        "a ",
        "É",
        "10",
        "9",
        "\u{10ffff}",
    ];
    let service = with_texts(&texts);
    let mut sorted: Vec<(&str, i64)> = texts.into_iter().zip(1..).collect();
    sorted.sort_unstable_by(|(one, _), (other, _)| one.chars().cmp(other.chars()));
    let mut expected: Vec<i64> = sorted.into_iter().map(|(_, id)| id).collect();
    assert_eq!(ordered(&service, SAMPLES, "asc(text)"), expected);
    expected.reverse();
    assert_eq!(ordered(&service, SAMPLES, "desc(text)"), expected);
}

#[apply(every_database)]
fn primary_key_ascending_is_the_default_and_the_last_criterion() {
    let service = samples();
    for order in ["", "asc(id)"] {
        assert_eq!(ordered(&service, SAMPLES, order), [1, 2, 3, 4, 5]);
    }
    assert_eq!(ordered(&service, SAMPLES, "asc(sure)"), [1, 3, 2, 4, 5]);
    assert_eq!(ordered(&service, SAMPLES, "desc(sure)"), [2, 4, 5, 1, 3]);
    assert_eq!(
        ordered(&service, SAMPLES, "desc(sure),desc(id)"),
        [5, 4, 2, 3, 1]
    );
}

#[apply(every_database)]
fn later_criteria_break_ties() {
    let service = people();
    for (order, expected) in [
        ("asc(last_name),asc(first_name)", [3, 6, 1, 5, 4, 2]),
        ("asc(last_name),desc(first_name)", [3, 6, 4, 5, 1, 2]),
        ("desc(last_name),asc(first_name)", [2, 1, 5, 4, 6, 3]),
        ("asc(first_name),desc(last_name)", [6, 1, 2, 5, 4, 3]),
        (
            "asc(bill_address_id),desc(ship_address_id),desc(id)",
            [6, 3, 1, 5, 2, 4],
        ),
        ("desc(last_name),desc(id)", [2, 5, 4, 1, 6, 3]),
    ] {
        assert_eq!(ordered(&service, PERSONS, order), expected, "{order}");
    }
}

#[apply(every_database)]
fn first_criterion_of_an_attribute_counts() {
    let service = people();
    let once = ordered(&service, PERSONS, "asc(last_name),desc(id)");
    assert_eq!(once, [3, 6, 5, 4, 1, 2]);
    for order in [
        "asc(last_name),asc(last_name),desc(id)",
        "asc(last_name),desc(last_name),desc(id)",
        "asc(last_name),desc(id),desc(last_name),asc(id)",
        "asc(last_name),desc(id),asc(first_name)",
    ] {
        assert_eq!(ordered(&service, PERSONS, order), once, "{order}");
    }
}

#[apply(every_database)]
fn order_may_name_attributes_of_subresources() {
    let service = people();
    for (order, expected) in [
        ("asc(bill_address.city)", [3, 4, 6, 2, 1, 5]),
        ("desc(bill_address.city)", [1, 5, 2, 3, 4, 6]),
        ("asc(bill_address.line1)", [3, 6, 1, 5, 2, 4]),
        (
            "desc(bill_address.id),asc(ship_address.city)",
            [4, 2, 5, 1, 3, 6],
        ),
    ] {
        assert_eq!(ordered(&service, PERSONS, order), expected, "{order}");
    }
    let order = "desc(ship_address.city),asc(bill_address.country),desc(first_name)";
    assert_eq!(ordered(&service, PERSONS, order), [6, 4, 2, 1, 3, 5]);
}

#[apply(every_database)]
fn order_and_filter_may_name_equal_or_different_subresources() {
    let service = people();
    for (filter, order, expected) in [
        (
            "ne(bill_address.city,null)",
            "desc(bill_address.city)",
            &[1, 5, 2][..],
        ),
        (
            "ne(ship_address.id,null)",
            "desc(bill_address.city)",
            &[1, 2, 4, 6],
        ),
        (
            r#"eq(last_name,"Lee")"#,
            "asc(ship_address.city),desc(id)",
            &[5, 1, 4],
        ),
        (
            r#"or(eq(bill_address.country,"US"),eq(mail_address.country,"US"))"#,
            "desc(ship_address.city)",
            &[6, 1, 5],
        ),
    ] {
        let found = matching(&service, PERSONS, &[("filter", filter), ("order", order)]);
        assert_eq!(found, expected, "{filter} {order}");
    }
}

#[apply(every_database)]
fn every_attribute_and_any_number_of_them_can_be_ordered_by() {
    let service = samples();
    let all = ATTRIBUTES.map(|(attribute, _)| format!("desc({attribute})"));
    assert_eq!(
        ordered(&service, SAMPLES, &all[1..].join(",")),
        [3, 5, 2, 1, 4]
    );
    assert_eq!(
        ordered(&service, SAMPLES, &vec!["asc(sure)"; 500].join(",")),
        [1, 3, 2, 4, 5]
    );
}
