//! `f32`: every finite value, written with the fewest digits that distinguish it.

use resource_runtime::{Api, ApiResource};
use resource_tests::{Service, apply, assert_error, every_database};

use crate::comparison::assert_compared;
use crate::rejection::{assert_of_another_type, assert_refused, assert_takes_no_pattern};
use crate::requests::filtered;
use crate::round_trip::{assert_kept, assert_null_is_for_an_option_alone, create, send};
use crate::samples::{SAMPLES, samples_of};

samples_of!(f32);

#[apply(every_database)]
fn finite_singles_round_trip() {
    let service = samples();
    for (sent, shown) in [
        ("0.1", "0.1"),
        ("-2.5", "-2.5"),
        ("3.4028235e38", "3.4028235e+38"),
        ("-3.4028235e38", "-3.4028235e+38"),
        ("1.1754944e-38", "1.1754944e-38"),
        ("1e-45", "1e-45"),
        ("7", "7.0"),
        ("0.100000001490116119384765625", "0.1"),
        ("0.10000001", "0.10000001"),
        ("16777217", "16777216.0"),
        ("1e-46", "0.0"),
        ("-0.0", "0.0"),
    ] {
        assert_kept(&service, sent, shown);
    }
}

#[apply(every_database)]
fn null_is_for_an_option_alone() {
    assert_null_is_for_an_option_alone(&samples(), "0.5");
}

#[apply(every_database)]
fn values_compare_as_singles() {
    let ranks: [&[&str]; 8] = [
        &["-3.4028235e38"],
        &["-10"],
        &["-9.5"],
        &["0", "-0.0"],
        &["1e-45"],
        &["0.1", "0.100000001490116119384765625", "1e-1"],
        &["0.10000001"],
        &["3.4028235e38"],
    ];
    assert_compared(&samples(), &ranks);
}

#[apply(every_database)]
fn number_out_of_range_is_refused_with_the_range() {
    let range = "must be a number from -3.4028235e38 to 3.4028235e38";
    assert_refused(
        &one_sample("0"),
        range,
        &["3.5e38", "-1e39", "1e300", "1e999"],
    );
}

#[apply(every_database)]
fn another_type_is_refused() {
    let others = [
        ("\"1.5\"", "a string"),
        ("false", "a boolean"),
        ("[]", "an array"),
    ];
    assert_of_another_type(&one_sample("0"), "a number", &others);
}

#[apply(every_database)]
fn patterns_are_refused() {
    assert_takes_no_pattern(&samples(), "a number");
}

#[derive(Debug, ApiResource)]
#[resource(name = "Share", url = "/samples", version = "1.0")]
struct Share {
    id: i64,
    #[resource(min = 0.7, max = 0.8)]
    share: f32,
}

/// The `f32` nearest to 0.7 is below it, the one nearest to 0.8 above.
#[apply(every_database)]
fn limit_is_the_nearest_single() {
    let service = Service::start(|database| Api::builder().resource::<Share>().build(database));
    for share in ["0.7", "0.8", "0.75"] {
        create(&service, SAMPLES, &format!(r#"{{"share":{share}}}"#));
    }
    assert_eq!(filtered(&service, SAMPLES, "in(share,[0.7,0.8])"), [1, 2]);
    for (share, told) in [
        ("0.6999999", "`share` must be at least 0.7"),
        ("0.8000001", "`share` must be at most 0.8"),
    ] {
        let answer = send(
            &service,
            "POST",
            SAMPLES,
            &format!(r#"{{"share":{share}}}"#),
        );
        assert_error(&answer, 400, 10010);
        assert_eq!(answer.json()["error_description"], told);
    }
}
