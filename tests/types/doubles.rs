//! `f64`: every finite double, exactly.

use resource_runtime::{Api, ApiResource};
use resource_tests::{Service, apply, assert_error, every_database};

use crate::comparison::assert_compared;
use crate::rejection::{assert_of_another_type, assert_refused, assert_takes_no_pattern};
use crate::round_trip::{assert_kept, assert_null_is_for_an_option_alone, create, send};
use crate::samples::{SAMPLES, samples_of};

samples_of!(f64);

#[apply(every_database)]
fn finite_doubles_round_trip() {
    let service = samples();
    for (sent, shown) in [
        ("0.1", "0.1"),
        ("0.30000000000000004", "0.30000000000000004"),
        ("-2.5", "-2.5"),
        ("1.7976931348623157e308", "1.7976931348623157e+308"),
        ("-1.7976931348623157e308", "-1.7976931348623157e+308"),
        ("2.2250738585072014e-308", "2.2250738585072014e-308"),
        ("5e-324", "5e-324"),
        ("-5e-324", "-5e-324"),
        ("7", "7.0"),
        ("1e2", "100.0"),
        ("0.10000000000000000000000000001", "0.1"),
        ("9007199254740993", "9007199254740992.0"),
        ("1e-400", "0.0"),
    ] {
        assert_kept(&service, sent, shown);
    }
}

#[apply(every_database)]
fn minus_zero_is_zero() {
    let service = samples();
    for zero in ["-0.0", "-0", "-0e0", "-1e-400"] {
        assert_kept(&service, zero, "0.0");
    }
}

#[apply(every_database)]
fn null_is_for_an_option_alone() {
    assert_null_is_for_an_option_alone(&samples(), "0.5");
}

#[apply(every_database)]
fn extremes_compare_as_numbers() {
    let ranks: [&[&str]; 9] = [
        &["-1.7976931348623157e308"],
        &["-10", "-10.0", "-1e1"],
        &["-9.5"],
        &["-5e-324"],
        &["0", "-0.0", "0e5"],
        &["5e-324"],
        &["9.5"],
        &["10"],
        &["1.7976931348623157e308"],
    ];
    assert_compared(&samples(), &ranks);
}

#[apply(every_database)]
fn adjacent_doubles_are_distinguished() {
    let ranks: [&[&str]; 4] = [
        &["0.3"],
        &["0.30000000000000004"],
        &["9007199254740992", "9007199254740993"],
        &["9007199254740994"],
    ];
    assert_compared(&samples(), &ranks);
}

#[apply(every_database)]
fn number_out_of_range_is_refused_with_the_range() {
    let range = "must be a number from -1.7976931348623157e308 to 1.7976931348623157e308";
    assert_refused(
        &one_sample("0"),
        range,
        &["1e309", "-1e309", "1e99999", "1.8e308"],
    );
}

#[apply(every_database)]
fn another_type_is_refused() {
    let others = [
        ("\"1.5\"", "a string"),
        ("\"NaN\"", "a string"),
        ("true", "a boolean"),
        ("[1.5]", "an array"),
        ("{}", "an object"),
    ];
    assert_of_another_type(&one_sample("0"), "a number", &others);
}

#[apply(every_database)]
fn patterns_are_refused() {
    assert_takes_no_pattern(&samples(), "a number");
}

#[derive(Debug, ApiResource)]
#[resource(name = "Distance", url = "/samples", version = "1.0")]
struct Distance {
    id: i64,
    #[resource(min = -0.3, max = 9007199254740993)]
    near: Option<f64>,
    #[resource(min = 9007199254740993)]
    far: Option<f64>,
}

/// 9007199254740993 is no double: the nearest one is one less.
#[apply(every_database)]
fn limit_is_the_nearest_double() {
    let service = Service::start(|database| Api::builder().resource::<Distance>().build(database));
    for distance in [
        r#"{"near":-0.3,"far":9007199254740993}"#,
        r#"{"near":-0.29999999999999999,"far":9007199254740992}"#,
        r#"{"near":9007199254740992,"far":1e300}"#,
        r#"{"near":9007199254740993}"#,
    ] {
        create(&service, SAMPLES, distance);
    }
    for (distance, told) in [
        (
            r#"{"near":-0.30000000000000004}"#,
            "`near` must be at least -0.3",
        ),
        (
            r#"{"near":9007199254740994}"#,
            "`near` must be at most 9007199254740993",
        ),
        (
            r#"{"far":9007199254740991}"#,
            "`far` must be at least 9007199254740993",
        ),
    ] {
        let answer = send(&service, "POST", SAMPLES, distance);
        assert_error(&answer, 400, 10010);
        assert_eq!(answer.json()["error_description"], told);
    }
}
