//! The parameters `limit` and `offset`, and their ranges.

use resource_runtime::{Api, ApiResource};
use resource_tests::models::Address;
use resource_tests::{Service, apply, every_database};
use serde_json::json;

use crate::people::{ADDRESSES, PERSONS, people};
use crate::requests::{ids, page, refused};

#[derive(Debug, ApiResource)]
#[resource(
    name = "Line",
    url = "/lines",
    version = "1.0",
    limit(default = 2, max = 3)
)]
struct Line {
    id: i64,
    text: String,
}

#[apply(every_database)]
fn limit_is_an_integer_up_to_its_maximum() {
    let service = people();
    for (limit, count) in [
        ("0", 0),
        ("1", 1),
        ("6", 6),
        ("7", 6),
        ("999", 6),
        ("1000", 6),
    ] {
        let page = page(
            &service,
            PERSONS,
            &[("limit", limit), ("filter", "gt(id,0)")],
        );
        assert_eq!((ids(&page).len(), &page["totalItems"]), (count, &json!(6)));
    }
    for limit in ["1001", "10000", "4294967296", "18446744073709551616"] {
        refused(&service, PERSONS, "limit", limit).naming(&["1000", limit]);
    }
}

#[apply(every_database)]
fn other_values_of_limit_and_offset_are_refused() {
    let service = people();
    for value in [
        "-1",
        "-0",
        "+1",
        " 1",
        "1 ",
        "1.0",
        "1e3",
        "ten",
        "0x1",
        "1,2",
        "null",
        "٣",
        "\"1\"",
        "NaN",
        "9223372036854775808",
    ] {
        refused(&service, PERSONS, "limit", value).naming(&["an integer from 0 to 1000"]);
        refused(&service, PERSONS, "offset", value).naming(&["an integer from 0"]);
    }
}

#[apply(every_database)]
fn resources_have_their_own_default_and_maximum_limit() {
    let service = Service::start(|database| {
        Api::builder()
            .max_limit(20)
            .resource::<Line>()
            .resource::<Address>()
            .build(database)
    });
    for text in ["a", "b", "c", "d", "e"] {
        service.create("/api/1.0/lines", &json!({"text": text}));
    }
    let lines = "/api/1.0/lines";
    assert_eq!(
        ids(&page(&service, lines, &[("order", "desc(text)")])),
        [5, 4]
    );
    assert_eq!(
        ids(&page(
            &service,
            lines,
            &[("limit", "3"), ("filter", "gt(text,\"a\")")]
        )),
        [2, 3, 4]
    );
    refused(&service, lines, "limit", "4").naming(&["from 0 to 3"]);
    refused(&service, ADDRESSES, "limit", "21").naming(&["from 0 to 20"]);
}
