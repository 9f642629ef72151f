//! Tests of the errors of newtypes.

use super::assert_errors;

#[test]
fn newtype_around_an_option_is_refused_with_its_remedy() {
    for (ty, inner) in [
        ("Option<f64>", "f64"),
        ("::std::option::Option<String>", "String"),
        ("Option<Option<a::B>>", "a::B"),
    ] {
        let message = format!(
            "the field of a resource says whether a value may be absent; \
             write `{inner}` here and `Option<Celsius>` there"
        );
        assert_errors(&format!("struct Celsius({ty});"), &[(ty, &message)]);
    }
    assert_errors("struct Celsius(Vec<Option<u8>>);", &[]);
}

#[test]
fn keys_of_a_resource_do_not_stand_inside_a_newtype() {
    let message = "the keys of a field stand in the resource; move them to the field of this type";
    assert_errors(
        "struct Name(#[resource(max_length = 50)] #[doc = \"\"] #[resource] String);",
        &[
            ("resource(max_length = 50)", message),
            ("resource", message),
        ],
    );
}

#[test]
fn keys_of_a_resource_do_not_stand_on_a_newtype() {
    let message = "the keys of a field stand in the resource; move it to the field of this type";
    assert_errors(
        "#[resource(max_length = 50, rename = \"name\")] struct Name(String);",
        &[("max_length", message), ("rename", message)],
    );
}

#[test]
fn a_newtype_has_no_variants_to_rename() {
    for value in [" = \"lowercase\"", " = \"title\"", ""] {
        assert_errors(
            &format!("#[resource(rename_all{value})] struct Name(String);"),
            &[(
                "rename_all",
                "a struct has no variants to rename; remove `rename_all`",
            )],
        );
    }
}

#[test]
fn the_mistakes_of_a_newtype_are_reported_together() {
    assert_errors(
        "#[resource(crate = 1, tabel)] struct Name(Option<String>);",
        &[
            (
                "Option<String>",
                "the field of a resource says whether a value may be absent; \
                 write `String` here and `Option<Name>` there",
            ),
            (
                "tabel",
                "unknown key `tabel`; the only key of a struct around one type is `crate`",
            ),
            ("1", "`crate` takes a path in quotes: `crate = \"my_api\"`"),
        ],
    );
}
