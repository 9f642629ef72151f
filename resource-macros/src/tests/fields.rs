//! Tests of the rules for the keys and types of fields.

use super::assert_field_errors;

#[test]
fn lengths_that_no_text_has_are_refused() {
    assert_field_errors(
        "#[resource(max_length = 0)] a: String",
        &[("0", "`max_length` is at least 1; raise or remove it")],
    );
    assert_field_errors(
        "#[resource(min_length = 6, max_length = 5)] a: String",
        &[(
            "6",
            "`min_length` is above `max_length`; write at most `min_length = 5`",
        )],
    );
    assert_field_errors("#[resource(min_length = 5, max_length = 5)] a: String", &[]);
}

#[test]
fn ranges_that_no_number_is_in_are_refused() {
    for (min, max) in [
        ("1", "0"),
        ("-1", "-2"),
        ("0.5", "0.25"),
        ("1", "0.5"),
        ("-0.5", "-1"),
    ] {
        let field = format!("#[resource(min = {min}, max = {max})] a: f64");
        let message = format!("`min` {min} is above `max` {max}; swap or correct them");
        assert_field_errors(&field, &[(min, &message)]);
    }
    assert_field_errors("#[resource(min = -1, max = -0.5)] a: f64", &[]);
}

#[test]
fn read_only_and_write_only_exclude_each_other() {
    assert_field_errors(
        "#[resource(read_only, write_only)] a: Option<i64>",
        &[(
            "write_only",
            "`read_only` and `write_only` exclude each other; remove one",
        )],
    );
}

#[test]
fn a_read_only_attribute_needs_a_value_on_creation() {
    assert_field_errors(
        "#[resource(read_only)] a: i64",
        &[(
            "read_only",
            "a required `read_only` field leaves no way to create an item; make it an `Option` or add `default = …`",
        )],
    );
    assert_field_errors("#[resource(read_only)] a: Option<i64>", &[]);
    assert_field_errors("#[resource(read_only, default = 5)] a: i64", &[]);
    assert_field_errors(
        "#[resource(read_only, default = 5, default_on_update = 6)] a: i64",
        &[],
    );
}

#[test]
fn default_on_update_does_not_apply_on_creation() {
    assert_field_errors(
        "#[resource(read_only, default_on_update = 5)] a: i64",
        &[(
            "read_only",
            "a required `read_only` field leaves no way to create an item; make it an `Option` or add `default = …`",
        )],
    );
}

#[test]
fn nested_options_are_refused_at_the_type() {
    assert_field_errors(
        "a: Option<Option<i64>>",
        &[(
            "Option<Option<i64>>",
            "a value is absent in one way only; write `Option<i64>`",
        )],
    );
    assert_field_errors("a: Option<Vec<Option<i64>>>", &[]);
}

#[test]
fn mistakes_of_several_fields_are_reported_together() {
    // The mistakes, one for each field: an unknown key, a length, a range, a nested option.
    let found = super::errors(&super::with_field(
        "#[resource(uniqe)] a: i64, #[resource(max_length = 0)] b: String, \
         #[resource(min = 2, max = 1)] c: i64, d: Option<Option<i64>>",
    ));
    assert_eq!(found.len(), 4, "{found:?}");
}
