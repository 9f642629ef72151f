//! Tests of `scopes` and `public`: the operations that they stand for.

use super::golden::SMALL;
use super::{assert_errors, assert_struct_errors, errors, parse, pretty};
use crate::api_resource::derive;

/// The code that the derive emits for the guard of a resource with the keys `keys`.
fn guard(keys: &str) -> String {
    let item = SMALL.replace("version = \"1.0\"", &format!("version = \"1.0\", {keys}"));
    let expansion = pretty(derive(&parse(&item)));
    assert!(!expansion.contains("compile_error!"), "{expansion}");
    let dense: String = expansion.split_whitespace().collect();
    let (_, guard) = dense.split_once(".guard(_api::guard()").unwrap_or_default();
    let (guard, _) = guard.split_once(";constROUTES").unwrap_or_default();
    guard.trim_end_matches([')', ',']).to_owned()
}

#[test]
fn scopes_alone_are_named_like_the_resource() {
    assert_eq!(
        guard("scopes"),
        r#".read(_api::any(&["setting.read"])).write(_api::any(&["setting.write"]"#
    );
}

#[test]
fn scopes_alone_are_those_of_operations_that_there_are() {
    assert_eq!(
        guard("scopes, operations(list)"),
        r#".read(_api::any(&["setting.read"]"#
    );
    assert_eq!(
        guard("scopes, operations(create, delete)"),
        r#".write(_api::any(&["setting.write"]"#
    );
}

#[test]
fn a_single_operation_follows_its_group_and_overrides_it() {
    assert_eq!(
        guard(r#"scopes(delete = all("a", "b"), write = any("c"), list = "d", read = "e")"#),
        r#".read(_api::any(&["e"])).write(_api::any(&["c"])).list(_api::any(&["d"])).delete(_api::all(&["a","b"]"#
    );
}

#[test]
fn public_covers_everything_or_reading() {
    assert_eq!(guard("public"), ".public(");
    assert_eq!(
        guard(r#"public(read), scopes(write = "a")"#),
        r#".public_read().write(_api::any(&["a"]"#
    );
    assert_eq!(
        guard("public(read), operations(list, retrieve)"),
        ".public_read("
    );
}

#[test]
fn resource_without_access_keys_has_no_guard() {
    assert_eq!(guard("index(name, value)"), "");
}

#[test]
fn each_operation_of_the_resource_is_guarded() {
    for (keys, underlined, message) in [
        (
            r#"scopes(read = "a")"#,
            "scopes",
            "nothing says who may `create`, `update`, `delete`; add `write = \"…\"` to `scopes`",
        ),
        (
            r#"scopes(write = "a")"#,
            "scopes",
            "nothing says who may `list`, `retrieve`; \
             add `read = \"…\"` to `scopes`, or `public(read)`",
        ),
        (
            r#"scopes(write = "a", list = "b")"#,
            "scopes",
            "nothing says who may `retrieve`; add `retrieve = \"…\"` to `scopes`",
        ),
        (
            r#"scopes(list = "a")"#,
            "scopes",
            "nothing says who may `create`, `retrieve`, `update`, `delete`; \
             add `read = \"…\"` and `write = \"…\"` to `scopes`",
        ),
        (
            "public(read)",
            "public",
            "nothing says who may `create`, `update`, `delete`; add `scopes(write = \"…\")`",
        ),
        (
            r#"public(read), scopes(create = "a", update = "a")"#,
            "scopes",
            "nothing says who may `delete`; add `delete = \"…\"` to `scopes`",
        ),
        (
            "public(read), operations(list, delete)",
            "public",
            "nothing says who may `delete`; add `scopes(delete = \"…\")`",
        ),
    ] {
        assert_struct_errors(keys, &[(underlined, message)]);
    }
}

#[test]
fn operations_that_are_not_offered_need_no_guard() {
    for keys in [
        r#"scopes(read = "a"), operations(list, retrieve)"#,
        r#"scopes(list = "a"), operations(list)"#,
        r#"scopes(list = "a", write = "b"), operations(list, create)"#,
    ] {
        assert_struct_errors(keys, &[]);
    }
}

#[test]
fn public_operation_has_no_scope() {
    for (keys, expected) in [
        (
            "public, scopes",
            (
                "scopes",
                "`scopes` and `public` exclude each other; remove one",
            ),
        ),
        (
            "public(read), scopes",
            (
                "scopes",
                "`scopes` alone stands for `read` too, which is `public`; \
                 write `scopes(write = \"thing.write\")`",
            ),
        ),
        (
            r#"public(read), scopes(write = "a", retrieve = "b")"#,
            (
                "retrieve",
                "`retrieve` has a scope and is `public`; remove one",
            ),
        ),
        (
            r#"public, scopes(write = "a")"#,
            ("write", "`write` has a scope and is `public`; remove one"),
        ),
    ] {
        assert_struct_errors(keys, &[expected]);
    }
}

#[test]
fn guard_rule_covers_an_offered_operation() {
    assert_struct_errors(
        r#"scopes(read = "a", write = "b", delete = "c"), operations(list)"#,
        &[
            (
                "write",
                "`write` stands for none of the `operations`; remove it",
            ),
            (
                "delete",
                "`delete` stands for none of the `operations`; remove it",
            ),
        ],
    );
    assert_struct_errors(
        r#"public(read), scopes(write = "b"), operations(create)"#,
        &[(
            "public",
            "`public(read)` stands for none of the `operations`; remove it",
        )],
    );
}

#[test]
fn an_unknown_operation_in_scopes_names_the_nearest() {
    assert_struct_errors(
        r#"scopes(raed = "a", write = "b")"#,
        &[("raed", "unknown key `raed`; did you mean `read`?")],
    );
    assert_struct_errors(
        r#"scopes(everything = "a")"#,
        &[(
            "everything",
            "unknown key `everything`; the keys of `scopes` are `read`, `write`, `list`, \
             `retrieve`, `create`, `update`, `delete`",
        )],
    );
}

#[test]
fn unreadable_key_is_not_reported_as_missing() {
    let takes = "takes a scope in quotes, `any(\"a\", \"b\")` or `all(\"a\", \"b\")`";
    assert_struct_errors(
        r#"scopes(read = 5, write = "b")"#,
        &[("5", &format!("`read` {takes}"))],
    );
    assert_struct_errors(
        r#"scopes(read = "a"), public(write)"#,
        &[("write", "`public` takes nothing, or `read`: `public(read)`")],
    );
    assert_struct_errors(
        r#"scopes(read = "a"), operations(lst)"#,
        &[("lst", "unknown operation `lst`; did you mean `list`?")],
    );
    assert_errors(
        r#"#[resource(name = "Thing", url = "/things", version = "1.0")]
        #[resource(public(read))] #[resource(scopes(read = "a") x)] struct Thing { id: i64 }"#,
        &[("x", "expected `,`")],
    );
}

#[test]
fn scopes_alone_follow_a_name_that_is_mistaken_elsewhere() {
    let item =
        r#"#[resource(name = "A b", url = "/as", version = "1.0", scopes)] struct A { id: i64 }"#;
    assert_eq!(errors(item).len(), 1, "{:?}", errors(item));
}
