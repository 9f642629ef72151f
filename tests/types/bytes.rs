//! `Vec<u8>`: base64 in JSON, counted and compared as bytes.

use resource_runtime::{Api, ApiResource};
use resource_tests::{Service, apply, assert_error, assert_no_content, every_database};

use crate::comparison::assert_compared;
use crate::rejection::{assert_of_another_type, assert_refused, assert_takes_no_pattern};
use crate::round_trip::{assert_kept, assert_null_is_for_an_option_alone, create, send};
use crate::samples::{SAMPLES, samples_of};

const KIND: &str = r#"a string in base64 with padding like "AP8=""#;

samples_of!(Vec<u8>);

#[apply(every_database)]
fn bytes_round_trip() {
    let service = samples();
    for base64 in [
        "\"\"", "\"AA==\"", "\"AP8=\"", "\"AAAA\"", "\"+/+/\"", "\"w5wg\"",
    ] {
        assert_kept(&service, base64, base64);
    }
    assert_kept(&service, r#""\u0041P8\u003d""#, "\"AP8=\"");
    assert_kept(&service, r#""\/\/\/\/""#, "\"////\"");
}

#[apply(every_database)]
fn values_of_64_kib_round_trip() {
    // Three bytes are four characters: 65,535 bytes, and one.
    let base64 = format!("\"{}AQ==\"", "AP+A".repeat(65_536 / 3));
    assert_kept(&samples(), &base64, &base64);
}

#[apply(every_database)]
fn null_is_for_an_option_alone_and_empty_bytes_are_a_value() {
    assert_null_is_for_an_option_alone(&samples(), "\"\"");
}

/// 00, 00 00, 00 01, 7F, 80, F8 and FF, which is not the order of their base64 texts.
#[apply(every_database)]
fn bytes_compare_as_bytes() {
    let ranks: [&[&str]; 8] = [
        &["\"\""],
        &["\"AA==\"", r#""\u0041A==""#],
        &["\"AAA=\""],
        &["\"AAE=\""],
        &["\"fw==\""],
        &["\"gA==\""],
        &["\"+A==\""],
        &["\"/w==\""],
    ];
    assert_compared(&samples(), &ranks);
}

#[apply(every_database)]
fn text_that_is_not_padded_base64_is_refused_with_an_example() {
    let literals = [
        "\"AP8\"",
        "\"AP8==\"",
        "\"A\"",
        "\"AA=\"",
        "\"=\"",
        "\"AP8=AP8=\"",
        "\"_-_-\"",
        "\"AP 8=\"",
        "\"AP8= \"",
        "\"AB==\"",
        "\"ÄÖ==\"",
        "\"0x00\\n\"",
    ];
    assert_refused(&one_sample("\"\""), &format!("must be {KIND}"), &literals);
}

#[apply(every_database)]
fn another_type_is_refused() {
    let others = [
        ("0", "0"),
        ("true", "a boolean"),
        ("[0,255]", "an array"),
        ("{}", "an object"),
    ];
    assert_of_another_type(&one_sample("\"\""), KIND, &others);
}

#[apply(every_database)]
fn patterns_are_refused() {
    assert_takes_no_pattern(&samples(), KIND);
}

#[derive(Debug, ApiResource)]
#[resource(name = "Key", url = "/samples", version = "1.0")]
struct Key {
    id: i64,
    #[resource(min_length = 2, max_length = 3, unique)]
    key: Vec<u8>,
}

#[apply(every_database)]
fn length_limit_counts_bytes() {
    let service = Service::start(|database| Api::builder().resource::<Key>().build(database));
    let path = create(&service, SAMPLES, r#"{"key":"AAA="}"#);
    create(&service, SAMPLES, r#"{"key":"////"}"#);
    // Two bytes that are one character in UTF-8, three that are one.
    for key in ["w5w=", "4oKs"] {
        let body = format!(r#"{{"key":"{key}"}}"#);
        assert_no_content(&send(&service, "PUT", &path, &body));
    }
    for (key, told) in [
        ("", "`key` must be at least 2 bytes long, not 0"),
        ("AA==", "`key` must be at least 2 bytes long, not 1"),
        ("AAAAAA==", "`key` must be at most 3 bytes long, not 4"),
    ] {
        let answer = send(&service, "PUT", &path, &format!(r#"{{"key":"{key}"}}"#));
        assert_error(&answer, 400, 10010);
        assert_eq!(answer.json()["error_description"], told);
    }
    let answer = send(&service, "POST", SAMPLES, r#"{"key":"////"}"#);
    assert_error(&answer, 400, 10030).naming(&["`key`"]);
}
