//! `i16`, `i32` and `i64`: integers over the whole range, and none beyond it.

use resource_runtime::{Api, ApiResource};
use resource_tests::{Client, Service, apply, assert_error, assert_no_content, every_database};

use crate::comparison::assert_compared;
use crate::rejection::{assert_takes_no_pattern, error_in_body, error_in_filter};
use crate::requests::refused;
use crate::round_trip::{assert_kept, assert_null_is_for_an_option_alone, create, send};
use crate::samples::SAMPLES;

/// The same tests for each type, in a module of its name.
macro_rules! integers {
    ($($module:ident: $type:ty, $below:literal, $least:literal .. $greatest:literal, $above:literal;)*) => {$(
        mod $module {
            use resource_tests::{apply, every_database};

            crate::samples::samples_of!($type);

            #[apply(every_database)]
            fn whole_range_round_trips() {
                let service = samples();
                for literal in [$least, "-1", "0", "1", $greatest] {
                    super::assert_kept(&service, literal, literal);
                }
                super::assert_kept(&service, "-0", "0");
            }

            #[apply(every_database)]
            fn null_is_for_an_option_alone() {
                super::assert_null_is_for_an_option_alone(&samples(), "0");
            }

            #[apply(every_database)]
            fn extremes_compare_as_numbers() {
                let ranks: [&[&str]; 7] = [
                    &[$least], &["-10"], &["-9"], &["0", "-0"], &["9"], &["10"], &[$greatest],
                ];
                super::assert_compared(&samples(), &ranks);
            }

            #[apply(every_database)]
            fn value_beyond_the_range_is_refused_with_the_range() {
                let range = concat!("an integer from ", $least, " to ", $greatest);
                super::assert_refused_beyond(&one_sample("0"), range, &[$below, $above]);
            }

            #[apply(every_database)]
            fn fractions_and_exponents_are_refused() {
                let range = concat!("an integer from ", $least, " to ", $greatest);
                super::assert_not_an_integer(&one_sample("0"), range);
            }

            #[apply(every_database)]
            fn patterns_are_refused() {
                super::assert_takes_no_pattern(&samples(), "an integer");
            }
        }
    )*};
}

integers! {
    of_16_bits: i16, "-32769", "-32768" .. "32767", "32768";
    of_32_bits: i32, "-2147483649", "-2147483648" .. "2147483647", "2147483648";
    of_64_bits: i64, "-9223372036854775809", "-9223372036854775808" .. "9223372036854775807",
        "9223372036854775808";
}

#[track_caller]
fn assert_refused_beyond(client: &Client, range: &str, literals: &[&str]) {
    let long = "100000000000000000000000000000";
    for literal in literals.iter().chain(&[long]) {
        assert_eq!(error_in_body(client, literal), format!("must be {range}"));
        let told = format!("is compared with {range}, not {literal}");
        assert_eq!(error_in_filter(client, literal), told);
    }
}

#[track_caller]
fn assert_not_an_integer(client: &Client, range: &str) {
    for (literal, found) in [
        ("1.0", "1.0"),
        ("0.5", "0.5"),
        ("1e2", "1e2"),
        ("-1E0", "-1E0"),
        ("\"1\"", "a string"),
        ("true", "a boolean"),
    ] {
        let told = format!("must be an integer, not {found}");
        assert_eq!(error_in_body(client, literal), told);
        let told = format!("is compared with {range}, not {literal}");
        assert_eq!(error_in_filter(client, literal), told);
    }
    assert_eq!(
        error_in_body(client, "[1]"),
        "must be an integer, not an array"
    );
    assert_eq!(
        error_in_body(client, "{}"),
        "must be an integer, not an object"
    );
}

#[derive(Debug, ApiResource)]
#[resource(name = "Seat", url = "/samples", version = "1.0")]
struct Seat {
    id: i32,
    row: Option<i16>,
}

#[apply(every_database)]
fn primary_key_of_32_bits_has_the_range_of_its_type() {
    let service = Service::start(|database| Api::builder().resource::<Seat>().build(database));
    let path = create(&service, SAMPLES, r#"{"row":7}"#);
    assert_eq!(service.get(&path).text(), r#"{"id":1,"row":7}"#);
    assert_no_content(&send(&service, "PUT", &path, r#"{"id":1,"row":8}"#));
    for beyond in [
        "2147483647",
        "2147483648",
        "-2147483649",
        "9223372036854775808",
    ] {
        assert_error(&service.get(&format!("{SAMPLES}/{beyond}")), 404, 10001).naming(&[beyond]);
    }
    refused(&service, SAMPLES, "filter", "eq(id,2147483648)")
        .naming(&["an integer from -2147483648 to 2147483647"]);
}
