//! Tests of the names of variants.

use super::{assert_errors, attributes, model};
use crate::field_value::model::Case;
use crate::tests::parse;

fn names(item: &str) -> Vec<String> {
    let input = parse(item);
    let field_type = model::resolve(attributes::read(&input));
    let variants = field_type.variants().iter();
    variants.map(|variant| variant.name.text.clone()).collect()
}

#[test]
fn a_variant_is_named_as_it_is_written_or_renamed() {
    assert_eq!(
        names(r#"enum Colour { DarkRed, r#type, #[resource(rename = "sky blue")] Blue }"#),
        ["DarkRed", "type", "sky blue"]
    );
}

/// The names that serde gives.
#[test]
fn every_case_writes_names_as_serde_does() {
    for (case, expected) in [
        ("lowercase", ["darkred", "rgb8", "a", "htmlcolour"]),
        ("UPPERCASE", ["DARKRED", "RGB8", "A", "HTMLCOLOUR"]),
        ("PascalCase", ["DarkRed", "Rgb8", "A", "HTMLColour"]),
        ("camelCase", ["darkRed", "rgb8", "a", "hTMLColour"]),
        ("snake_case", ["dark_red", "rgb8", "a", "h_t_m_l_colour"]),
        (
            "SCREAMING_SNAKE_CASE",
            ["DARK_RED", "RGB8", "A", "H_T_M_L_COLOUR"],
        ),
        ("kebab-case", ["dark-red", "rgb8", "a", "h-t-m-l-colour"]),
        (
            "SCREAMING-KEBAB-CASE",
            ["DARK-RED", "RGB8", "A", "H-T-M-L-COLOUR"],
        ),
    ] {
        let item = format!(
            r#"#[resource(rename_all = "{case}")] enum Colour {{ DarkRed, Rgb8, A, HTMLColour }}"#
        );
        assert_eq!(names(&item), expected, "{case}");
        assert_errors(&item, &[]);
    }
    assert_eq!(Case::ALL.len(), 8);
}

#[test]
fn letters_beyond_ascii_keep_their_case_as_serde_leaves_them() {
    let item = |case| format!(r#"#[resource(rename_all = "{case}")] enum Hue {{ RotÄhnlich, Ä }}"#);
    assert_eq!(names(&item("snake_case")), ["rot_Ähnlich", "Ä"]);
    assert_eq!(names(&item("camelCase")), ["rotÄhnlich", "Ä"]);
}

#[test]
fn a_rename_is_kept_as_it_is() {
    assert_eq!(
        names(
            r#"#[resource(rename_all = "UPPERCASE")]
            enum Colour { Red, #[resource(rename = "green")] Green }"#
        ),
        ["RED", "green"]
    );
}

#[test]
fn an_unknown_case_names_the_nearest_or_all() {
    assert_errors(
        r#"#[resource(rename_all = "snake")] enum Colour { Red }"#,
        &[(
            "\"snake\"",
            "unknown case `snake`; did you mean `snake_case`?",
        )],
    );
    assert_errors(
        r#"#[resource(rename_all = "title")] enum Colour { Red }"#,
        &[(
            "\"title\"",
            "unknown case `title`; the cases are `lowercase`, `UPPERCASE`, `PascalCase`, \
             `camelCase`, `snake_case`, `SCREAMING_SNAKE_CASE`, `kebab-case`, \
             `SCREAMING-KEBAB-CASE`",
        )],
    );
}

#[test]
fn two_variants_of_one_name_are_refused_at_the_second() {
    assert_errors(
        r#"enum Colour { Red, #[resource(rename = "Red")] Green }"#,
        &[(
            "\"Red\"",
            "two variants are named `Red`; give one another `rename = \"…\"`",
        )],
    );
    assert_errors(
        r#"#[resource(rename_all = "lowercase")] enum Colour { DarkRed, Darkred }"#,
        &[(
            "Darkred",
            "two variants are named `darkred`; give one another `rename = \"…\"`",
        )],
    );
}

#[test]
fn a_name_is_text_that_can_be_read() {
    let message = "the name of a variant must not be empty or hold control characters; \
                   choose another `rename = \"…\"`";
    for name in [r#""""#, r#""a\nb""#, r#""\0""#, r#""\u{85}""#] {
        let item = format!("enum Colour {{ #[resource(rename = {name})] Red }}");
        assert_errors(&item, &[(name, message)]);
    }
    assert_errors(r#"enum Colour { #[resource(rename = " ü/\" ")] Red }"#, &[]);
}
