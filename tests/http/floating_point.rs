//! Floating-point attributes: accepted literals and exact round trips.

use resource_tests::{Service, apply, assert_created, every_database};

use crate::numbers::{assert_refused, post, samples};

#[apply(every_database)]
fn doubles_round_trip_exactly() {
    let service = samples();
    let literals = [
        "0.1",
        "1.5",
        "0.30000000000000004",
        "-1.5",
        "1e308",
        "1.7976931348623157e308",
        "5e-324",
        "2.2250738585072014e-308",
        "123456789012345.67",
        "3.0",
        "1e2",
        "1E+2",
        "9007199254740993.0",
    ];
    for literal in literals {
        println!("{literal}");
        let location = assert_created(&post(&service, "real", literal));
        assert_eq!(
            real_of(&service, &location),
            literal.parse::<f64>().unwrap().to_bits()
        );
    }
}

/// The bits of the double in this item, read from its text: `serde_json` rounds less exactly.
fn real_of(service: &Service, path: &str) -> u64 {
    let answer = service.get(path);
    let (_, real) = answer
        .text()
        .split_once("\"real\":")
        .expect("the attribute");
    let (digits, _) = real.split_once(',').expect("another attribute");
    digits.parse::<f64>().expect("a number").to_bits()
}

#[apply(every_database)]
fn a_double_attribute_accepts_integers() {
    let service = samples();
    for (literal, number) in [
        ("0", 0.0),
        ("3", 3.0),
        ("-7", -7.0),
        ("9007199254740993", 9_007_199_254_740_992.0),
    ] {
        let location = assert_created(&post(&service, "real", literal));
        assert_eq!(
            service.read(&location)["real"].as_f64(),
            Some(number),
            "{literal}"
        );
    }
}

#[apply(every_database)]
fn a_double_out_of_range_is_400_10010() {
    let service = samples();
    for literal in ["1e999", "-1e999", "1.8e308", "1e400"] {
        println!("{literal}");
        assert_refused(&service, "real", literal);
    }
    assert_refused(&service, "real", &"9".repeat(400));
}

#[apply(every_database)]
fn a_double_attribute_accepts_only_numbers() {
    let service = samples();
    for literal in ["\"1.5\"", "\"NaN\"", "true", "[]", "[1.5]", "{}"] {
        println!("{literal}");
        assert_refused(&service, "real", literal);
    }
}
