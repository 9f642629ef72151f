//! `String`: every text without U+0000, ordered by code point.

use crate::comparison::assert_compared;
use crate::rejection::{assert_of_another_type, error_in_body, error_in_filter};
use crate::requests::filtered;
use crate::round_trip::{assert_kept, assert_null_is_for_an_option_alone, create};
use crate::samples::{SAMPLES, samples_of};
use resource_tests::{apply, every_database};

samples_of!(String);

#[apply(every_database)]
fn texts_round_trip() {
    let service = samples();
    for (sent, shown) in [
        (r#""""#, r#""""#),
        (r#"" a ""#, r#"" a ""#),
        (r#""null""#, r#""null""#),
        (r#""1.50""#, r#""1.50""#),
        (r#""\u00e9\ud83e\udd80""#, "\"é🦀\""),
        (r#""\/\u0022\u005c""#, r#""/\"\\""#),
        (r#""\t\u000a\u0001\u007f""#, "\"\\t\\n\\u0001\u{7f}\""),
        ("\"e\u{301}\"", "\"e\u{301}\""),
    ] {
        assert_kept(&service, sent, shown);
    }
}

#[apply(every_database)]
fn long_text_round_trips() {
    let long = format!("\"{}\"", "ä🦀".repeat(20_000));
    assert_kept(&samples(), &long, &long);
}

#[apply(every_database)]
fn null_is_for_an_option_alone_and_the_empty_text_is_a_value() {
    assert_null_is_for_an_option_alone(&samples(), r#""""#);
}

#[apply(every_database)]
fn texts_compare_by_code_point() {
    let ranks: [&[&str]; 9] = [
        &[r#""""#],
        &[r#""10""#],
        &[r#""9""#],
        &[r#""Z""#, r#""\u005a""#],
        &[r#""a""#],
        &[r#""a ""#],
        &["\"e\u{301}\""],
        &["\"é\"", r#""\u00e9""#],
        &["\"🦀\"", r#""\ud83e\udd80""#],
    ];
    assert_compared(&samples(), &ranks);
}

#[apply(every_database)]
fn patterns_match_text() {
    let service = samples();
    for text in ["ab", "AB", "b"] {
        create(&service, SAMPLES, &format!(r#"{{"value":"{text}"}}"#));
    }
    assert_eq!(filtered(&service, SAMPLES, r#"like(value,"a%")"#), [1]);
    assert_eq!(filtered(&service, SAMPLES, r#"ilike(value,"a%")"#), [1, 2]);
    assert_eq!(
        filtered(&service, SAMPLES, r#"not(like(maybe,"a%"))"#),
        [1, 2, 3]
    );
}

#[apply(every_database)]
fn u_0000_is_refused() {
    let service = one_sample(r#""""#);
    for literal in [r#""\u0000""#, r#""a\u0000b""#] {
        let told = "must not hold the character U+0000";
        assert_eq!(error_in_body(&service, literal), told);
        let told = format!("is compared with a string without U+0000, not {literal}");
        assert_eq!(error_in_filter(&service, literal), told);
    }
}

#[apply(every_database)]
fn another_type_is_refused() {
    let others = [
        ("1", "1"),
        ("-1.5", "-1.5"),
        ("true", "a boolean"),
        ("[]", "an array"),
        ("{}", "an object"),
    ];
    assert_of_another_type(&one_sample(r#""""#), "a string", &others);
}
