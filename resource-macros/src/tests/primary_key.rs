//! Tests of the rules for the primary key, and of its bounds.

use super::{assert_errors, assert_field_errors, parse, pretty};
use crate::api_resource::derive;

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
fn a_primary_key_has_at_most_eight_parts() {
    let parts = |count: usize| {
        let fields = (0..count).map(|index| format!("#[resource(primary_key)] f{index}: i64,"));
        format!("{KEYS} struct Thing {{ {} }}", fields.collect::<String>())
    };
    assert_errors(&parts(8), &[]);
    let message = "a primary key has at most 8 parts; keep `primary_key` on fewer fields";
    assert_errors(
        &parts(10),
        &[("primary_key", message), ("primary_key", message)],
    );
}

#[test]
fn parts_of_a_primary_key_have_some_other_roles() {
    let thing = |keys: &str, ty: &str| {
        format!(
            "{KEYS} #[resource(owner(field = \"a\"), scopes)] struct Thing {{
                #[resource(primary_key)] a: String, #[resource(primary_key, {keys})] b: {ty} }}"
        )
    };
    let allowed = "assigned, unique, index, references = Place, default = 1, column = \"c\"";
    assert_errors(&thing(allowed, "i64"), &[]);
    let refused =
        "write_only, read_only, default_on_update = 1, read_scope = \"x\", write_scope = \"x\"";
    assert_errors(
        &thing(refused, "Option<i64>"),
        &[
            (
                "Option<i64>",
                "every item has all parts of its primary key; write `i64`",
            ),
            (
                "write_only",
                "items are addressed by the primary key; remove `write_only`",
            ),
            (
                "default_on_update",
                "a primary key never changes; remove `default_on_update`",
            ),
            (
                "read_only",
                "clients write all parts of a primary key; remove `read_only`",
            ),
            (
                "read_scope",
                "items are addressed by the primary key; remove `read_scope`",
            ),
            (
                "write_scope",
                "the primary key is written by creating an item; write `scopes(create = …)` on the struct",
            ),
        ],
    );
}

#[test]
fn an_owner_that_is_a_part_of_the_key_has_no_default() {
    assert_errors(
        &format!(
            "{KEYS} #[resource(owner(field = \"a\"), scopes)] struct Thing {{
                #[resource(primary_key, default = \"x\")] a: String, #[resource(primary_key)] b: i64 }}"
        ),
        &[(
            "default",
            "a new item belongs to the caller who creates it; remove `default`",
        )],
    );
}

#[test]
fn a_primary_key_that_is_assigned_may_be_a_reference() {
    assert_field_errors(
        "#[resource(primary_key, assigned, references = Place)] place_id: i64",
        &[],
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
    let keys = "write_only, read_only, default_on_update = 1, unique, index, references = Place";
    assert_errors(
        &format!("{KEYS} struct Thing {{ #[resource({keys})] id: i64 }}"),
        &[
            (
                "write_only",
                "items are addressed by the primary key; remove `write_only`",
            ),
            (
                "default_on_update",
                "a primary key never changes; remove `default_on_update`",
            ),
            (
                "unique",
                "a primary key is unique by itself; remove `unique`",
            ),
            ("index", "a primary key is found by itself; remove `index`"),
            (
                "references",
                "a primary key that the database assigns references nothing; add `assigned`, or write `references` on \
                 another field",
            ),
            (
                "read_only",
                "a primary key is never written by clients anyway; remove `read_only`",
            ),
        ],
    );
}

#[test]
fn a_primary_key_that_clients_assign_cannot_be_read_only() {
    let keys = "assigned, read_only, default = next()";
    assert_errors(
        &format!("{KEYS} struct Thing {{ #[resource({keys})] id: String }}"),
        &[(
            "read_only",
            "`assigned` means that clients write the primary key; remove `assigned` or `read_only`",
        )],
    );
}

#[test]
fn a_primary_key_may_be_assigned_by_the_client_or_the_service_and_be_limited() {
    for keys in [
        "assigned",
        "default = Uuid::now_v7()",
        "assigned, default = \"none\", min_length = 1, max_length = 40",
    ] {
        assert_errors(
            &format!("{KEYS} struct Thing {{ #[resource({keys})] id: String }}"),
            &[],
        );
        assert_errors(
            &format!("{KEYS} struct Thing {{ #[resource(primary_key, {keys})] code: String }}"),
            &[],
        );
    }
}

#[test]
fn only_the_primary_key_is_assigned() {
    let message = "only the primary key can be `assigned`; move it to `id` or remove it";
    assert_field_errors(
        "#[resource(assigned)] code: String",
        &[("assigned", message)],
    );
    let message = "only the primary key can be `assigned`; move it to `type` or remove it";
    assert_field_errors(
        "#[resource(primary_key)] r#type: i64, #[resource(assigned)] code: String",
        &[("assigned", message)],
    );
}

#[test]
fn missing_primary_key_is_the_only_error_beside_assigned() {
    let message = "no primary key; name a field `id` or mark one with `#[resource(primary_key)]`";
    assert_errors(
        &format!("{KEYS} struct Thing {{ #[resource(assigned)] code: String }}"),
        &[("Thing", message)],
    );
}

#[track_caller]
fn assert_bound(field: &str, bound: &str) {
    let item = format!("{KEYS} struct Thing {{ {field} }}");
    let expansion = pretty(derive(&parse(&item)));
    let bounds = expansion.lines().map(str::trim);
    let found: Vec<&str> = bounds.filter(|line| line.contains("Key,")).collect();
    assert_eq!(found, [bound], "in {item}");
}

#[test]
fn trait_bound_of_the_primary_key_depends_on_who_assigns_it() {
    assert_bound("id: i64", "i64: _api::PrimaryKey,");
    assert_bound(
        "#[resource(assigned)] id: String",
        "String: _api::AssignedKey,",
    );
    assert_bound(
        "#[resource(default = next())] id: Uuid",
        "Uuid: _api::AssignedKey,",
    );
}
