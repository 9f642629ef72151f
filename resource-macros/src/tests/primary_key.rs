use super::{assert_errors, assert_field_errors};

const KEYS: &str = r#"#[resource(name = "Thing", url = "/things", version = "1.0")]"#;

#[test]
fn a_struct_without_primary_key_is_refused_at_its_name() {
    let message = "no primary key; name a field `id` or mark one with `#[resource(primary_key)]`";
    assert_errors(
        &format!("{KEYS} struct Thing {{ label: String }}"),
        &[("Thing", message)],
    );
}

#[test]
fn a_second_primary_key_is_refused_there() {
    assert_errors(
        &format!(
            "{KEYS} struct Thing {{ #[resource(primary_key)] a: i64, #[resource(primary_key)] b: i64 }}"
        ),
        &[(
            "primary_key",
            "a second primary key; keep `primary_key` on one field",
        )],
    );
}

#[test]
fn a_marked_field_is_preferred_to_id() {
    assert_field_errors("#[resource(primary_key)] number: i64", &[]);
}

#[test]
fn an_optional_primary_key_is_refused_at_its_type() {
    assert_errors(
        &format!("{KEYS} struct Thing {{ id: Option<i64> }}"),
        &[("Option<i64>", "every item has a primary key; write `i64`")],
    );
    assert_errors(
        &format!("{KEYS} struct Thing {{ id: ::std::option::Option<std::string::String> }}"),
        &[(
            "::std::option::Option<std::string::String>",
            "every item has a primary key; write `std::string::String`",
        )],
    );
}

#[test]
fn other_roles_of_a_primary_key_are_refused_each() {
    let keys = "write_only, read_only, default = 1, unique, index, references = Place";
    assert_errors(
        &format!("{KEYS} struct Thing {{ #[resource({keys})] id: i64 }}"),
        &[
            (
                "write_only",
                "items are addressed by the primary key; remove `write_only`",
            ),
            (
                "read_only",
                "a primary key is never written by clients anyway; remove `read_only`",
            ),
            (
                "default",
                "a primary key is assigned on creation; remove `default`",
            ),
            (
                "unique",
                "a primary key is unique by itself; remove `unique`",
            ),
            ("index", "a primary key is found by itself; remove `index`"),
            (
                "references",
                "a primary key references nothing; write `references` on another field",
            ),
        ],
    );
}
