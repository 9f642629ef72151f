//! Limits of queries: depth, length and terms beyond them are refused, and the service keeps serving.

use resource_runtime::{Api, QueryLimits};
use resource_tests::{Service, apply, every_database};

use crate::people::{PERSONS, people};
use crate::requests::{filtered, matching, ordered, refused, text};
use crate::samples::{SAMPLES, Sample, samples};

fn nested(function: &str, depth: usize) -> String {
    let (open, close) = (format!("{function}("), ")".repeat(depth - 1));
    format!("{}eq(id,1){close}", open.repeat(depth - 1))
}

fn listed(members: usize) -> String {
    format!("in(id,[{}])", vec!["1"; members].join(","))
}

fn long(length: usize) -> String {
    format!(
        "eq(text,\"{}\")",
        "x".repeat(length - r#"eq(text,"")"#.len())
    )
}

/// A service without items, under other limits.
fn limited(limits: QueryLimits) -> Service {
    Service::start(|database| {
        Api::builder()
            .query_limits(limits)
            .resource::<Sample>()
            .build(database)
    })
}

#[track_caller]
fn assert_serves(service: &Service) {
    assert_eq!(filtered(service, SAMPLES, "eq(id,1)"), [1]);
}

#[apply(every_database)]
fn nesting_is_limited_to_32_levels() {
    let service = samples();
    assert_eq!(filtered(&service, SAMPLES, &nested("not", 31)), [1]);
    assert_eq!(
        filtered(&service, SAMPLES, &nested("not", 32)),
        [2, 3, 4, 5]
    );
    for depth in [33, 34, 200, 1000] {
        refused(&service, SAMPLES, "filter", &nested("not", depth)).naming(&["column 129:", "32"]);
        assert_serves(&service);
    }
}

#[apply(every_database)]
fn unclosed_parentheses_and_brackets_are_refused() {
    let service = samples();
    for open in [
        "(", "[", "not(", "and(", "or(and(", "eq(", "in(id,[", "in(id,[[", "not", "eq(id.", "\"",
    ] {
        for count in [33, 200, 8000 / open.len()] {
            refused(&service, SAMPLES, "filter", &open.repeat(count)).naming(&["column "]);
        }
    }
    for open in ["(", "asc(", "asc(id", "bill_address("] {
        refused(&service, SAMPLES, "order", &open.repeat(500)).naming(&["column "]);
        refused(&service, SAMPLES, "fields", &open.repeat(500)).naming(&["column "]);
    }
    assert_serves(&service);
}

#[apply(every_database)]
fn parameters_are_limited_to_8_kib() {
    let service = samples();
    assert_eq!(filtered(&service, SAMPLES, &long(8192)), [0; 0]);
    for length in [8193, 10_000, 16_384] {
        refused(&service, SAMPLES, "filter", &long(length)).naming(&["8192", &length.to_string()]);
    }
    let spaced = |text: &str, length: usize| format!("{text}{}", " ".repeat(length - text.len()));
    for (parameter, expression) in [
        ("filter", "eq(id,1)"),
        ("order", "asc(id)"),
        ("fields", "id"),
    ] {
        text(&service, SAMPLES, &[(parameter, &spaced(expression, 8192))]);
        refused(&service, SAMPLES, parameter, &spaced(expression, 8193)).naming(&["8192", "8193"]);
    }
    assert_serves(&service);
}

#[apply(every_database)]
fn length_is_measured_in_bytes_of_the_decoded_text() {
    let service = samples();
    let crabs = |count: usize| format!("eq(text,\"{}\")", "🦀".repeat(count));
    assert_eq!(filtered(&service, SAMPLES, &crabs(2045)), [0; 0]);
    refused(&service, SAMPLES, "filter", &crabs(2046)).naming(&["8192", "8195"]);
}

#[apply(every_database)]
fn calls_and_list_members_together_are_limited_to_1000() {
    let service = samples();
    assert_eq!(filtered(&service, SAMPLES, &listed(999)), [1]);
    assert_eq!(
        filtered(&service, SAMPLES, &format!("not({})", listed(998))),
        [2, 3, 4, 5]
    );
    for filter in [
        listed(1000),
        listed(2000),
        format!("not({})", listed(999)),
        format!("or({},{})", listed(500), listed(500)),
    ] {
        refused(&service, SAMPLES, "filter", &filter).naming(&["column ", "1000"]);
        assert_serves(&service);
    }
}

#[apply(every_database)]
fn orders_and_fields_are_limited_too() {
    let service = people();
    let many = |item: &str, count: usize| vec![item; count].join(",");
    assert_eq!(
        ordered(&service, PERSONS, &many("asc(id)", 1000)),
        [1, 2, 3, 4, 5, 6]
    );
    refused(&service, PERSONS, "order", &many("asc(id)", 1001)).naming(&["1000"]);
    assert_eq!(
        matching(&service, PERSONS, &[("fields", &many("id", 1000))]),
        [1, 2, 3, 4, 5, 6]
    );
    refused(&service, PERSONS, "fields", &many("id", 1001)).naming(&["1000"]);
    refused(
        &service,
        PERSONS,
        "fields",
        &format!("bill_address({})", many("id", 1000)),
    )
    .naming(&["1000"]);
}

#[apply(every_database)]
fn filter_at_all_limits_is_served() {
    let service = samples();
    let mut filter = String::from("eq(id,1)");
    for level in 0..30 {
        let function = ["and", "or"][level % 2];
        let more = [",ge(id,1)", ",eq(id,1)"][level % 2].repeat(28);
        filter = format!("{function}({filter}{more})");
    }
    assert!((7500..8180).contains(&filter.len()), "{}", filter.len());
    assert_eq!(filtered(&service, SAMPLES, &filter), [1]);
    assert_eq!(
        filtered(&service, SAMPLES, &format!("not({filter})")),
        [2, 3, 4, 5]
    );
}

#[apply(every_database)]
fn every_limit_is_a_setting() {
    let service = limited(QueryLimits::new().depth(2).length(40).terms(4));
    assert_eq!(filtered(&service, SAMPLES, &nested("not", 2)), [0; 0]);
    refused(&service, SAMPLES, "filter", &nested("not", 3)).naming(&["2 deep"]);
    assert_eq!(filtered(&service, SAMPLES, "in(id,[1,2,3])"), [0; 0]);
    refused(&service, SAMPLES, "filter", "in(id,[1,2,3,4])").naming(&["at most 4"]);
    assert_eq!(filtered(&service, SAMPLES, &long(40)), [0; 0]);
    refused(&service, SAMPLES, "filter", &long(41)).naming(&["40", "41"]);
    refused(
        &service,
        SAMPLES,
        "order",
        "asc(id),asc(id),asc(id),asc(id),asc(id)",
    )
    .naming(&["at most 4"]);
    refused(&service, SAMPLES, "fields", "id,id,id,id,id").naming(&["at most 4"]);
}
