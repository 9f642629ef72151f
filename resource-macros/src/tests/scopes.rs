//! Tests of the texts of scopes, wherever they are written.

use super::{assert_field_errors, assert_struct_errors};

const SPACE: &str = "`a b` holds a space, which ends a scope; \
                     write each in quotes of its own: `any(\"a\", \"b\")` or `all(\"a\", \"b\")`";

#[test]
fn every_character_of_the_standard_is_accepted() {
    let visible: String = ('!'..='~')
        .filter(|character| !matches!(character, '"' | '\\'))
        .collect();
    assert_eq!(visible.len(), 92);
    assert_struct_errors(
        &format!("scopes(read = r#\"{visible}\"#, write = \"https://example.com/a:b\")"),
        &[],
    );
}

#[test]
fn a_scope_is_visible_ascii() {
    for (literal, shown, character) in [
        (r#""a\"""#, r#"a\""#, r#"'"'"#),
        (r#""a\\b""#, r"a\\b", r"'\\'"),
        (r#""größe""#, "größe", "'ö'"),
        (r#""a\tb""#, r"a\tb", r"'\t'"),
        (r#""a\u{7f}""#, r"a\u{7f}", r"'\u{7f}'"),
    ] {
        let message = format!(
            "`{shown}` cannot be a scope because of {character}; \
             write visible ASCII characters but `\"` and `\\`"
        );
        let keys = format!("scopes(read = {literal}, write = \"b\")");
        assert_struct_errors(&keys, &[(literal, &message)]);
    }
}

#[test]
fn a_scope_is_not_empty() {
    let message = "a scope is not empty; write one like `\"settings.read\"`";
    assert_struct_errors(r#"scopes(read = "", write = "b")"#, &[("\"\"", message)]);
    assert_struct_errors(
        r#"scopes(read = any("a", ""), write = "b")"#,
        &[("\"\"", message)],
    );
}

#[test]
fn several_scopes_in_one_string_are_refused_everywhere() {
    let expected = [("\"a b\"", SPACE)];
    assert_struct_errors(r#"scopes(read = "a b", write = "c")"#, &expected);
    assert_struct_errors(r#"scopes(read = "a", write = all("a b"))"#, &expected);
    assert_struct_errors(r#"owner(field = "label", bypass = "a b")"#, &expected);
    assert_field_errors(r#"#[resource(read_scope = "a b")] label: i64"#, &expected);
    assert_field_errors(r#"#[resource(write_scope = "a b")] label: i64"#, &expected);
}

#[test]
fn a_scope_is_named_once_in_a_list() {
    assert_struct_errors(
        r#"scopes(read = any("a", "b", "a"), write = all("a", "b"))"#,
        &[("\"a\"", "`a` is named twice; remove one")],
    );
}

#[test]
fn error_of_malformed_scopes_names_the_form() {
    let takes = "takes a scope in quotes, `any(\"a\", \"b\")` or `all(\"a\", \"b\")`";
    for (value, underlined) in [
        ("read_scope", "read_scope"),
        ("read_scope(\"a\")", "\"a\""),
        ("read_scope = a", "a"),
        ("read_scope = none(\"a\")", "none(\"a\")"),
        ("read_scope = any()", "any()"),
        ("read_scope = any(a)", "any(a)"),
        ("read_scope = any(all(\"a\"))", "any(all(\"a\"))"),
    ] {
        let field = format!("#[resource({value})] label: i64");
        assert_field_errors(&field, &[(underlined, &format!("`read_scope` {takes}"))]);
    }
    assert_field_errors("#[resource(read_scope = any(\"a\",))] label: i64", &[]);
}
