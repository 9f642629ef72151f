//! Pages: together they contain each item once, whatever the order.

use resource_tests::{Client, Service, apply, every_database};
use serde_json::json;

use crate::people::{PERSONS, people};
use crate::requests::{ids, matching, page};
use crate::samples::{SAMPLES, no_samples};

/// Samples, many of them equal in each attribute but the key.
fn equal_samples() -> Service {
    let service = no_samples();
    for number in 0..23_i64 {
        let large = (number % 3 > 0).then_some(number % 3);
        let text = if number % 5 == 0 { "a" } else { "b" };
        let body = json!({
            "medium": number % 2, "large": large, "ratio": 0.5, "sure": number % 4 == 0,
            "text": text,
        });
        service.create(SAMPLES, &body);
    }
    service
}

/// Asserts that the pages of this size contain all items in their order, each once.
#[track_caller]
fn assert_covered(client: &Client, path: &str, parameters: &[(&str, &str)], limit: usize) {
    let all = matching(client, path, parameters);
    let mut walked = Vec::new();
    // One page beyond the end, which is empty.
    for number in 0..=all.len() / limit + 1 {
        let (offset, limit) = ((number * limit).to_string(), limit.to_string());
        let position = [("offset", offset.as_str()), ("limit", limit.as_str())];
        let page = page(client, path, &[parameters, &position].concat());
        assert_eq!(page["totalItems"], json!(all.len()));
        walked.extend(ids(&page));
    }
    assert_eq!(walked, all);
    let mut once = walked;
    once.sort_unstable();
    once.dedup();
    assert_eq!(once.len(), all.len(), "an item came twice");
}

#[apply(every_database)]
fn pages_never_overlap_with_equal_values() {
    let service = equal_samples();
    for order in [
        "",
        "asc(medium)",
        "desc(medium)",
        "asc(large)",
        "desc(large)",
        "asc(ratio)",
        "desc(ratio)",
        "asc(text)",
        "desc(sure),asc(text)",
        "asc(note)",
        "desc(note),desc(large)",
        "desc(id)",
        "asc(medium),desc(id)",
    ] {
        for limit in [1, 4, 23] {
            assert_covered(&service, SAMPLES, &[("order", order)], limit);
        }
    }
}

#[apply(every_database)]
fn filtered_pages_never_overlap() {
    let service = equal_samples();
    for filter in [
        "eq(medium,1)",
        "eq(large,null)",
        "ne(large,1)",
        "eq(sure,true)",
        "gt(id,100)",
    ] {
        for order in ["", "asc(large)", "desc(text)"] {
            assert_covered(
                &service,
                SAMPLES,
                &[("filter", filter), ("order", order)],
                3,
            );
        }
    }
}

#[apply(every_database)]
fn pages_with_subresources_never_overlap() {
    let service = people();
    for order in [
        "asc(bill_address.city)",
        "desc(ship_address.line1)",
        "asc(mail_address.id),desc(bill_address.city)",
        "",
    ] {
        for fields in [
            "",
            "id,bill_address",
            "id,ship_address(city),bill_address(city)",
        ] {
            for filter in [
                "",
                "ne(bill_address.city,\"Springfield\")",
                "eq(ship_address.country,\"US\")",
            ] {
                let parameters = [("order", order), ("fields", fields), ("filter", filter)];
                for limit in [1, 2, 5] {
                    assert_covered(&service, PERSONS, &parameters, limit);
                }
            }
        }
    }
}

#[apply(every_database)]
fn default_limit_is_10() {
    let service = equal_samples();
    for (order, first) in [
        ("", 1),
        ("desc(id)", 23),
        ("asc(medium)", 1),
        ("desc(medium)", 2),
    ] {
        let page = page(&service, SAMPLES, &[("order", order)]);
        assert_eq!((ids(&page).len(), ids(&page)[0]), (10, first));
        assert_eq!(page["totalItems"], 23);
    }
}
