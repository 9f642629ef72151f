//! Tests of unknown, repeated and unreadable keys.

use super::{assert_errors, assert_field_errors, assert_struct_errors};

#[test]
fn an_unknown_key_of_a_struct_names_the_nearest() {
    assert_struct_errors(
        "tabel = \"things\"",
        &[("tabel", "unknown key `tabel`; did you mean `table`?")],
    );
}

#[test]
fn an_unknown_key_far_from_all_lists_them() {
    assert_struct_errors(
        "pagination",
        &[(
            "pagination",
            "unknown key `pagination`; the keys of a struct are `name`, `url`, `version`, \
             `subresource`, `collection`, `table`, `schema`, `existing`, `view`, `ignore`, `accept`, `unique`, \
             `index`, `redacts`, `operations`, `limit`, `count`, `idempotency`, `scopes`, \
             `public`, `owner`, `crate`, `require_if_match`, `cache`, `follows`, `breaks`, `deprecated`, `validator`",
        )],
    );
}

#[test]
fn an_unknown_key_of_a_field_names_the_nearest() {
    assert_field_errors(
        "#[resource(max_lenght = 5, uniqe)] label: String",
        &[
            (
                "max_lenght",
                "unknown key `max_lenght`; did you mean `max_length`?",
            ),
            ("uniqe", "unknown key `uniqe`; did you mean `unique`?"),
        ],
    );
}

#[test]
fn a_key_of_another_framework_is_told_as_the_one_here() {
    for (key, remedy) in [
        ("max_value", "did you mean `max`?"),
        ("null", "a field that may be null is an `Option`"),
        (
            "choices",
            "the type of the field is an enum that derives `FieldValue`",
        ),
    ] {
        assert_field_errors(
            &format!("#[resource({key})] label: String"),
            &[(key, &format!("unknown key `{key}`; {remedy}"))],
        );
    }
}

#[test]
fn a_key_given_twice_is_reported_at_the_second() {
    assert_struct_errors(
        "name = \"Other\"",
        &[("name", "`name` is given twice; keep one of them")],
    );
    assert_field_errors(
        "#[resource(unique)] #[resource(max_length = 1, unique)] label: String",
        &[("unique", "`unique` is given twice; keep one of them")],
    );
}

#[test]
fn keys_that_may_repeat_are_read_each_time() {
    assert_struct_errors("unique(id, label), unique(label, place_id)", &[]);
    assert_struct_errors("redacts(label), redacts(place_id)", &[]);
    assert_struct_errors(
        "subresource(a = \"place_id\"), subresource(b = [\"place_id\"])",
        &[],
    );
}

#[test]
fn an_empty_attribute_is_fine_and_one_without_parentheses_is_not() {
    assert_field_errors("#[resource()] label: String", &[]);
    assert_field_errors(
        "#[resource] label: String",
        &[(
            "resource",
            "the keys stand in parentheses; write `#[resource(…)]`",
        )],
    );
}

#[test]
fn a_value_without_key_is_reported_and_the_keys_beside_it_are_read() {
    assert_errors(
        r#"#[resource("Thing", url = "things")] struct Thing { id: i64 }"#,
        &[
            ("\"Thing\"", "a value without its key; write `key = value`"),
            (
                "\"things\"",
                "`url` must start with a slash; write `url = \"/things\"`",
            ),
        ],
    );
}
