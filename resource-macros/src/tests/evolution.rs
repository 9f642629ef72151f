//! Tests of `follows`, `breaks`, `deprecated` and the remedies of shared tables, as far as a macro can judge them.

use super::{assert_errors, assert_field_errors, assert_struct_errors};

const SINCE: &str = "since = \"2027-01-01\"";

#[test]
fn approvals_name_rules_of_their_place_and_reasons() {
    assert_struct_errors(
        r#"follows = Old, breaks(removed(a) = " ", tighter(b) = "why", movd = "why", moved(url) = "why")"#,
        &[
            ("\" \"", "write why clients can live with it"),
            (
                "tighter",
                "`tighter` is no rule of a struct; it stands on the field",
            ),
            (
                "movd",
                "`movd` is no rule of a struct; did you mean `moved`?",
            ),
            ("url", "a struct has one `moved`; write `moved = \"<why>\"`"),
        ],
    );
    assert_struct_errors(
        r#"follows = Old, breaks(withdrawn = "why")"#,
        &[(
            "withdrawn",
            "name what is meant: `withdrawn(…) = \"<why>\"`",
        )],
    );
    assert_errors(
        r#"#[resource(name = "Thing", url = "/things", version = "2.0", follows = Old)]
        struct Thing {
            id: i64,
            #[resource(breaks(page = "why", tighter(a) = "why"))]
            label: String,
        }"#,
        &[
            (
                "page",
                "`page` is no rule of a field; it stands on the struct",
            ),
            ("a", "on a field, a rule names no place; remove it"),
        ],
    );
}

#[test]
fn approvals_stand_where_a_version_is_followed() {
    let message = "this struct follows no version whose promises it could break; add `follows = …`";
    assert_struct_errors(r#"breaks(page = "why")"#, &[("breaks", message)]);
    assert_field_errors(
        r#"#[resource(breaks(tighter = "why"))] label: String"#,
        &[("breaks", message)],
    );
    for own in ["Thing", "Self"] {
        assert_struct_errors(
            &format!("follows = {own}"),
            &[(own, "a version follows an older one, not itself")],
        );
    }
}

#[test]
fn deprecations_have_days_of_the_calendar() {
    for day in [
        "2027-02-29",
        "2027-13-01",
        "27-01-01",
        "2027-1-1",
        "2027-01-01T00:00",
        "soon",
    ] {
        let quoted = format!("\"{day}\"");
        assert_struct_errors(
            &format!("deprecated(since = {quoted})"),
            &[(
                &quoted,
                "the calendar has no such day; write `\"2027-01-01\"`",
            )],
        );
    }
    assert_struct_errors("deprecated(since = \"2028-02-29\")", &[]);
    assert_struct_errors(
        "deprecated(sunset = \"2028-02-29\")",
        &[("deprecated", "say since when: `since = \"2027-01-01\"`")],
    );
    assert_struct_errors(
        &format!("deprecated({SINCE}, sunset = \"2027-01-01\")"),
        &[("\"2027-01-01\"", "the sunset comes after `since`")],
    );
}

#[test]
fn names_of_versions_that_have_ended_are_approved_without_one_to_follow() {
    assert_field_errors(r#"#[resource(breaks(reused = "why"))] label: String"#, &[]);
    assert_struct_errors(r#"breaks(reused(sender) = "why")"#, &[]);
}

#[test]
fn deprecations_name_replacements_of_their_kind() {
    for own in ["Thing", "Self"] {
        assert_struct_errors(
            &format!("deprecated({SINCE}, successor = {own})"),
            &[(
                own,
                "a version is replaced by another one, not itself; name that one, or remove `successor`",
            )],
        );
    }
    assert_struct_errors(
        &format!("deprecated({SINCE}, instead = \"label\")"),
        &[(
            "instead",
            "a version is replaced by another one; write `successor = …`",
        )],
    );
    assert_field_errors(
        &format!("#[resource(deprecated({SINCE}, successor = Other))] label: String"),
        &[(
            "successor",
            "an attribute is replaced by another one; write `instead = \"…\"`",
        )],
    );
    assert_field_errors(
        &format!("#[resource(deprecated({SINCE}, instead = \"label\"))] label: String, labl: i64"),
        &[(
            "\"label\"",
            "no other attribute is `label`; did you mean `labl`?",
        )],
    );
}

#[test]
fn texts_are_cut_at_a_limit_where_nothing_needs_all_of_them() {
    assert_field_errors("#[resource(max_length = 5, truncate)] label: String", &[]);
    for (keys, message) in [
        (
            "truncate",
            "`truncate` cuts at `max_length`; add `max_length = …`",
        ),
        (
            "max_length = 5, truncate, unique",
            "of unique texts, the first characters need not be unique; remove `truncate`",
        ),
        (
            "max_length = 5, truncate, references = Place",
            "clients find another item by a reference; remove `truncate`",
        ),
        (
            "max_length = 5, truncate, write_only",
            "clients read nothing that is `write_only`; remove `truncate`",
        ),
    ] {
        let field = format!("#[resource({keys})] label: String");
        assert_field_errors(&field, &[("truncate", message)]);
    }
    for (keys, message) in [
        (
            "unique(id, label)",
            "of unique texts, the first characters need not be unique; remove `truncate`",
        ),
        (
            "redacts(label)",
            "the validator decides what clients read of it; remove `truncate`",
        ),
        (
            "scopes, owner(field = \"label\")",
            "the owner is the whole text; remove `truncate`",
        ),
    ] {
        let item = format!(
            r#"#[resource(name = "Thing", url = "/things", version = "1.0", {keys})]
            struct Thing {{ id: i64, #[resource(max_length = 5, truncate)] label: String }}"#
        );
        assert_errors(&item, &[("truncate", message)]);
    }
    assert_errors(
        r#"#[resource(name = "Thing", url = "/things", version = "1.0")]
        struct Thing { #[resource(primary_key, assigned, max_length = 5, truncate)] id: String }"#,
        &[(
            "truncate",
            "clients find items by the primary key; remove `truncate`",
        )],
    );
}

#[test]
fn texts_are_held_back_for_other_versions() {
    for own in ["Thing", "Self"] {
        assert_field_errors(
            &format!("#[resource(readable_by = {own})] label: String"),
            &[(
                own,
                "name an older version that reads what this one stores, not itself",
            )],
        );
    }
    assert_field_errors(
        "#[resource(write_only, readable_by = Old)] label: String",
        &[(
            "readable_by",
            "clients read nothing that is `write_only`; remove `readable_by`",
        )],
    );
    assert_field_errors(
        "#[resource(readable_by)] label: String",
        &[(
            "readable_by",
            "`readable_by` takes an older version: `readable_by = SettingV1`",
        )],
    );
}
