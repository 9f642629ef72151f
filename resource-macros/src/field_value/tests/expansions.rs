//! Tests of the emitted code: golden files, sizes, and fallbacks.

use crate::field_value::derive;
use crate::tests::golden::assert_golden;
use crate::tests::{parse, pretty};

const ENUM: &str = r#"
    /// The state of a parcel.
    #[derive(FieldValue)]
    #[resource(rename_all = "snake_case")]
    pub enum State {
        Announced,
        OnItsWay,
        #[resource(rename = "handed over")]
        Delivered,
    }
"#;

const NEWTYPE: &str = r#"
    /// A temperature in degrees Celsius.
    #[derive(FieldValue)]
    #[resource(crate = "my_api")]
    pub struct Celsius(f64);
"#;

/// The lines for a variant: one each in `NAMES`, `from_value` and `to_value`.
const PER_VARIANT: usize = 3;
const ENUM_FRAME: usize = 21;
const PER_MARKER: usize = 4;
const NEWTYPE_FRAME: usize = 18;

fn expansion(item: &str) -> String {
    pretty(derive(&parse(item)))
}

fn lines(item: &str) -> usize {
    expansion(item).lines().count()
}

#[test]
fn an_enum() {
    assert_golden("enum_value.rs", ENUM, derive);
}

#[test]
fn a_newtype() {
    assert_golden("newtype_value.rs", NEWTYPE, derive);
}

#[test]
fn a_variant_adds_three_lines() {
    let names: Vec<String> = (0..20).map(|index| format!("Variant{index},")).collect();
    let wider = ENUM.replace("Announced,", &format!("Announced, {}", names.concat()));
    assert_eq!(lines(&wider) - lines(ENUM), 20 * PER_VARIANT);
}

#[test]
fn the_frames_keep_their_budgets() {
    assert_eq!(lines(ENUM), ENUM_FRAME + 3 * PER_VARIANT);
    assert_eq!(lines(NEWTYPE), NEWTYPE_FRAME + 6 * PER_MARKER);
}

#[test]
fn mistaken_type_is_one_error_and_implements_all_markers() {
    for item in [
        "enum Colour {}",
        "struct Colour { red: u8 }",
        "union Colour { red: u8 }",
        "struct Colour(u8, u8);",
    ] {
        let text = expansion(item);
        assert_eq!(text.matches("compile_error!").count(), 1, "{text}");
        for trait_name in [
            "FieldValue",
            "Length",
            "Number",
            "PrimaryKey",
            "AssignedKey",
            "Owner",
            "Text",
        ] {
            let head = format!("impl _api::{trait_name} for Colour {{");
            assert!(text.contains(&head), "no `{head}` in {text}");
        }
        assert!(text.contains("_api::fallback::value::<Self>()"), "{text}");
    }
}

#[test]
fn valid_type_has_no_compile_error_and_no_fallback() {
    for item in [ENUM, NEWTYPE] {
        let text = expansion(item);
        assert!(!text.contains("compile_error!"), "{text}");
        assert!(!text.contains("fallback"), "{text}");
    }
}

#[test]
fn fallback_of_a_newtype_names_the_inner_type_once() {
    let text = expansion("#[resource(tabel)] struct Name(Option<Money>);");
    assert_eq!(
        text.matches("Money as _api::FieldValue").count(),
        1,
        "{text}"
    );
    assert!(!text.contains("Money: "), "{text}");
}

#[test]
fn the_fallback_of_a_generic_type_is_generic() {
    let text = expansion("struct Unit<'a, T: Clone>(&'a T) where T: Copy;");
    let head = "impl<'a, T: Clone> _api::FieldValue for Unit<'a, T>";
    assert!(text.contains(head), "{text}");
    assert!(text.contains("T: Copy,"), "{text}");
    assert!(
        text.contains("Self: ::core::marker::Send + 'static"),
        "{text}"
    );
    assert!(
        text.contains("KIND: _api::Kind = _api::Kind::Text"),
        "{text}"
    );
}
