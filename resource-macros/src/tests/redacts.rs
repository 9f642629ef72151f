//! Tests of `redacts(…)`, and of the rules for secrets.

use super::{assert_errors, assert_field_errors, assert_struct_errors};

/// A struct whose keys are `keys`, with a hidden field and one that leads to a subresource.
#[track_caller]
fn assert_redaction_errors(keys: &str, expected: &[(&str, &str)]) {
    let item = format!(
        r#"#[resource(name = "User", url = "/users", version = "1.0", {keys})]
        #[resource(subresource(place = "place_id"))]
        struct User {{
            id: i64,
            token: Option<String>,
            r#type: String,
            #[resource(write_only)]
            secret: Option<String>,
            #[resource(references = Place)]
            place_id: Option<i64>,
        }}"#
    );
    assert_errors(&item, expected);
}

#[test]
fn one_field_or_several_may_be_redacted() {
    assert_redaction_errors("redacts(token)", &[]);
    assert_redaction_errors("redacts(token, type)", &[]);
    assert_redaction_errors("redacts(token), redacts(r#type)", &[]);
}

#[test]
fn redacts_names_only_fields() {
    assert_redaction_errors(
        "redacts(tokn, xyz)",
        &[
            ("tokn", "no field `tokn`; did you mean `token`?"),
            ("xyz", "no field `xyz`; name fields of this struct"),
        ],
    );
}

#[test]
fn a_subresource_is_redacted_by_its_own_validator() {
    assert_redaction_errors(
        "redacts(place)",
        &[(
            "place",
            "`place` is a subresource, which the validator of its own resource redacts; \
             remove it from `redacts`",
        )],
    );
}

#[test]
fn a_field_is_redacted_once() {
    let twice = [("token", "`token` is named twice; remove one")];
    assert_redaction_errors("redacts(token, token)", &twice);
    assert_redaction_errors("redacts(token), redacts(type, token)", &twice);
}

#[test]
fn the_primary_key_is_not_redacted() {
    assert_redaction_errors(
        "redacts(id)",
        &[(
            "id",
            "items are addressed by the primary key; remove it from `redacts`",
        )],
    );
}

#[test]
fn a_hidden_field_is_not_redacted() {
    assert_redaction_errors(
        "redacts(secret)",
        &[(
            "secret",
            "`secret` is `write_only`, so it is never returned anyway; remove it from `redacts`",
        )],
    );
}

#[test]
fn the_key_of_a_subresource_is_not_redacted() {
    assert_redaction_errors(
        "redacts(place_id)",
        &[(
            "place_id",
            "the subresource `place` would show it; remove it from `redacts`, or the subresource",
        )],
    );
    // Without the subresource the same field may be.
    assert_struct_errors("redacts(place_id)", &[]);
}

#[test]
fn a_doubled_name_of_a_wrong_field_is_wrong_once() {
    assert_redaction_errors(
        "redacts(secret, secret)",
        &[
            ("secret", "`secret` is named twice; remove one"),
            (
                "secret",
                "`secret` is `write_only`, so it is never returned anyway; \
                 remove it from `redacts`",
            ),
        ],
    );
}

#[test]
fn a_secret_is_not_unique() {
    const REMEDY: &str = "the error for a value that is taken would tell which values there are; \
                          remove `unique`, or let clients read the field";
    let secret = |name: &str| format!("`{name}` is hidden, but {REMEDY}");
    assert_redaction_errors(
        "redacts(token), unique(type, token), unique(secret, place_id)",
        &[("token", &secret("token")), ("secret", &secret("secret"))],
    );
    assert_field_errors(
        "#[resource(write_only, unique)] pin: i64",
        &[("unique", &secret("pin"))],
    );
}
