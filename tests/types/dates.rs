//! `NaiveDate`: the days of the calendar from the year 1 to 9999.

use chrono::NaiveDate;
use resource_tests::{apply, every_database};

use crate::comparison::assert_compared;
use crate::rejection::{assert_of_another_type, assert_refused, assert_takes_no_pattern};
use crate::round_trip::{assert_kept, assert_null_is_for_an_option_alone};
use crate::samples::samples_of;

const KIND: &str = r#"a date like "2024-02-29""#;

samples_of!(NaiveDate);

#[apply(every_database)]
fn days_round_trip() {
    let service = samples();
    for day in [
        "\"0001-01-01\"",
        "\"2024-02-29\"",
        "\"1900-02-28\"",
        "\"9999-12-31\"",
    ] {
        assert_kept(&service, day, day);
    }
    assert_kept(&service, r#""2024\u002d02-03""#, "\"2024-02-03\"");
}

#[apply(every_database)]
fn null_is_for_an_option_alone() {
    assert_null_is_for_an_option_alone(&samples(), "\"2024-02-29\"");
}

#[apply(every_database)]
fn days_compare_by_the_calendar() {
    let ranks: [&[&str]; 6] = [
        &["\"0001-01-01\""],
        &["\"0999-12-31\""],
        &["\"1000-01-01\""],
        &["\"2024-02-29\""],
        &["\"2024-03-01\""],
        &["\"9999-12-31\""],
    ];
    assert_compared(&samples(), &ranks);
}

#[apply(every_database)]
fn malformed_date_is_refused_with_an_example() {
    let literals = [
        "\"\"",
        "\"2024-2-3\"",
        "\"20240203\"",
        "\"03.02.2024\"",
        "\"+2024-02-03\"",
        "\"2024-02-03T00:00:00\"",
        "\"2024-02-03Z\"",
        "\" 2024-02-03\"",
        "\"12024-02-03\"",
        "\"today\"",
    ];
    assert_refused(
        &one_sample("\"2024-02-29\""),
        &format!("must be {KIND}"),
        &literals,
    );
}

#[apply(every_database)]
fn day_outside_of_the_calendar_is_refused_with_the_range() {
    let allowed = "must be a day of the calendar, from 0001-01-01 to 9999-12-31";
    let literals = [
        "\"2023-02-29\"",
        "\"1900-02-29\"",
        "\"2024-13-01\"",
        "\"2024-00-01\"",
        "\"2024-04-31\"",
        "\"2024-01-00\"",
        "\"0000-01-01\"",
    ];
    assert_refused(&one_sample("\"2024-02-29\""), allowed, &literals);
}

#[apply(every_database)]
fn another_type_is_refused() {
    let others = [
        ("20240229", "20240229"),
        ("true", "a boolean"),
        ("[]", "an array"),
        ("{}", "an object"),
    ];
    assert_of_another_type(&one_sample("\"2024-02-29\""), KIND, &others);
}

#[apply(every_database)]
fn patterns_are_refused() {
    assert_takes_no_pattern(&samples(), KIND);
}
