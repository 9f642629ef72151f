//! Tests of the rules for `read_scope` and `write_scope` of fields.

use super::{assert_errors, assert_field_errors, assert_struct_errors};

#[test]
fn field_may_require_scopes_to_read_and_to_write() {
    assert_field_errors(
        r#"#[resource(read_scope = "a", write_scope = any("a", "b"))] label: Option<i64>"#,
        &[],
    );
    assert_field_errors(
        r#"#[resource(read_scope = "a", write_scope = "a", default = 1)] label: i64"#,
        &[],
    );
    assert_field_errors(
        r#"#[resource(read_only, read_scope = "a")] at: Option<i64>"#,
        &[],
    );
    assert_field_errors(
        r#"#[resource(write_only, write_scope = "a")] pin: i64"#,
        &[],
    );
}

#[test]
fn superfluous_field_scopes_are_refused() {
    assert_field_errors(
        r#"#[resource(write_only, read_scope = "a")] label: i64"#,
        &[(
            "read_scope",
            "`write_only` and `read_scope` exclude each other; remove one",
        )],
    );
    assert_field_errors(
        r#"#[resource(read_only, write_scope = "a")] label: Option<i64>"#,
        &[(
            "write_scope",
            "`read_only` and `write_scope` exclude each other; remove one",
        )],
    );
}

#[test]
fn hidden_field_is_not_required() {
    const REMEDY: &str = "a required field with `read_scope` and `write_scope` would be told of to \
                          those who have neither, when they create an item; make it an `Option`, \
                          or add `default = …`";
    assert_field_errors(
        r#"#[resource(read_scope = "a", write_scope = "b")] label: i64"#,
        &[("write_scope", REMEDY)],
    );
    assert_errors(
        r#"#[resource(name = "Thing", url = "/things", version = "1.0", operations(list, update))]
        struct Thing { id: i64, #[resource(read_scope = "a", write_scope = "a")] label: i64 }"#,
        &[],
    );
}

/// A struct whose primary key has the keys `keys`.
#[track_caller]
fn assert_key_errors(keys: &str, expected: &[(&str, &str)]) {
    let item = format!(
        r#"#[resource(name = "Thing", url = "/things", version = "1.0")]
        struct Thing {{ #[resource({keys})] id: i64 }}"#
    );
    assert_errors(&item, expected);
}

#[test]
fn primary_key_has_no_scope_of_its_own() {
    assert_key_errors(
        r#"read_scope = "a", write_scope = "b""#,
        &[
            (
                "read_scope",
                "items are addressed by the primary key; remove `read_scope`",
            ),
            (
                "write_scope",
                "a primary key is never written by clients anyway; remove `write_scope`",
            ),
        ],
    );
    assert_key_errors(
        r#"assigned, write_scope = "b""#,
        &[(
            "write_scope",
            "the primary key is written by creating an item; \
             write `scopes(create = …)` on the struct",
        )],
    );
}

#[test]
fn field_with_read_scope_is_not_unique() {
    const REMEDY: &str = "`label` is hidden, but the error for a value that is taken would tell \
                          which values there are; remove `unique`, or let clients read the field";
    assert_field_errors(
        r#"#[resource(read_scope = "a", unique)] label: i64"#,
        &[("unique", REMEDY)],
    );
    assert_errors(
        r#"#[resource(name = "Thing", url = "/things", version = "1.0", unique(label, size))]
        struct Thing { id: i64, #[resource(read_scope = "a")] label: i64, size: i64 }"#,
        &[("label", REMEDY)],
    );
}

#[test]
fn the_key_of_a_subresource_is_read_by_all() {
    assert_errors(
        r#"#[resource(name = "Thing", url = "/things", version = "1.0", subresource(a = "a_id"))]
        struct Thing { id: i64, #[resource(references = A, read_scope = "a")] a_id: i64 }"#,
        &[(
            "read_scope",
            "the subresource `a` would show it; remove `read_scope`, or the subresource",
        )],
    );
}

#[test]
fn the_scopes_of_fields_stand_on_fields() {
    assert_struct_errors(
        r#"read_scope = "a""#,
        &[(
            "read_scope",
            "unknown key `read_scope`; the keys of a struct are `name`, `url`, `version`, \
             `subresource`, `collection`, `table`, `schema`, `existing`, `view`, `ignore`, `accept`, `unique`, \
             `index`, `redacts`, `operations`, `limit`, `count`, `idempotency`, \
             `scopes`, `public`, `owner`, `crate`, `require_if_match`, `cache`, `follows`, `breaks`, `deprecated`, \
             `validator`",
        )],
    );
}
