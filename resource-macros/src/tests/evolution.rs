//! Tests of `follows`, `breaks` and `deprecated`, as far as a macro can judge them.

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
fn deprecations_name_replacements_of_their_kind() {
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
