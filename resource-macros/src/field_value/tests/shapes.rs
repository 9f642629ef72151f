//! Tests of the types that cannot have the derive.

use super::assert_errors;

const BY_HAND: &str = "implement `resource_runtime::FieldValue` by hand";

#[test]
fn only_enums_and_newtypes_have_one_value() {
    let message = format!(
        "`FieldValue` is derived for enums, and for structs around one type as \
         `struct Name(String)`; {BY_HAND}"
    );
    for (item, underlined) in [
        ("struct Colour { red: u8 }", "Colour"),
        ("struct Colour {}", "Colour"),
        ("struct Colour;", "Colour"),
        ("struct Colour();", "()"),
        ("struct Colour(u8, u8, u8);", "(u8, u8, u8)"),
        ("union Colour { red: u8 }", "union"),
    ] {
        assert_errors(item, &[(underlined, &message)]);
    }
}

#[test]
fn keys_of_an_unsupported_type_are_not_checked() {
    let message = format!(
        "`FieldValue` is derived for enums, and for structs around one type as \
         `struct Name(String)`; {BY_HAND}"
    );
    assert_errors(
        "#[resource(name = \"Colour\", rename_all = \"title\")] #[resource] struct Colour { red: u8 }",
        &[("Colour", &message)],
    );
}

#[test]
fn generic_field_type_is_refused() {
    let message = format!("`FieldValue` is not derived for generic types; {BY_HAND}");
    for (item, underlined) in [
        ("struct Unit<T>(T);", "T"),
        ("struct Unit<'a>(&'a str);", "'a"),
        ("struct Unit<const N: usize>([u8; N]);", "const N: usize"),
        ("enum Unit<'a, T: Copy> { Metre }", "'a, T: Copy"),
    ] {
        assert_errors(item, &[(underlined, &message)]);
    }
    let message = format!(
        "`FieldValue` is derived for enums, and for structs around one type as \
         `struct Name(String)`; {BY_HAND}"
    );
    assert_errors("struct Pair<T>(T, T);", &[("(T, T)", &message)]);
}
