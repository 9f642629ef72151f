//! `serde_json::Value`: any JSON; members of objects are returned in the order of their names.

use resource_tests::{apply, assert_error, every_database};
use serde_json::Value;

use crate::rejection::error_in_body;
use crate::round_trip::{assert_kept, assert_null_is_for_an_option_alone, send};
use crate::samples::{SAMPLES, samples_of};

samples_of!(Value);

#[apply(every_database)]
fn any_json_round_trips() {
    let service = samples();
    for json in [
        "true",
        "false",
        "0",
        "-7",
        "1.5",
        r#""""#,
        r#""null""#,
        "\"é🦀\"",
        r#""\"\\\n\u0001""#,
        "[]",
        "{}",
        "[null]",
        r#"{"":null}"#,
        r#"[1,"a",[true,{"b":[null,{}]}]]"#,
        r#"{"a":{"b":{"c":[1,2,{"d":null}]}},"e":"f"}"#,
    ] {
        assert_kept(&service, json, json);
    }
}

#[apply(every_database)]
fn white_space_is_dropped_and_escapes_are_decoded() {
    let service = samples();
    assert_kept(
        &service,
        " [ 1 ,\n\t{ \"a\" : null } ] ",
        r#"[1,{"a":null}]"#,
    );
    assert_kept(
        &service,
        r#"{"\u0061":"\u00e9\ud83e\udd80\/"}"#,
        "{\"a\":\"é🦀/\"}",
    );
}

#[apply(every_database)]
fn members_are_returned_in_the_order_of_their_names() {
    let service = samples();
    assert_kept(
        &service,
        r#"{"b":1,"a":2,"B":3,"":4}"#,
        r#"{"":4,"B":3,"a":2,"b":1}"#,
    );
    assert_kept(
        &service,
        r#"[{"z":{"y":1,"x":2},"a":0}]"#,
        r#"[{"a":0,"z":{"x":2,"y":1}}]"#,
    );
}

#[apply(every_database)]
fn integers_of_64_bits_and_doubles_are_exact() {
    let service = samples();
    for (sent, shown) in [
        ("9223372036854775807", "9223372036854775807"),
        ("-9223372036854775808", "-9223372036854775808"),
        ("18446744073709551615", "18446744073709551615"),
        ("[0.1,1.50,1e2]", "[0.1,1.5,100.0]"),
        ("0.30000000000000004", "0.30000000000000004"),
        ("1.7976931348623157e308", "1.7976931348623157e+308"),
        ("5e-324", "5e-324"),
        ("2.2250738585072014e-308", "2.2250738585072014e-308"),
        ("123456789012345.67", "123456789012345.67"),
        ("9007199254740993.0", "9007199254740992.0"),
        ("1.0000000000000002", "1.0000000000000002"),
        ("122.416294033786585", "122.41629403378658"),
        ("7.2057594037927933e+16", "7.205759403792794e+16"),
        ("31.245270191439438", "31.245270191439438"),
        ("18446744073709551616", "1.8446744073709552e+19"),
        ("18446744073709549568.0", "1.844674407370955e+19"),
        ("100000000000000000000", "1e+20"),
        (
            "[1e15,1E16,10000000000000000]",
            "[1000000000000000.0,1e+16,10000000000000000]",
        ),
        ("[0.1e-6,1.10,-1e18]", "[1e-7,1.1,-1e+18]"),
    ] {
        assert_kept(&service, sent, shown);
    }
}

#[apply(every_database)]
fn minus_zero_is_zero() {
    let service = samples();
    for sent in ["-0", "-0.0", "-0e5", "-1e-400"] {
        assert_kept(&service, sent, "0.0");
    }
    assert_kept(&service, r#"{"a":[-0.0,0]}"#, r#"{"a":[0.0,0]}"#);
}

#[apply(every_database)]
fn values_of_127_levels_round_trip() {
    let nested = |levels: usize| format!("{}{}", "[".repeat(levels), "]".repeat(levels));
    assert_kept(&samples(), &nested(127), &nested(127));
    let objects = format!("{}1{}", r#"{"a":"#.repeat(127), "}".repeat(127));
    assert_kept(&samples(), &objects, &objects);
    let service = one_sample("1");
    for levels in [128, 1_000, 100_000] {
        let told = "must not nest deeper than 127 levels (line 1, column 128 of the value)";
        assert_eq!(error_in_body(&service, &nested(levels)), told);
    }
}

#[apply(every_database)]
fn null_is_for_an_option_alone() {
    assert_null_is_for_an_option_alone(&samples(), r#"{"a":null}"#);
}

#[apply(every_database)]
fn json_that_cannot_be_stored_is_refused_with_the_reason() {
    let service = one_sample("1");
    let (null, number, half) = (
        "must not hold the character U+0000",
        "must not hold numbers beyond the range of a double",
        "must not hold half a surrogate pair",
    );
    for (literal, reason, column) in [
        (r#""\u0000""#, null, 8),
        (r#"[{"a":"b\u0000"}]"#, null, 15),
        (r#"{"a":{"\u0000":1}}"#, null, 14),
        ("1e999", number, 5),
        ("[-1e400]", number, 7),
        (r#""\ud800""#, half, 8),
        (r#"{"\udc00":1}"#, half, 8),
        (r#"["\ud83ex"]"#, half, 9),
    ] {
        println!("{literal}");
        let told = format!("{reason} (line 1, column {column} of the value)");
        assert_eq!(error_in_body(&service, literal), told);
    }
}

#[apply(every_database)]
fn malformed_json_is_400_10050() {
    let service = samples();
    for value in ["nul", "[1,]", "{a:1}", "'a'", "NaN", "01", "[1", "\"\\x\""] {
        println!("{value}");
        let answer = send(
            &service,
            "POST",
            SAMPLES,
            &format!(r#"{{"value":{value}}}"#),
        );
        assert_error(&answer, 400, 10050).naming(&["line 1, column"]);
    }
}
