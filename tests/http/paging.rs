//! `offset` and `limit`.

use resource_runtime::{Api, ApiResource};
use resource_tests::{Service, apply, assert_error, every_database};
use serde_json::json;

use crate::collections::{ids, with_settings};

#[derive(Debug, ApiResource)]
#[resource(
    name = "Line",
    url = "/lines",
    version = "1.0",
    limit(default = 2, max = 3)
)]
struct Line {
    id: i64,
    text: Option<String>,
}

fn lines(count: usize) -> Service {
    let service = Service::start(|database| Api::builder().resource::<Line>().build(database));
    for _ in 0..count {
        service.create("/api/1.0/lines", &json!({}));
    }
    service
}

#[apply(every_database)]
fn the_default_limit_is_10() {
    let service = with_settings(12);
    let page = service.read("/api/1.0/settings");
    assert_eq!(ids(&page), [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    assert_eq!(page["totalItems"], 12);
}

#[apply(every_database)]
fn offset_is_the_index_of_the_first_item() {
    let service = with_settings(12);
    assert_eq!(
        ids(&service.read("/api/1.0/settings?offset=0&limit=2")),
        [1, 2]
    );
    assert_eq!(
        ids(&service.read("/api/1.0/settings?offset=1&limit=2")),
        [2, 3]
    );
    assert_eq!(ids(&service.read("/api/1.0/settings?offset=10")), [11, 12]);
}

#[apply(every_database)]
fn an_offset_past_the_end_gives_an_empty_page_with_the_total() {
    let service = with_settings(3);
    for offset in ["3", "4", "1000000", "9223372036854775807"] {
        let page = service.read(&format!("/api/1.0/settings?offset={offset}"));
        assert_eq!(page, json!({"items": [], "totalItems": 3}), "{offset}");
    }
}

#[apply(every_database)]
fn a_limit_of_0_gives_the_count_alone() {
    let service = with_settings(3);
    assert_eq!(
        service.read("/api/1.0/settings?limit=0"),
        json!({"items": [], "totalItems": 3})
    );
    assert_eq!(
        service.read("/api/1.0/settings?limit=0&offset=2"),
        json!({"items": [], "totalItems": 3})
    );
}

#[apply(every_database)]
fn pages_cover_a_collection_once() {
    let service = with_settings(11);
    let walk = (0..11).step_by(4).flat_map(|offset| {
        ids(&service.read(&format!("/api/1.0/settings?limit=4&offset={offset}")))
    });
    assert_eq!(walk.collect::<Vec<_>>(), (1..=11).collect::<Vec<_>>());
}

#[apply(every_database)]
fn a_limit_up_to_1000_is_allowed_and_one_above_is_400_10063() {
    let service = with_settings(1);
    assert_eq!(ids(&service.read("/api/1.0/settings?limit=1000")), [1]);
    assert_error(&service.get("/api/1.0/settings?limit=1001"), 400, 10063)
        .naming(&["limit", "1000"]);
    assert_error(
        &service.get("/api/1.0/settings?limit=4294967297"),
        400,
        10063,
    )
    .naming(&["limit", "1000"]);
}

#[apply(every_database)]
fn the_maximum_limit_of_the_api_can_be_set() {
    let service = Service::start(|database| {
        Api::builder()
            .max_limit(20)
            .resource::<resource_tests::models::Address>()
            .build(database)
    });
    assert_eq!(service.get("/api/1.0/addresses?limit=20").status, 200);
    assert_error(&service.get("/api/1.0/addresses?limit=21"), 400, 10063).naming(&["limit", "20"]);
}

#[apply(every_database)]
fn a_resource_can_have_its_own_default_and_maximum_limit() {
    let service = lines(5);
    let page = service.read("/api/1.0/lines");
    assert_eq!((ids(&page), &page["totalItems"]), (vec![1, 2], &json!(5)));
    assert_eq!(ids(&service.read("/api/1.0/lines?limit=3")), [1, 2, 3]);
    assert_error(&service.get("/api/1.0/lines?limit=4"), 400, 10063).naming(&["limit", "3"]);
}

#[apply(every_database)]
fn an_offset_or_limit_that_is_not_a_natural_number_is_400_10063() {
    let service = with_settings(1);
    let wrong = [
        "",
        "-1",
        "abc",
        "1.5",
        "1.0",
        "1e1",
        "0x1",
        "%201",
        "1%20",
        "+1",
        "1_0",
        "%D9%A1",
        "99999999999999999999999",
    ];
    for value in wrong {
        for name in ["offset", "limit"] {
            println!("{name}={value}");
            assert_error(
                &service.get(&format!("/api/1.0/settings?{name}={value}")),
                400,
                10063,
            )
            .naming(&[name]);
        }
    }
}

#[apply(every_database)]
fn a_parameter_that_is_given_twice_is_400_10064() {
    let service = with_settings(1);
    for name in ["offset", "limit"] {
        let path = format!("/api/1.0/settings?{name}=1&{name}=1");
        assert_error(&service.get(&path), 400, 10064).naming(&[name]);
    }
    assert_error(
        &service.get("/api/1.0/settings?limit=1&%6Cimit=2"),
        400,
        10064,
    )
    .naming(&["limit"]);
}

#[apply(every_database)]
fn an_unknown_parameter_is_400_10064_with_the_nearest_name() {
    let service = with_settings(1);
    for (unknown, nearest) in [
        ("limt", "limit"),
        ("ofset", "offset"),
        ("Limit", "limit"),
        ("feilds", "fields"),
        ("filters", "filter"),
    ] {
        let path = format!("/api/1.0/settings?{unknown}=1");
        assert_error(&service.get(&path), 400, 10064).naming(&[unknown, &format!("`{nearest}`")]);
    }
    assert_error(&service.get("/api/1.0/settings?colour=red"), 400, 10064)
        .naming(&["colour"])
        .without("did you mean");
}

#[apply(every_database)]
fn the_query_string_is_percent_decoded() {
    let service = with_settings(12);
    assert_eq!(
        ids(&service.read("/api/1.0/settings?%6Cimit=%31&offset=1%31")),
        [12]
    );
}

#[apply(every_database)]
fn a_query_string_that_is_not_utf_8_is_400_10064() {
    let service = with_settings(1);
    assert_error(&service.get("/api/1.0/settings?limit=%FF"), 400, 10064);
    assert_error(&service.get("/api/1.0/settings?%FF=1"), 400, 10064);
}
