//! `NaiveTime`: times of day to the microsecond.

use chrono::NaiveTime;
use resource_tests::{apply, every_database};

use crate::comparison::assert_compared;
use crate::rejection::{assert_of_another_type, assert_refused, assert_takes_no_pattern};
use crate::round_trip::{assert_kept, assert_null_is_for_an_option_alone};
use crate::samples::samples_of;

const KIND: &str = r#"a time like "07:08:09""#;

samples_of!(NaiveTime);

#[apply(every_database)]
fn times_round_trip_without_trailing_zeros() {
    let service = samples();
    for (sent, shown) in [
        ("\"00:00:00\"", "\"00:00:00\""),
        ("\"07:08:09\"", "\"07:08:09\""),
        ("\"07:08:10.000\"", "\"07:08:10\""),
        ("\"07:08:09.50\"", "\"07:08:09.5\""),
        ("\"00:00:00.000001\"", "\"00:00:00.000001\""),
        ("\"23:59:59.999999\"", "\"23:59:59.999999\""),
        ("\"23:59:59.999999000000\"", "\"23:59:59.999999\""),
    ] {
        assert_kept(&service, sent, shown);
    }
}

#[apply(every_database)]
fn null_is_for_an_option_alone() {
    assert_null_is_for_an_option_alone(&samples(), "\"00:00:00\"");
}

#[apply(every_database)]
fn times_compare_by_the_clock() {
    let ranks: [&[&str]; 8] = [
        &["\"00:00:00\"", "\"00:00:00.0\""],
        &["\"00:00:00.000001\""],
        &["\"07:08:09\"", "\"07:08:09.000\""],
        &["\"07:08:09.45\""],
        &["\"07:08:09.5\"", "\"07:08:09.500000\""],
        &["\"07:08:10\""],
        &["\"10:00:00\""],
        &["\"23:59:59.999999\""],
    ];
    assert_compared(&samples(), &ranks);
}

#[apply(every_database)]
fn malformed_time_is_refused_with_an_example() {
    let literals = [
        "\"\"",
        "\"07:08\"",
        "\"7:08:09\"",
        "\"070809\"",
        "\"07:08:09.\"",
        "\"07:08:09,5\"",
        "\"07:08:09Z\"",
        "\"07:08:09+02:00\"",
        "\"07:08:09 pm\"",
        "\"T07:08:09\"",
    ];
    assert_refused(
        &one_sample("\"00:00:00\""),
        &format!("must be {KIND}"),
        &literals,
    );
}

#[apply(every_database)]
fn time_of_no_clock_is_refused_with_the_range() {
    let allowed = "must be a time of day, from 00:00:00 to 23:59:59.999999";
    let literals = [
        "\"24:00:00\"",
        "\"23:60:00\"",
        "\"23:59:60\"",
        "\"23:59:61\"",
        "\"99:99:99\"",
    ];
    assert_refused(&one_sample("\"00:00:00\""), allowed, &literals);
}

#[apply(every_database)]
fn fraction_finer_than_a_microsecond_is_refused_not_rounded() {
    let allowed = "must not be finer than a microsecond: at most 6 digits behind the second";
    let literals = [
        "\"00:00:00.0000001\"",
        "\"23:59:59.9999999\"",
        "\"00:00:00.1234567890123\"",
    ];
    assert_refused(&one_sample("\"00:00:00\""), allowed, &literals);
}

#[apply(every_database)]
fn another_type_is_refused() {
    let others = [
        ("70809", "70809"),
        ("false", "a boolean"),
        ("{}", "an object"),
    ];
    assert_of_another_type(&one_sample("\"00:00:00\""), KIND, &others);
}

#[apply(every_database)]
fn patterns_are_refused() {
    assert_takes_no_pattern(&samples(), KIND);
}
