//! Values suit the kind of their attribute, or are refused with what is expected.

use crate::requests::{filtered, refused};
use crate::samples::{SAMPLES, samples};
use resource_tests::{apply, every_database};

/// The attributes of each kind, values that suit none of them, and how the kind is called.
const UNSUITED: [(&[&str], &[&str], &str); 6] = [
    (
        &["id", "large"],
        &[
            "\"1\"",
            "true",
            "1.0",
            "1.5",
            "1e3",
            "1E0",
            "-0.0",
            "9223372036854775808",
            "-9223372036854775809",
            "\"\"",
        ],
        "an integer from -9223372036854775808 to 9223372036854775807",
    ),
    (
        &["medium"],
        &["\"1\"", "false", "1.0", "2147483648", "-2147483649", "1e1"],
        "an integer from -2147483648 to 2147483647",
    ),
    (
        &["small"],
        &["\"1\"", "true", "0.0", "32768", "-32769"],
        "an integer from -32768 to 32767",
    ),
    (
        &["real", "ratio"],
        &["\"1.5\"", "true", "\"NaN\"", "1e999", "-1e309", "\"\""],
        "a number",
    ),
    (
        &["flag", "sure"],
        &["0", "1", "\"true\"", "1.0", "\"\""],
        "true or false",
    ),
    (
        &["text", "note"],
        &["0", "1.5", "true", "false", "\"\\u0000\"", "\"a\\u0000b\""],
        "a string",
    ),
];

#[apply(every_database)]
fn a_value_that_does_not_suit_its_attribute_is_refused_with_what_is_expected() {
    let service = samples();
    for (attributes, values, expected) in UNSUITED {
        for (attribute, value) in attributes
            .iter()
            .flat_map(|it| values.iter().map(move |value| (it, value)))
        {
            for function in ["eq", "ne", "gt", "ge", "lt", "le"] {
                let filter = format!("{function}({attribute},{value})");
                let column = format!("column {}", attribute.len() + 5);
                refused(&service, SAMPLES, "filter", &filter).naming(&[
                    &column,
                    &format!("`{attribute}`"),
                    expected,
                ]);
            }
        }
    }
}

#[apply(every_database)]
fn so_is_one_in_a_list_also_behind_ones_that_suit() {
    let service = samples();
    for (attributes, values, expected) in UNSUITED {
        for (attribute, value) in attributes
            .iter()
            .flat_map(|it| values.iter().map(move |value| (it, value)))
        {
            let filter = format!("in({attribute},[null,{value}])");
            let column = format!("column {}", attribute.len() + 11);
            refused(&service, SAMPLES, "filter", &filter).naming(&[
                &column,
                &format!("`{attribute}`"),
                expected,
            ]);
        }
    }
}

#[apply(every_database)]
fn a_long_value_is_quoted_in_part() {
    let service = samples();
    let long = "x".repeat(5000);
    for filter in [
        format!(r#"eq(id,"{long}")"#),
        format!("eq({long},1)"),
        format!("eq(text,{long})"),
        format!("{long}(id,1)"),
        format!("eq(id,1{})", "0".repeat(5000)),
    ] {
        refused(&service, SAMPLES, "filter", &filter)
            .naming(&["…"])
            .without(&long[..100])
            .without(&"0".repeat(100));
    }
}

#[apply(every_database)]
fn a_pattern_matches_text_alone() {
    let service = samples();
    for function in ["like", "ilike"] {
        for attribute in [
            "id", "small", "medium", "large", "real", "ratio", "flag", "sure",
        ] {
            refused(
                &service,
                SAMPLES,
                "filter",
                &format!(r#"{function}({attribute},"%")"#),
            )
            .naming(&[&format!("`{attribute}`"), &format!("`{function}`"), "text"]);
        }
        for pattern in ["1", "true", "null", "[]", "a"] {
            refused(
                &service,
                SAMPLES,
                "filter",
                &format!("{function}(text,{pattern})"),
            )
            .naming(&["column"]);
        }
        refused(
            &service,
            SAMPLES,
            "filter",
            &format!(r#"{function}(text,"a\u0000%")"#),
        )
        .naming(&["U+0000"]);
    }
}

#[apply(every_database)]
fn an_integer_is_a_value_of_a_double() {
    let service = samples();
    assert_eq!(filtered(&service, SAMPLES, "in(ratio,[2,3])"), [3, 4]);
    assert_eq!(filtered(&service, SAMPLES, "lt(real,-1)"), [1]);
    assert_eq!(
        filtered(&service, SAMPLES, "gt(real,99999999999999999999)"),
        [3]
    );
}

#[apply(every_database)]
fn integers_that_a_double_cannot_tell_apart_are_told_apart() {
    let service = samples();
    assert_eq!(
        filtered(&service, SAMPLES, "eq(large,9223372036854775806)"),
        [5]
    );
    assert_eq!(
        filtered(&service, SAMPLES, "eq(large,9223372036854775805)"),
        [0; 0]
    );
    assert_eq!(
        filtered(&service, SAMPLES, "in(large,[-9223372036854775807])"),
        [0; 0]
    );
    assert_eq!(filtered(&service, SAMPLES, "eq(large,-0)"), [2]);
}

#[apply(every_database)]
fn a_text_that_looks_like_another_kind_is_text() {
    let service = crate::samples::with_texts(&["1", "1.0", "true", "null", "[]", "01"]);
    for (id, text) in (1..).zip(["1", "1.0", "true", "null", "[]", "01"]) {
        assert_eq!(
            filtered(&service, SAMPLES, &format!(r#"eq(text,"{text}")"#)),
            [id]
        );
    }
}
