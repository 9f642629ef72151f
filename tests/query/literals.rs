//! Literals must fit the kind of their attribute; errors name the expected kind.

use crate::requests::{filtered, refused};
use crate::samples::{SAMPLES, samples};
use resource_tests::{apply, every_database};

/// The attributes of each kind, literals that fit none of them, and the name of the kind.
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
fn literal_of_another_kind_is_refused_with_the_expected_kind() {
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
fn list_member_of_another_kind_is_refused() {
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
fn long_literals_are_truncated_in_errors() {
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
fn patterns_require_text_attributes_and_strings() {
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
fn integer_literal_matches_doubles() {
    let service = samples();
    assert_eq!(filtered(&service, SAMPLES, "in(ratio,[2,3])"), [3, 4]);
    assert_eq!(filtered(&service, SAMPLES, "lt(real,-1)"), [1]);
    assert_eq!(
        filtered(&service, SAMPLES, "gt(real,99999999999999999999)"),
        [3]
    );
}

#[apply(every_database)]
fn integers_beyond_double_precision_are_distinguished() {
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
fn string_literal_that_looks_like_another_kind_is_text() {
    let service = crate::samples::with_texts(&["1", "1.0", "true", "null", "[]", "01"]);
    for (id, text) in (1..).zip(["1", "1.0", "true", "null", "[]", "01"]) {
        assert_eq!(
            filtered(&service, SAMPLES, &format!(r#"eq(text,"{text}")"#)),
            [id]
        );
    }
}
