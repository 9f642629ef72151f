//! The total: all matching items, whether derived from the page or counted.

use resource_tests::{apply, every_database};
use serde_json::{Value, json};

use crate::people::{PERSONS, people};
use crate::requests::{ids, matching, page};

/// Tries every offset and limit in six items.
#[apply(every_database)]
fn total_counts_all_matching_items_on_every_page() {
    let service = people();
    for filter in [
        "",
        "gt(id,0)",
        "eq(last_name,\"Lee\")",
        "eq(bill_address.city,\"Springfield\")",
        "in(id,[])",
        "or(eq(bill_address.id,null),eq(ship_address.city,\"Springfield\"))",
    ] {
        let all = matching(&service, PERSONS, &[("filter", filter)]);
        for offset in 0..=7 {
            for limit in 0..=7 {
                let (from, size) = (offset.to_string(), limit.to_string());
                let parameters = [("filter", filter), ("offset", &from), ("limit", &size)];
                let page = page(&service, PERSONS, &parameters);
                let rest = all.get(offset..).unwrap_or_default();
                assert_eq!(ids(&page), rest[..limit.min(rest.len())]);
                assert_eq!(page["totalItems"], json!(all.len()));
            }
        }
    }
}

#[apply(every_database)]
fn offset_past_the_end_gives_an_empty_page_and_the_total() {
    let service = people();
    for offset in ["6", "7", "1000000", "9223372036854775807"] {
        for (filter, total) in [
            ("", 6),
            ("eq(last_name,\"Lee\")", 3),
            ("ne(bill_address.id,null)", 4),
        ] {
            for more in [
                ("order", "desc(first_name)"),
                ("order", "asc(ship_address.city)"),
                ("fields", "bill_address"),
                ("limit", "0"),
            ] {
                let page = page(
                    &service,
                    PERSONS,
                    &[("offset", offset), ("filter", filter), more],
                );
                assert_eq!(page, json!({"items": [], "totalItems": total}));
            }
        }
    }
}

#[apply(every_database)]
fn limit_0_returns_the_total_alone() {
    let service = people();
    for more in [
        ("order", "desc(bill_address.city)"),
        ("fields", "id,bill_address(city)"),
        ("offset", "3"),
        ("offset", "100"),
    ] {
        for (filter, total) in [
            ("", 6),
            ("eq(first_name,\"Bob\")", 2),
            ("eq(ship_address.city,null)", 2),
            ("in(id,[])", 0),
        ] {
            let page = page(
                &service,
                PERSONS,
                &[("limit", "0"), ("filter", filter), more],
            );
            assert_eq!(page, json!({"items": [], "totalItems": total}));
        }
    }
}

#[apply(every_database)]
fn total_reflects_every_write() {
    let service = people();
    let total = || -> Value {
        let query = [
            ("filter", "eq(bill_address.city,\"Springfield\")"),
            ("limit", "1"),
        ];
        page(&service, PERSONS, &query)["totalItems"].clone()
    };
    assert_eq!(total(), 2);
    service.create(PERSONS, &json!({"bill_address_id": 1}));
    assert_eq!(total(), 3);
    service.put("/api/1.0/persons/1", &json!({"bill_address_id": 2}));
    assert_eq!(total(), 2);
    service.put("/api/1.0/addresses/2", &json!({"city": "Springfield"}));
    assert_eq!(total(), 4);
    service.delete("/api/1.0/persons/2");
    assert_eq!(total(), 3);
}
