//! `Decimal`: exact numbers, ordered as numbers, and strings in JSON with the digits that were sent.

use resource_tests::{apply, every_database};
use rust_decimal::Decimal;

use crate::comparison::assert_compared;
use crate::rejection::{assert_of_another_type, assert_refused, assert_takes_no_pattern};
use crate::requests::{filtered, page};
use crate::round_trip::{assert_kept, assert_null_is_for_an_option_alone, create};
use crate::samples::{SAMPLES, samples_of};

const KIND: &str = r#"a decimal number like "12.50""#;
const GREATEST: &str = "79228162514264337593543950335";
const SMALLEST: &str = "0.0000000000000000000000000001";

samples_of!(Decimal);

#[apply(every_database)]
fn every_digit_of_numbers_and_strings_round_trips() {
    let service = samples();
    for digits in [
        "0",
        "0.1",
        "10",
        "9.99",
        "-3",
        "1.50",
        "0.00",
        "1234567890123456789012345678",
        "123456789012345678.0123456789",
        "1.2345678901234567890123456789",
        SMALLEST,
        GREATEST,
        &format!("-{GREATEST}"),
        "7.9228162514264337593543950335",
    ] {
        let shown = format!("\"{digits}\"");
        assert_kept(&service, digits, &shown);
        assert_kept(&service, &shown, &shown);
    }
}

#[apply(every_database)]
fn exponents_are_expanded_and_minus_zero_is_zero() {
    let service = samples();
    for (sent, shown) in [
        ("1e3", "\"1000\""),
        ("1.50E+1", "\"15\""),
        ("100e-2", "\"1.00\""),
        ("1e-28", "\"0.0000000000000000000000000001\""),
        ("7e28", "\"70000000000000000000000000000\""),
        ("\"12e-1\"", "\"1.2\""),
        ("-0", "\"0\""),
        ("-0.00", "\"0.00\""),
        ("0e999", "\"0\""),
    ] {
        assert_kept(&service, sent, shown);
    }
}

#[apply(every_database)]
fn null_is_for_an_option_alone() {
    assert_null_is_for_an_option_alone(&samples(), "0");
}

#[apply(every_database)]
fn decimals_compare_as_numbers() {
    let ranks: [&[&str]; 6] = [
        &["-3", "\"-3.0\""],
        &["0.1", "\"0.10\"", "1e-1"],
        &["1.5", "\"1.50\""],
        &["9.99"],
        &["10", "\"10\"", "10.000"],
        &["100"],
    ];
    assert_compared(&samples(), &ranks);
}

#[apply(every_database)]
fn decimals_differ_by_the_last_of_29_digits() {
    let ranks: [&[&str]; 8] = [
        &["-79228162514264337593543950335"],
        &["-79228162514264337593543950334"],
        &["-0.0000000000000000000000000001"],
        &["0", "-0.0", "\"0.00\""],
        &[SMALLEST, "1e-28"],
        &["0.0000000000000000000000000002"],
        &["79228162514264337593543950334"],
        &[GREATEST],
    ];
    assert_compared(&samples(), &ranks);
}

#[apply(every_database)]
fn sums_of_responses_are_exact() {
    let service = samples();
    for price in ["0.1", "10", "9.99", "-3", "1.50"] {
        create(&service, SAMPLES, &format!(r#"{{"value":{price}}}"#));
    }
    let page = page(&service, SAMPLES, &[("order", "desc(value)")]);
    let items = page["items"].as_array().expect("items").iter();
    let values: Vec<&str> = items
        .map(|it| it["value"].as_str().expect("a text"))
        .collect();
    assert_eq!(values, ["10", "9.99", "1.50", "0.1", "-3"]);
    let sum: Decimal = values.iter().map(|it| it.parse::<Decimal>().unwrap()).sum();
    assert_eq!(sum.to_string(), "18.59");
    assert_eq!(filtered(&service, SAMPLES, "eq(value,1.5)"), [5]);
    assert_eq!(filtered(&service, SAMPLES, r#"eq(value,"1.5000")"#), [5]);
}

#[apply(every_database)]
fn malformed_number_is_refused_with_an_example() {
    let literals = [
        "\"\"",
        "\"NaN\"",
        "\"Infinity\"",
        "\"-\"",
        "\"+1\"",
        "\".5\"",
        "\"5.\"",
        "\"007\"",
        "\" 1\"",
        "\"1 \"",
        "\"1,5\"",
        "\"1_000\"",
        "\"0x10\"",
        "\"1.5 EUR\"",
        "\"١\"",
    ];
    assert_refused(&one_sample("0"), &format!("must be {KIND}"), &literals);
}

#[apply(every_database)]
fn excess_digits_are_refused_not_rounded() {
    let allowed = "must be a decimal number of at most 28 digits, or 29 below \
                   79228162514264337593543950336, and at most 28 of them behind the point";
    let literals = [
        "79228162514264337593543950336",
        "-79228162514264337593543950336",
        "\"79228162514264337593543950336\"",
        "0.00000000000000000000000000001",
        "1.00000000000000000000000000000001",
        "12345678901234567890.1234567890",
        "1e29",
        "1e-29",
        "1e999999999999999999999",
        "-1e400",
    ];
    assert_refused(&one_sample("0"), allowed, &literals);
}

#[apply(every_database)]
fn another_type_is_refused() {
    let others = [
        ("true", "a boolean"),
        ("[1]", "an array"),
        ("{}", "an object"),
    ];
    assert_of_another_type(&one_sample("0"), KIND, &others);
}

#[apply(every_database)]
fn patterns_are_refused() {
    assert_takes_no_pattern(&samples(), KIND);
}
