//! Offsets of timestamps: their forms, and a plus sign in a URL.

use chrono::{DateTime, Utc};
use resource_runtime::{Api, ApiResource};
use resource_tests::{
    Service, apply, assert_error, assert_no_content, every_database, responses_differ,
};
use serde_json::json;

use crate::rejection::assert_refused;
use crate::samples::{SAMPLES, samples_of};

samples_of!(DateTime<Utc>);

#[apply(every_database)]
fn malformed_offset_is_refused() {
    let allowed = "must be a day of the calendar, a time of day and an offset, \
                   from 0001-01-01T00:00:00Z to 9999-12-31T23:59:59.999999Z";
    let literals = [
        "\"2024-02-29T07:08:09+2\"",
        "\"2024-02-29T07:08:09+02\"",
        "\"2024-02-29T07:08:09+0200\"",
        "\"2024-02-29T07:08:09+2:00\"",
        "\"2024-02-29T07:08:09+02:0\"",
        "\"2024-02-29T07:08:09+02:00:00\"",
        "\"2024-02-29T07:08:09+24:00\"",
        "\"2024-02-29T07:08:09+02:60\"",
        "\"2024-02-29T07:08:09+\"",
        "\"2024-02-29T07:08:09++02:00\"",
        "\"2024-02-29T07:08:09Z+02:00\"",
        "\"2024-02-29T07:08:09Z[Europe/Paris]\"",
        "\"2024-02-29T07:08:09Z \"",
        "\"2024-02-29T07:08:09ZZ\"",
    ];
    assert_refused(&one_sample("\"2024-02-29T07:08:09Z\""), allowed, &literals);
}

#[apply(every_database)]
fn named_offset_and_other_signs_are_refused() {
    let allowed = r#"must be a timestamp with an offset like "2024-02-29T07:08:09Z""#;
    let literals = [
        "\"2024-02-29T07:08:09CET\"",
        "\"2024-02-29T07:08:09UTC\"",
        "\"2024-02-29T07:08:09\u{2212}02:00\"",
        "\"2024-02-29T07:08:09\u{a0}02:00\"",
    ];
    assert_refused(&one_sample("\"2024-02-29T07:08:09Z\""), allowed, &literals);
}

#[apply(every_database)]
fn unencoded_plus_in_a_url_is_reported_with_its_encoding() {
    let service = one_sample("\"2024-02-29T05:08:09Z\"");
    let ask = |plus: &str| {
        let filter = format!("eq(value,%222024-02-29T07:08:09{plus}02:00%22)");
        service.get(&format!("{SAMPLES}?filter={filter}"))
    };
    for plus in ["+", "%20"] {
        assert_error(&ask(plus), 400, 10060);
        assert_eq!(
            ask(plus).json()["error_description"],
            "`filter`, column 10: `value` is compared with \"2024-02-29T07:08:09 02:00\", which \
             must have an offset that starts with `+`, `-` or `Z`; in a URL, `+` is written `%2B`"
        );
    }
    for plus in ["%2B", "%2b"] {
        assert_eq!(ask(plus).ok()["totalItems"], 1);
    }
}

#[derive(Debug, ApiResource)]
#[resource(name = "Launch", url = "/launches", version = "1.0")]
struct Launch {
    id: i64,
    #[resource(unique)]
    at: DateTime<Utc>,
}

#[apply(every_database)]
fn unique_instant_is_taken_whatever_its_offset() {
    const LAUNCHES: &str = "/api/1.0/launches";
    responses_differ("PostgreSQL gives a refused item an id that no other item gets");
    let service = Service::start(|database| Api::builder().resource::<Launch>().build(database));
    let path = service.create(LAUNCHES, &json!({"at": "2024-02-29T07:08:09Z"}));
    for same in [
        "2024-02-29T09:08:09+02:00",
        "2024-02-29T07:08:09.000Z",
        "2024-02-29t07:08:09z",
    ] {
        let answer = service.post(LAUNCHES, &json!({"at": same}));
        assert_error(&answer, 400, 10030).naming(&["`at`"]);
        assert_no_content(&service.put(&path, &json!({"at": same})));
    }
    service.create(LAUNCHES, &json!({"at": "2024-02-29T07:08:09.000001Z"}));
}
