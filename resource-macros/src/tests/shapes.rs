//! Tests of items that cannot be a resource.

use super::assert_errors;

const KEYS: &str = r#"#[resource(name = "Thing", url = "/things", version = "1.0")]"#;

#[track_caller]
fn assert_shape_error(item: &str, underlined: &str, message: &str) {
    assert_errors(&format!("{KEYS} {item}"), &[(underlined, message)]);
}

#[test]
fn only_a_struct_with_named_fields_is_a_resource() {
    assert_shape_error(
        "struct Thing(i64, String);",
        "(i64, String)",
        "attributes need names; write the fields in braces: `{ pub id: i64 }`",
    );
    assert_shape_error(
        "struct Thing;",
        "Thing",
        "a resource without fields; add them in braces: `{ pub id: i64 }`",
    );
    assert_shape_error(
        "struct Thing {}",
        "Thing",
        "a resource without fields; add `pub id: i64` and one field for each attribute",
    );
    assert_shape_error(
        "enum Thing { A { id: i64 } }",
        "enum",
        "an enum cannot be a resource; derive it for a struct that has the enum in a field",
    );
    assert_shape_error(
        "union Thing { id: i64 }",
        "union",
        "a union cannot be a resource; write a struct",
    );
}

#[test]
fn generic_struct_is_refused() {
    let message = "a resource cannot be generic; write one struct for each type that is stored";
    for parameters in ["T: Clone", "'a", "const N: usize", "'a, T"] {
        let item = format!("struct Thing<{parameters}> {{ id: i64 }}");
        assert_shape_error(&item, parameters, message);
    }
}
