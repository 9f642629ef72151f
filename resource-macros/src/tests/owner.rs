//! Tests of `owner(…)`: its errors and the code that it emits.

use super::golden::GUARDED;
use super::{assert_errors, assert_struct_errors, parse, pretty};
use crate::api_resource::derive;

/// A struct whose owner is `owner_id`, a field with the keys `field_keys`.
#[track_caller]
fn assert_owner_errors(field_keys: &str, expected: &[(&str, &str)]) {
    assert_errors(
        &format!(
            r#"#[resource(name = "Thing", url = "/things", version = "1.0")]
            #[resource(owner(field = "owner_id"))]
            struct Thing {{
                id: i64,
                #[resource({field_keys})]
                owner_id: i64,
            }}"#
        ),
        expected,
    );
}

fn expansion(owner: &str) -> String {
    let item = GUARDED.replace(
        r#"owner(field = "author_id", bypass = "notes.admin")"#,
        owner,
    );
    let text = pretty(derive(&parse(&item)));
    assert!(!text.contains("compile_error!"), "{text}");
    text
}

#[test]
fn the_owner_is_the_subject_of_the_token_unless_another_claim_is_named() {
    let subject = expansion(r#"owner(field = "author_id")"#);
    assert!(
        subject.contains(r#".owner(_api::claim("sub"))"#),
        "{subject}"
    );
    let claim = expansion(r#"owner(field = "author_id", claim = "https://example.com/user")"#);
    let expected = r#".owner(_api::claim("https://example.com/user"))"#;
    assert!(claim.contains(expected), "{claim}");
}

#[test]
fn owner_field_gets_the_owner_bound() {
    let text = expansion(r#"owner(field = "text", bypass = all("a", "b"))"#);
    let expected = r#"_api::attribute("text", <String as _api::FieldValue>::TYPE).owner()"#;
    assert!(text.contains(expected), "{text}");
    assert_eq!(text.matches(".owner()").count(), 1, "{text}");
    assert!(text.contains("String: _api::Owner,"), "{text}");
    assert_eq!(text.matches("_api::Owner").count(), 1, "{text}");
    let bypass = r#".owner(_api::claim("sub").bypassed_by(_api::all(&["a", "b"])))"#;
    assert!(text.contains(bypass), "{text}");
}

#[test]
fn an_owner_may_be_a_reference_hidden_unique_or_beyond_the_reach_of_clients() {
    for keys in [
        "references = User",
        "read_only",
        "write_only",
        "unique",
        "index",
        "rename = \"owner\"",
    ] {
        assert_owner_errors(keys, &[]);
    }
}

#[test]
fn nothing_but_the_token_sets_the_owner() {
    assert_owner_errors(
        "default = 1, default_on_update = 2",
        &[
            (
                "default",
                "a new item belongs to the caller who creates it; remove `default`",
            ),
            (
                "default_on_update",
                "an item keeps its owner; remove `default_on_update`",
            ),
        ],
    );
    assert_owner_errors(
        "assigned",
        &[(
            "assigned",
            "only the primary key can be `assigned`; move it to `id` or remove it",
        )],
    );
}

#[test]
fn owner_field_has_no_scopes_of_its_own() {
    assert_owner_errors(
        "read_scope = \"a\", write_scope = \"b\"",
        &[
            (
                "read_scope",
                "items are found by their owner; remove `read_scope`, \
                 or hide the field from everybody by `write_only`",
            ),
            (
                "write_scope",
                "who may write the owner is said by `bypass` of `owner`; remove `write_scope`",
            ),
        ],
    );
}

#[test]
fn the_owner_is_a_field() {
    assert_struct_errors(
        r#"owner(field = "lable")"#,
        &[("\"lable\"", "no field `lable`; did you mean `label`?")],
    );
    assert_struct_errors(
        r#"owner(field = "xyz")"#,
        &[("\"xyz\"", "no field `xyz`; name a field of this struct")],
    );
    assert_struct_errors(
        r#"owner(field = "id")"#,
        &[(
            "\"id\"",
            "the primary key says which item it is, and not whose; name another field",
        )],
    );
}

#[test]
fn owner_without_a_field_is_reported_unless_misspelled() {
    assert_struct_errors(
        r#"owner(claim = "sub")"#,
        &[(
            "owner",
            "`owner` names no field; add `field = \"…\"` with the field that holds the owner",
        )],
    );
    assert_struct_errors(
        r#"owner(feild = "label")"#,
        &[("feild", "unknown key `feild`; did you mean `field`?")],
    );
    assert_struct_errors(
        "owner(field = label)",
        &[(
            "label",
            "`field` takes the name of a field in quotes: `field = \"owner_id\"`",
        )],
    );
}

#[test]
fn a_claim_has_a_name() {
    assert_struct_errors(
        r#"owner(field = "label", claim = " ")"#,
        &[(
            "\" \"",
            "`claim` must name a claim of a token; write `claim = \"sub\"`",
        )],
    );
}

#[test]
fn owner_excludes_public() {
    let message = "who is `public` owns nothing, so there would be no items; \
                   remove `public`, or `owner`";
    assert_struct_errors(r#"owner(field = "label"), public"#, &[("public", message)]);
    assert_struct_errors(
        r#"owner(field = "label"), public(read), scopes(write = "a")"#,
        &[("public", message)],
    );
}

#[test]
fn struct_without_fields_has_no_second_error_for_its_owner() {
    assert_errors(
        r#"#[resource(name = "A", url = "/as", version = "1.0", owner(field = "a"))] struct A;"#,
        &[(
            "A",
            "a resource without fields; add them in braces: `{ pub id: i64 }`",
        )],
    );
}
