//! `DateTime<Utc>`: instants, returned in UTC whatever offset was sent.

use chrono::{DateTime, Utc};
use resource_tests::{apply, every_database};

use crate::comparison::assert_compared;
use crate::rejection::{assert_of_another_type, assert_refused, assert_takes_no_pattern};
use crate::round_trip::{assert_kept, assert_null_is_for_an_option_alone};
use crate::samples::samples_of;

const KIND: &str = r#"a timestamp with an offset like "2024-02-29T07:08:09Z""#;
const EXAMPLE: &str = "\"2024-02-29T07:08:09Z\"";

samples_of!(DateTime<Utc>);

#[apply(every_database)]
fn instants_round_trip_in_utc() {
    let service = samples();
    for (sent, shown) in [
        (EXAMPLE, EXAMPLE),
        ("\"2024-02-29t07:08:09z\"", EXAMPLE),
        ("\"2024-02-29T09:08:09+02:00\"", EXAMPLE),
        ("\"2024-02-29T07:08:09-00:00\"", EXAMPLE),
        ("\"2024-03-01T00:07:09+16:59\"", EXAMPLE),
        ("\"2024-02-28T07:09:09-23:59\"", EXAMPLE),
        ("\"2024-02-29T07:08:09.500Z\"", "\"2024-02-29T07:08:09.5Z\""),
        (
            "\"2024-02-29T07:08:09.000001Z\"",
            "\"2024-02-29T07:08:09.000001Z\"",
        ),
        (
            "\"2024-02-29T07:08:09.120000000000Z\"",
            "\"2024-02-29T07:08:09.12Z\"",
        ),
        ("\"0001-01-01T00:00:00Z\"", "\"0001-01-01T00:00:00Z\""),
        ("\"0001-01-01T02:00:00+02:00\"", "\"0001-01-01T00:00:00Z\""),
        (
            "\"9999-12-31T23:59:59.999999Z\"",
            "\"9999-12-31T23:59:59.999999Z\"",
        ),
        ("\"9999-12-31T22:59:59-01:00\"", "\"9999-12-31T23:59:59Z\""),
    ] {
        assert_kept(&service, sent, shown);
    }
}

#[apply(every_database)]
fn null_is_for_an_option_alone() {
    assert_null_is_for_an_option_alone(&samples(), EXAMPLE);
}

#[apply(every_database)]
fn instants_compare_as_instants_whatever_their_offsets() {
    let ranks: [&[&str]; 8] = [
        &["\"0001-01-01T00:00:00Z\""],
        &["\"2024-02-29T08:00:00+02:00\"", "\"2024-02-29T06:00:00Z\""],
        &["\"2024-02-29T07:00:00Z\"", "\"2024-02-29T02:00:00-05:00\""],
        &["\"2024-02-29T07:00:00.000001Z\""],
        &[
            "\"2024-02-29T07:00:00.5Z\"",
            "\"2024-02-29T07:00:00.500000+00:00\"",
        ],
        &["\"2024-02-29T07:00:01Z\""],
        &[
            "\"2024-02-28T23:00:00-10:00\"",
            "\"2024-02-29T23:00:00+14:00\"",
        ],
        &["\"9999-12-31T23:59:59.999999Z\""],
    ];
    assert_compared(&samples(), &ranks);
}

#[apply(every_database)]
fn malformed_timestamp_is_refused_with_an_example() {
    let literals = [
        "\"\"",
        "\"now\"",
        "\"2024-02-29\"",
        "\"2024-02-29T07:08:09\"",
        "\"2024-02-29 07:08:09Z\"",
        "\"2024-02-29T07:08Z\"",
        "\"2024-2-29T07:08:09Z\"",
        "\"20240229T070809Z\"",
        "\"2024-02-29T07:08:09.Z\"",
        "\"2024-02-29T07:08:09,5Z\"",
        "\"2024-060T07:08:09Z\"",
        "\"2024-W09-4T07:08:09Z\"",
        "\"Thu, 29 Feb 2024 07:08:09 GMT\"",
    ];
    assert_refused(&one_sample(EXAMPLE), &format!("must be {KIND}"), &literals);
}

#[apply(every_database)]
fn timestamp_outside_of_the_calendar_is_refused_with_the_range() {
    let allowed = "must be a day of the calendar, a time of day and an offset, \
                   from 0001-01-01T00:00:00Z to 9999-12-31T23:59:59.999999Z";
    let literals = [
        "\"2023-02-29T07:08:09Z\"",
        "\"2024-02-29T24:00:00Z\"",
        "\"2016-12-31T23:59:60Z\"",
        "\"0000-12-31T23:59:59Z\"",
        "\"0001-01-01T00:00:00+00:01\"",
        "\"9999-12-31T23:59:59-00:01\"",
    ];
    assert_refused(&one_sample(EXAMPLE), allowed, &literals);
}

#[apply(every_database)]
fn fraction_finer_than_a_microsecond_is_refused_not_rounded() {
    let allowed = "must not be finer than a microsecond: at most 6 digits behind the second";
    let literals = [
        "\"2024-02-29T07:08:09.1234567Z\"",
        "\"2024-02-29T07:08:09.0000001+02:00\"",
    ];
    assert_refused(&one_sample(EXAMPLE), allowed, &literals);
}

#[apply(every_database)]
fn another_type_is_refused() {
    let others = [
        ("1709190489", "1709190489"),
        ("1709190489.5", "1709190489.5"),
        ("true", "a boolean"),
        ("{}", "an object"),
    ];
    assert_of_another_type(&one_sample(EXAMPLE), KIND, &others);
}

#[apply(every_database)]
fn patterns_are_refused() {
    assert_takes_no_pattern(&samples(), KIND);
}
