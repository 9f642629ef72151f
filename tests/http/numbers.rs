//! Integer and boolean attributes: accepted literals and exact round trips.

use resource_runtime::{Api, ApiResource};
use resource_tests::{Answer, Service, apply, assert_error, assert_no_content, every_database};
use serde_json::{Value, json};

#[derive(Debug, ApiResource)]
#[resource(name = "Sample", url = "/samples", version = "1.0")]
struct Sample {
    id: i64,
    small: Option<i16>,
    medium: Option<i32>,
    large: Option<i64>,
    real: Option<f64>,
    flag: Option<bool>,
    strict: bool,
}

pub(crate) fn samples() -> Service {
    Service::start(|database| Api::builder().resource::<Sample>().build(database))
}

/// Creates a sample with this literal for this attribute.
pub(crate) fn post(service: &Service, attribute: &str, literal: &str) -> Answer {
    let body = format!(r#"{{"strict":true,"{attribute}":{literal}}}"#);
    service
        .request("POST", "/api/1.0/samples")
        .json(body)
        .send()
}

#[track_caller]
fn assert_round_trip(service: &Service, attribute: &str, literal: &str) {
    let location = resource_tests::assert_created(&post(service, attribute, literal));
    let expected: Value = serde_json::from_str(literal).unwrap();
    assert_eq!(service.read(&location)[attribute], expected);
}

#[track_caller]
pub(crate) fn assert_refused(service: &Service, attribute: &str, literal: &str) {
    let answer = post(service, attribute, literal);
    assert_error(&answer, 400, 10010)
        .naming(&[&format!("`{attribute}`")])
        .in_lines(1);
}

#[apply(every_database)]
fn integers_round_trip_over_the_whole_range_of_their_type() {
    let service = samples();
    for (attribute, smallest, greatest) in [
        ("small", "-32768", "32767"),
        ("medium", "-2147483648", "2147483647"),
        ("large", "-9223372036854775808", "9223372036854775807"),
    ] {
        for literal in [smallest, "-1", "0", "1", greatest] {
            println!("{attribute} {literal}");
            assert_round_trip(&service, attribute, literal);
        }
    }
}

#[apply(every_database)]
fn integers_out_of_the_range_of_their_type_are_400_10010() {
    let service = samples();
    for (attribute, below, above) in [
        ("small", "-32769", "32768"),
        ("medium", "-2147483649", "2147483648"),
        ("large", "-9223372036854775809", "9223372036854775808"),
    ] {
        for literal in [
            below,
            above,
            "18446744073709551616",
            "1000000000000000000000000000000",
        ] {
            println!("{attribute} {literal}");
            assert_refused(&service, attribute, literal);
        }
    }
}

#[apply(every_database)]
fn an_integer_attribute_accepts_only_json_integers() {
    let service = samples();
    for literal in [
        "1.0", "1.5", "1e2", "1E2", "0.0", "1e999", "\"1\"", "true", "false", "[]", "{}", "\"\"",
    ] {
        for attribute in ["small", "medium", "large"] {
            println!("{attribute} {literal}");
            assert_refused(&service, attribute, literal);
        }
    }
}

#[apply(every_database)]
fn booleans_round_trip() {
    let service = samples();
    for literal in ["true", "false", "null"] {
        assert_round_trip(&service, "flag", literal);
    }
}

#[apply(every_database)]
fn a_boolean_attribute_accepts_only_true_and_false() {
    let service = samples();
    for literal in ["1", "0", "\"true\"", "\"\"", "[]", "{}", "1.0"] {
        println!("{literal}");
        assert_refused(&service, "flag", literal);
    }
}

#[apply(every_database)]
fn false_satisfies_a_required_boolean() {
    let service = samples();
    let path = service.create("/api/1.0/samples", &json!({"strict": false}));
    assert_eq!(service.read(&path)["strict"], json!(false));
    assert_error(&service.post("/api/1.0/samples", &json!({})), 400, 10010).naming(&["`strict`"]);
    assert_error(&service.put(&path, &json!({"strict": null})), 400, 10010).naming(&["`strict`"]);
}

#[apply(every_database)]
fn attributes_of_every_type_can_be_changed_and_set_to_null() {
    let service = samples();
    let path = service.create("/api/1.0/samples", &json!({"strict": true}));
    let full =
        json!({"small": 1, "medium": 2, "large": 3, "real": 4.5, "flag": true, "strict": false});
    assert_no_content(&service.put(&path, &full));
    let empty = json!({"small": null, "medium": null, "large": null, "real": null, "flag": null});
    assert_eq!(
        service.get(&path).text(),
        r#"{"id":1,"small":1,"medium":2,"large":3,"real":4.5,"flag":true,"strict":false}"#
    );
    assert_no_content(&service.put(&path, &empty));
    assert_eq!(
        service.get(&path).text(),
        r#"{"id":1,"small":null,"medium":null,"large":null,"real":null,"flag":null,"strict":false}"#
    );
}
