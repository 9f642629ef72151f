//! Tests that a mistake is reported once: errors that follow from it are withheld.

use super::assert_errors;

#[test]
fn an_attribute_that_cannot_be_read_may_hold_the_missing_keys() {
    assert_errors(
        r#"#[resource(name = "Thing" url = "/things", version = "1.0")] struct Thing { id: i64 }"#,
        &[("url", "expected `,`")],
    );
}

#[test]
fn a_field_that_cannot_be_read_may_be_the_primary_key_or_have_references() {
    assert_errors(
        r#"#[resource(name = "Thing", url = "/things", version = "1.0", subresource(b = "a"))]
        struct Thing { #[resource(primary_key references = Place)] a: i64 }"#,
        &[("references", "expected `,`")],
    );
}

#[test]
fn a_malformed_key_is_not_missing() {
    assert_errors(
        "#[resource(name = 1, url = 2, version = 3)] struct Thing { id: i64 }",
        &[
            ("1", "`name` takes a string: `name = \"Setting\"`"),
            ("2", "`url` takes a string: `url = \"/settings\"`"),
            ("3", "`version` takes a string: `version = \"1.0\"`"),
        ],
    );
}

#[test]
fn enum_has_no_second_error_for_names_of_fields() {
    let keys = r#"name = "A", url = "/as", version = "1.0", unique(a, b), redacts(e), subresource(c = "d")"#;
    assert_errors(
        &format!("#[resource({keys})] enum A {{}}"),
        &[(
            "enum",
            "an enum cannot be a resource; derive it for a struct that has the enum in a field",
        )],
    );
}
