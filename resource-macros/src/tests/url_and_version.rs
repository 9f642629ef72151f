//! Tests of the required keys `name`, `url` and `version`, and of their corrections.

use super::assert_errors;

#[track_caller]
fn assert_key_error(keys: &str, underlined: &str, message: &str) {
    let item = format!("#[resource({keys})] struct Thing {{ id: i64 }}");
    assert_errors(&item, &[(underlined, message)]);
}

#[test]
fn missing_keys_are_reported_with_a_value_for_this_struct() {
    assert_errors(
        "struct UserCategory { id: i64 }",
        &[
            (
                "UserCategory",
                "missing `name`; add `name = \"UserCategory\"` to `#[resource(…)]`",
            ),
            (
                "UserCategory",
                "missing `url`; add `url = \"/user-categories\"` to `#[resource(…)]`",
            ),
            (
                "UserCategory",
                "missing `version`; add `version = \"1.0\"` to `#[resource(…)]`",
            ),
        ],
    );
}

#[test]
fn plurals_of_the_example_follow_the_word() {
    for (name, url) in [
        ("Address", "/addresses"),
        ("Day", "/days"),
        ("Box", "/boxes"),
        ("Y", "/ies"),
    ] {
        let item =
            format!("#[resource(name = \"A\", version = \"1.0\")] struct {name} {{ id: i64 }}");
        let message = format!("missing `url`; add `url = \"{url}\"` to `#[resource(…)]`");
        assert_errors(&item, &[(name, &message)]);
    }
}

#[test]
fn a_misspelled_required_key_is_one_error() {
    assert_errors(
        r#"#[resource(nam = "Thing", url = "/things", version = "1.0")] struct Thing { id: i64 }"#,
        &[("nam", "unknown key `nam`; did you mean `name`?")],
    );
}

#[test]
fn a_url_that_breaks_a_rule_is_shown_corrected() {
    let cases = [
        ("things", "must start with a slash", "/things"),
        ("/things/", "must end without a slash", "/things"),
        ("//things", "must start with one slash only", "/things"),
        ("/a/things", "must be one path segment", "/a-things"),
        ("a/b/", "must be one path segment", "/a-b"),
        (
            "/my things",
            "must hold letters, digits, `-` and `_` only",
            "/my-things",
        ),
        (
            "/{id}",
            "must hold letters, digits, `-` and `_` only",
            "/id",
        ),
        (
            "/ü",
            "must hold letters, digits, `-` and `_` only",
            "/things",
        ),
        ("", "must name a collection", "/things"),
        ("/", "must name a collection", "/things"),
    ];
    for (url, rule, corrected) in cases {
        let keys = format!("name = \"Thing\", url = \"{url}\", version = \"1.0\"");
        let message = format!("`url` {rule}; write `url = \"{corrected}\"`");
        assert_key_error(&keys, &format!("\"{url}\""), &message);
    }
}

#[test]
fn a_version_is_corrected_where_its_meaning_is_plain() {
    let cases = [
        ("1", "1.0"),
        ("v1.0", "1.0"),
        ("1.0.0", "1.0"),
        ("01.0", "1.0"),
        ("1.00", "1.0"),
        (" 2.1", "2.1"),
        ("latest", "1.0"),
        ("", "1.0"),
        ("1.", "1.0"),
        ("+1.0", "1.0"),
        ("65536.0", "1.0"),
        ("1.x", "1.0"),
    ];
    for (version, corrected) in cases {
        let keys = format!("name = \"Thing\", url = \"/things\", version = \"{version}\"");
        let rule =
            "`version` must be `<major>.<minor>`, each from 0 to 65535 without leading zeros";
        let message = format!("{rule}; write `version = \"{corrected}\"`");
        assert_key_error(&keys, &format!("\"{version}\""), &message);
    }
}

#[test]
fn versions_in_range_are_accepted() {
    for version in ["0.0", "1.10", "65535.65535"] {
        assert_errors(
            &format!(
                "#[resource(name = \"A\", url = \"/a\", version = \"{version}\")] struct A {{ id: i64 }}"
            ),
            &[],
        );
    }
}

#[test]
fn a_name_that_is_no_word_is_shown_corrected() {
    for (name, corrected) in [
        ("My Thing", "MyThing"),
        ("1st", "Thing"),
        ("", "Thing"),
        ("Größe", "Gre"),
    ] {
        let keys = format!("name = \"{name}\", url = \"/things\", version = \"1.0\"");
        let rule = "`name` must hold letters, digits, `_` and `-` only, a letter first";
        let message = format!("{rule}; write `name = \"{corrected}\"`");
        assert_key_error(&keys, &format!("\"{name}\""), &message);
    }
}
