//! Tests of values that have the wrong form for their key.

use super::{assert_field_errors, errors};

#[test]
fn error_of_a_malformed_value_names_the_form() {
    let cases = [
        (
            "name = 5",
            "5",
            "`name` takes a string: `name = \"Setting\"`",
        ),
        (
            "url = settings",
            "settings",
            "`url` takes a string: `url = \"/settings\"`",
        ),
        (
            "version = 1.0",
            "1.0",
            "`version` takes a string: `version = \"1.0\"`",
        ),
        (
            "table",
            "table",
            "`table` takes a string: `table = \"settings\"`",
        ),
        (
            "crate = my_api",
            "my_api",
            "`crate` takes a path in quotes: `crate = \"my_api\"`",
        ),
        (
            "validator = \"V\"",
            "\"V\"",
            "`validator` takes a type: `validator = SettingValidator`",
        ),
        (
            "operations()",
            "operations",
            "`operations` takes operations: `operations(list, retrieve)`",
        ),
        (
            "unique()",
            "unique",
            "`unique` on a struct takes fields: `unique(country, code)`",
        ),
        (
            "redacts = label",
            "label",
            "`redacts` takes fields: `redacts(password, token)`",
        ),
        (
            "limit = 5",
            "5",
            "`limit` takes numbers: `limit(default = 10, max = 1000)`",
        ),
    ];
    for (key, underlined, message) in cases {
        let item = format!("#[resource({key})] struct Thing {{ id: i64 }}");
        let found = errors(&item);
        let expected = (underlined.to_owned(), message.to_owned());
        assert_eq!(
            found.iter().filter(|error| **error == expected).count(),
            1,
            "{found:?}"
        );
    }
}

#[test]
fn error_of_a_malformed_value_on_a_field_names_the_form() {
    let length = "takes a whole number up to 4294967295";
    let range = "takes a finite number, an integer of 64 bits or a double";
    let cases = [
        (
            "unique = true",
            "true",
            "`unique` on a field takes no value".to_owned(),
        ),
        (
            "primary_key()",
            "primary_key",
            "`primary_key` takes no value".to_owned(),
        ),
        (
            "primary_key, assigned = true",
            "true",
            "`assigned` takes no value".to_owned(),
        ),
        ("read_only(1)", "1", "`read_only` takes no value".to_owned()),
        (
            "max_length = -1",
            "-1",
            format!("`max_length` {length}: `max_length = 80`"),
        ),
        (
            "max_length = 4294967296",
            "4294967296",
            format!("`max_length` {length}: `max_length = 80`"),
        ),
        (
            "min_length = \"1\"",
            "\"1\"",
            format!("`min_length` {length}: `min_length = 1`"),
        ),
        ("min = \"a\"", "\"a\"", format!("`min` {range}: `min = 0`")),
        (
            "max = 1e999",
            "1e999",
            format!("`max` {range}: `max = 100`"),
        ),
        (
            "max = 9223372036854775808",
            "9223372036854775808",
            format!("`max` {range}: `max = 100`"),
        ),
        (
            "rename = new",
            "new",
            "`rename` takes a string: `rename = \"kind\"`".to_owned(),
        ),
        (
            "column",
            "column",
            "`column` takes a string: `column = \"kind\"`".to_owned(),
        ),
        (
            "default",
            "default",
            "`default` takes an expression: `default = 0`".to_owned(),
        ),
        (
            "default_on_update()",
            "default_on_update",
            "`default_on_update` takes an expression: `default_on_update = Utc::now()`".to_owned(),
        ),
    ];
    for (key, underlined, message) in cases {
        // The wrong form of `primary_key` still marks the field, so `id` is none.
        let field = format!("#[resource({key})] label: String");
        assert_field_errors(&field, &[(underlined, &message)]);
    }
}

#[test]
fn references_take_a_type_or_a_type_and_an_identifier() {
    let message = "`references` takes a type, and one of its attributes or an action: `references = Address`, \
                   `references(Address, country)` or `references(Address, on_delete = \"cascade\")`";
    for (value, underlined) in [
        ("references = \"Place\"", "\"Place\""),
        ("references(Place)", "Place"),
        ("references = Place::ID", "Place::ID"),
        ("references(Place, a, b)", "Place, a, b"),
        (
            "references(Place, on_delete = cascade)",
            "Place, on_delete = cascade",
        ),
        ("references(Place, \"a\")", "Place, \"a\""),
        ("references", "references"),
    ] {
        assert_field_errors(
            &format!("#[resource({value})] a: i64"),
            &[(underlined, message)],
        );
    }
    assert_field_errors("#[resource(references = crate::Place)] a: i64", &[]);
    assert_field_errors("#[resource(references(Place<u8>, r#type))] a: i64", &[]);
    assert_field_errors(
        "#[resource(references(Place, b, on_delete = \"cascade\",))] a: i64",
        &[],
    );
}

#[test]
fn extreme_numbers_are_accepted() {
    assert_field_errors(
        "#[resource(min = -9223372036854775808, max = 9223372036854775807)] a: i64",
        &[],
    );
    assert_field_errors("#[resource(min = -1.5e300, max = 1_000.5)] a: f64", &[]);
    assert_field_errors(
        "#[resource(min_length = 0, max_length = 4_294_967_295u32)] a: String",
        &[],
    );
}
