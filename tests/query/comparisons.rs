//! `eq ne gt ge lt le` on every kind, with values below, among and above the stored ones.

use crate::requests::filtered;
use crate::samples::{SAMPLES, samples};
use resource_tests::{apply, every_database};

/// An attribute, a value, and the samples where it is equal, greater and less than the value. In samples
/// that are none of these, the attribute is null.
type Case = (
    &'static str,
    &'static str,
    &'static [i64],
    &'static [i64],
    &'static [i64],
);

#[track_caller]
fn assert_compared(cases: &[Case]) {
    let service = samples();
    for (path, value, equal, greater, less) in cases {
        let any = |sets: &[&[i64]]| {
            let mut ids = sets.concat();
            ids.sort_unstable();
            ids
        };
        let differs = (1..=5).filter(|id| !equal.contains(id)).collect();
        for (function, expected) in [
            ("eq", equal.to_vec()),
            ("ne", differs),
            ("gt", greater.to_vec()),
            ("ge", any(&[equal, greater])),
            ("lt", less.to_vec()),
            ("le", any(&[equal, less])),
        ] {
            let filter = format!("{function}({path},{value})");
            assert_eq!(filtered(&service, SAMPLES, &filter), expected, "{filter}");
        }
    }
}

#[apply(every_database)]
fn integers_compare_exactly_over_their_whole_range() {
    assert_compared(&[
        ("id", "3", &[3], &[4, 5], &[1, 2]),
        ("id", "0", &[], &[1, 2, 3, 4, 5], &[]),
        ("medium", "7", &[3, 4], &[5], &[1, 2]),
        ("medium", "-2147483648", &[1], &[2, 3, 4, 5], &[]),
        ("medium", "2147483647", &[5], &[], &[1, 2, 3, 4]),
    ]);
}

#[apply(every_database)]
fn null_integers_match_ne_alone() {
    assert_compared(&[
        ("small", "0", &[2, 5], &[3], &[1]),
        ("small", "-32768", &[1], &[2, 3, 5], &[]),
        ("large", "9223372036854775806", &[5], &[3], &[1, 2]),
        ("large", "9223372036854775807", &[3], &[], &[1, 2, 5]),
        ("large", "-9223372036854775808", &[1], &[2, 3, 5], &[]),
    ]);
}

#[apply(every_database)]
fn doubles_compare_exactly() {
    assert_compared(&[
        ("ratio", "2", &[3, 4], &[], &[1, 2, 5]),
        ("ratio", "0.3", &[], &[2, 3, 4, 5], &[1]),
        ("ratio", "0.30000000000000004", &[5], &[2, 3, 4], &[1]),
        ("ratio", "1e-1", &[1], &[2, 3, 4, 5], &[]),
    ]);
}

#[apply(every_database)]
fn null_doubles_match_ne_alone() {
    assert_compared(&[
        ("real", "0", &[2], &[3, 5], &[1]),
        ("real", "-0.0", &[2], &[3, 5], &[1]),
        ("real", "5e-324", &[5], &[3], &[1, 2]),
        ("real", "1E+300", &[3], &[], &[1, 2, 5]),
        ("real", "-1.5e0", &[1], &[2, 3, 5], &[]),
    ]);
}

#[apply(every_database)]
fn false_is_smaller_than_true() {
    assert_compared(&[
        ("sure", "true", &[2, 4, 5], &[], &[1, 3]),
        ("sure", "false", &[1, 3], &[2, 4, 5], &[]),
        ("flag", "true", &[2], &[], &[1, 5]),
        ("flag", "false", &[1, 5], &[2], &[]),
    ]);
}

#[apply(every_database)]
fn texts_compare_by_code_point() {
    assert_compared(&[
        ("text", r#""a""#, &[3], &[4, 5], &[1, 2]),
        ("text", r#""""#, &[1], &[2, 3, 4, 5], &[]),
        ("text", r#""é""#, &[4], &[5], &[1, 2, 3]),
        ("text", r#""\ud83e\udd80""#, &[5], &[], &[1, 2, 3, 4]),
        ("text", r#""z""#, &[], &[4, 5], &[1, 2, 3]),
    ]);
}

#[apply(every_database)]
fn null_texts_match_ne_alone() {
    assert_compared(&[
        ("note", r#""A""#, &[5], &[2], &[1]),
        ("note", r#""""#, &[1], &[2, 5], &[]),
        ("note", r#""null""#, &[], &[], &[1, 2, 5]),
    ]);
}
