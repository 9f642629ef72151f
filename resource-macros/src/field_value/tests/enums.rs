//! Tests of the errors of enums.

use super::assert_errors;

#[test]
fn an_enum_has_a_variant() {
    assert_errors(
        "enum Colour {}",
        &[(
            "Colour",
            "an enum without variants has no value; add a variant for each name",
        )],
    );
}

#[test]
fn variants_with_fields_are_refused_each() {
    let message = "a variant is stored as its name alone; remove the fields, \
                   or implement `resource_runtime::FieldValue` by hand";
    assert_errors(
        "enum Colour { Red, Grey(u8), Mixed { red: u8 }, Empty() }",
        &[("(u8)", message), ("{ red: u8 }", message), ("()", message)],
    );
}

#[test]
fn variants_may_have_numbers_and_raw_names() {
    assert_errors("enum Colour { Red = 1, r#Green = 2, r#type }", &[]);
}

#[test]
fn unknown_keys_name_the_nearest_or_all() {
    assert_errors(
        r#"#[resource(rename_al = "snake_case")] enum Colour { #[resource(renam = "r")] Red }"#,
        &[
            (
                "rename_al",
                "unknown key `rename_al`; did you mean `rename_all`?",
            ),
            ("renam", "unknown key `renam`; did you mean `rename`?"),
        ],
    );
    assert_errors(
        r"#[resource(table)] enum Colour { #[resource(unique)] Red }",
        &[
            (
                "table",
                "unknown key `table`; the keys of an enum are `open`, `rename_all`, `crate`",
            ),
            (
                "unique",
                "unknown key `unique`; the only key of a variant is `rename`",
            ),
        ],
    );
}

#[test]
fn keys_are_given_once() {
    assert_errors(
        r#"#[resource(rename_all = "lowercase")]
        #[resource(rename_all = "lowercase", crate = "a", crate = "b")]
        enum Colour { #[resource(rename = "r", rename = "s")] Red }"#,
        &[
            (
                "rename_all",
                "`rename_all` is given twice; keep one of them",
            ),
            ("crate", "`crate` is given twice; keep one of them"),
            ("rename", "`rename` is given twice; keep one of them"),
        ],
    );
}

#[test]
fn error_of_a_malformed_value_names_the_form() {
    assert_errors(
        "#[resource(rename_all = snake_case, crate = my_api)] \
         enum Colour { #[resource(rename)] Red, #[resource(rename = 1)] Green }",
        &[
            (
                "snake_case",
                "`rename_all` takes a case in quotes: `rename_all = \"snake_case\"`",
            ),
            (
                "my_api",
                "`crate` takes a path in quotes: `crate = \"my_api\"`",
            ),
            ("rename", "`rename` takes a string: `rename = \"red\"`"),
            ("1", "`rename` takes a string: `rename = \"red\"`"),
        ],
    );
}

#[test]
fn attributes_that_cannot_be_read_are_reported_where_they_stand() {
    assert_errors(
        r#"#[resource] enum Colour { #[resource("r")] Red, #[resource(rename = "g" x)] Green }"#,
        &[
            (
                "resource",
                "the keys stand in parentheses; write `#[resource(…)]`",
            ),
            ("\"r\"", "a value without its key; write `key = value`"),
            ("x", "expected `,`"),
        ],
    );
}
