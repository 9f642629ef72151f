//! Tests of the keys about tables that others made.

use super::{assert_errors, assert_struct_errors};

/// Asserts the errors of a struct of a table of others that is correct but for its last field.
#[track_caller]
fn assert_existing(extra: &str, field: &str, expected: &[(&str, &str)]) {
    let item = format!(
        r#"#[resource(name = "Thing", url = "/things", version = "1.0", existing{extra})]
        struct Thing {{
            id: i64,
            {field},
        }}"#
    );
    assert_errors(&item, expected);
}

#[test]
fn keys_about_tables_of_others_need_one() {
    let existing =
        |key| format!("`{key}` is about a table that others made; add `existing` to the struct");
    let [ignore, accept] = ["ignore", "accept"].map(existing);
    assert_struct_errors(
        "ignore(\"a b\"), accept(\"row_security\")",
        &[("ignore", &ignore), ("accept", &accept)],
    );
    assert_struct_errors("view, ignore(\"a b\"), accept(\"row_security\")", &[]);
    assert_errors(
        r#"#[resource(name = "Thing", url = "/things", version = "1.0")]
        struct Thing {
            id: i64,
            #[resource(computed)]
            sum: i64,
            #[resource(default = database)]
            day: i64,
        }"#,
        &[
            (
                "computed",
                "the tables of the service compute nothing; add `existing` to the struct",
            ),
            (
                "default",
                "the tables of the service have no defaults of their own; add `existing` to the struct",
            ),
        ],
    );
}

#[test]
fn a_view_is_only_read() {
    assert_struct_errors("view, operations(list)", &[]);
    assert_struct_errors(
        "view, existing, operations(list, create, upsert)",
        &[
            (
                "existing",
                "a view is made by others in any case; remove `existing`",
            ),
            ("create", "a view is only read; remove `create`"),
            ("upsert", "a view is only read; remove `upsert`"),
        ],
    );
}

#[test]
fn ignored_columns_belong_to_no_field_and_stand_once() {
    assert_existing(
        r#", ignore("mark", "other"), ignore("other")"#,
        r#"#[resource(column = "mark")] label: String"#,
        &[
            (
                "\"mark\"",
                "`mark` is the column of the field `label`; remove one of them",
            ),
            ("\"other\"", "`other` is named twice; remove one"),
        ],
    );
}

#[test]
fn unknown_words_name_the_nearest() {
    assert_existing(
        r#", accept("defered_keys", "x")"#,
        r#"#[resource(references(Place, on_delete = "cascades"))] place_id: i64"#,
        &[
            (
                "\"defered_keys\"",
                "unknown peculiarity `defered_keys`; did you mean `deferred_keys`?",
            ),
            (
                "\"x\"",
                "unknown peculiarity `x`; the peculiarities are `deferred_keys`, `unenforced_references`, \
                 `row_security`",
            ),
            (
                "\"cascades\"",
                "unknown action `cascades`; did you mean `cascade`?",
            ),
        ],
    );
}

#[test]
fn an_action_is_one_that_the_row_can_take() {
    assert_existing(
        "",
        r#"#[resource(references(Place, on_delete = "set_null"))] place_id: i64"#,
        &[(
            "\"set_null\"",
            "the field would become null; make it an `Option`",
        )],
    );
    assert_existing(
        "",
        r#"#[resource(references(Place, on_delete = "set_null"))] place_id: Option<i64>,
           #[resource(revision)] revision: i64"#,
        &[(
            "\"set_null\"",
            "the database would change the item, but not its `revision`; remove the `revision`, whose tags would not \
             notice",
        )],
    );
}

#[test]
fn a_computed_field_is_written_by_nobody_else() {
    assert_existing(
        "",
        "#[resource(computed, read_only, default = 1)] sum: i64",
        &[
            (
                "read_only",
                "the database alone writes a `computed` field; remove `read_only`",
            ),
            (
                "default",
                "the database alone writes a `computed` field; remove `default`",
            ),
        ],
    );
}

#[test]
fn a_computed_field_changes_without_the_revision() {
    assert_existing(
        "",
        "#[resource(computed)] sum: i64, #[resource(revision)] revision: i64",
        &[(
            "computed",
            "its changes by the database leave the revision as it is; remove `revision`, so that tags are digests of \
             the row",
        )],
    );
}

#[test]
fn the_parts_of_one_foreign_key_tell_one_action() {
    let keys = r#", subresource(place = ["country", "city"])"#;
    assert_existing(
        keys,
        r#"#[resource(references(Place, country, on_delete = "cascade"))] country: String,
           #[resource(references(Place, city, on_delete = "set_default"))] city: String"#,
        &[(
            "\"set_default\"",
            "another part of this foreign key says `cascade`; write the same",
        )],
    );
    let one_of_two = r#"#[resource(references(Place, country))] country: String,
           #[resource(references(Place, city, on_delete = "set_null"))] city: Option<String>"#;
    assert_existing(keys, one_of_two, &[]);
    let own = format!(
        r#"#[resource(name = "Thing", url = "/things", version = "1.0"{keys})]
           struct Thing {{ id: i64, {one_of_two} }}"#
    );
    assert_errors(
        &own,
        &[(
            "\"set_null\"",
            "`country` would become null, too; make it an `Option`",
        )],
    );
    assert_existing(
        keys,
        r#"#[resource(references(Place, country), references(Country, on_delete = "set_default"))] country: String,
           #[resource(references(Place, city, on_delete = "cascade"))] city: String"#,
        &[],
    );
}

#[test]
fn the_database_neither_gives_nor_takes_an_owner() {
    let owner = r#", owner(field = "owner_id")"#;
    assert_existing(
        owner,
        "#[resource(computed)] owner_id: i64",
        &[(
            "computed",
            "a new item belongs to the caller who creates it; remove `computed`",
        )],
    );
    for word in ["set_null", "set_default"] {
        for kind in ["i64", "Option<i64>"] {
            let field =
                format!(r#"#[resource(references(User, on_delete = "{word}"))] owner_id: {kind}"#);
            let expected = "an item keeps its owner, whom the database would change; remove `on_delete`, or name another \
                            field in `owner`";
            assert_existing(owner, &field, &[(&format!("\"{word}\""), expected)]);
        }
    }
    assert_existing(
        owner,
        r#"#[resource(references(User, on_delete = "cascade"))] owner_id: i64"#,
        &[],
    );
}
