//! `NaiveDateTime`: a day and a time, without an offset.

use chrono::NaiveDateTime;
use resource_tests::{apply, every_database};

use crate::comparison::assert_compared;
use crate::rejection::{assert_of_another_type, assert_refused, assert_takes_no_pattern};
use crate::round_trip::{assert_kept, assert_null_is_for_an_option_alone};
use crate::samples::samples_of;

const KIND: &str = r#"a date and time like "2024-02-29T07:08:09""#;
const EXAMPLE: &str = "\"2024-02-29T07:08:09\"";

samples_of!(NaiveDateTime);

#[apply(every_database)]
fn date_times_round_trip_without_trailing_zeros() {
    let service = samples();
    for (sent, shown) in [
        (EXAMPLE, EXAMPLE),
        ("\"0001-01-01T00:00:00\"", "\"0001-01-01T00:00:00\""),
        ("\"0001-01-01T00:00:00.100\"", "\"0001-01-01T00:00:00.1\""),
        (
            "\"9999-12-31T23:59:59.999999\"",
            "\"9999-12-31T23:59:59.999999\"",
        ),
    ] {
        assert_kept(&service, sent, shown);
    }
}

#[apply(every_database)]
fn null_is_for_an_option_alone() {
    assert_null_is_for_an_option_alone(&samples(), EXAMPLE);
}

#[apply(every_database)]
fn date_times_compare_by_day_then_by_time() {
    let ranks: [&[&str]; 7] = [
        &["\"0001-01-01T00:00:00\""],
        &["\"2024-02-29T07:08:09\"", "\"2024-02-29T07:08:09.000000\""],
        &["\"2024-02-29T07:08:09.45\""],
        &["\"2024-02-29T07:08:09.5\"", "\"2024-02-29T07:08:09.50\""],
        &["\"2024-02-29T07:08:10\""],
        &["\"2024-03-01T00:00:00\""],
        &["\"9999-12-31T23:59:59.999999\""],
    ];
    assert_compared(&samples(), &ranks);
}

#[apply(every_database)]
fn malformed_date_time_is_refused_with_an_example() {
    let literals = [
        "\"\"",
        "\"2024-02-29\"",
        "\"2024-02-29 07:08:09\"",
        "\"2024-02-29t07:08:09\"",
        "\"2024-02-29T07:08\"",
        "\"2024-2-29T07:08:09\"",
        "\"20240229T070809\"",
    ];
    assert_refused(&one_sample(EXAMPLE), &format!("must be {KIND}"), &literals);
}

#[apply(every_database)]
fn date_time_with_an_offset_is_refused() {
    let literals = ["\"2024-02-29T07:08:09Z\"", "\"2024-02-29T07:08:09+02:00\""];
    assert_refused(&one_sample(EXAMPLE), &format!("must be {KIND}"), &literals);
}

#[apply(every_database)]
fn date_time_outside_of_the_calendar_is_refused_with_the_range() {
    let allowed = "must be a day of the calendar and a time of day, \
                   from 0001-01-01T00:00:00 to 9999-12-31T23:59:59.999999";
    let literals = [
        "\"2023-02-29T07:08:09\"",
        "\"2024-02-29T24:00:00\"",
        "\"2016-12-31T23:59:60\"",
        "\"0000-12-31T23:59:59\"",
    ];
    assert_refused(&one_sample(EXAMPLE), allowed, &literals);
}

#[apply(every_database)]
fn fraction_finer_than_a_microsecond_is_refused_not_rounded() {
    let allowed = "must not be finer than a microsecond: at most 6 digits behind the second";
    assert_refused(
        &one_sample(EXAMPLE),
        allowed,
        &["\"2024-02-29T07:08:09.1234567\""],
    );
}

#[apply(every_database)]
fn another_type_is_refused() {
    let others = [
        ("1709190489", "1709190489"),
        ("true", "a boolean"),
        ("[]", "an array"),
    ];
    assert_of_another_type(&one_sample(EXAMPLE), KIND, &others);
}

#[apply(every_database)]
fn patterns_are_refused() {
    assert_takes_no_pattern(&samples(), KIND);
}
