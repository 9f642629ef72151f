//! The rules of a field type, one function for each.
//!
//! A rule only reports; it never stops the others, and is itself silent where the mistake that it would
//! report follows from one already reported.

mod newtype;
mod shape;

use super::model::{Case, FieldType, Shape};
use crate::api_resource::model::repeated;
use crate::api_resource::rules::{check_keyed, check_known, check_written};
use crate::attributes::Keys;
use crate::diagnostics::{Diagnostics, did_you_mean, quoted_list};
use newtype::is_of_a_field;

type Rule = fn(&FieldType<'_>, &mut Diagnostics);

/// All rules, from the whole to its parts.
const RULES: &[Rule] = &[
    shape::check_is_enum_or_newtype,
    shape::check_is_not_generic,
    shape::check_has_variants,
    shape::check_variants_have_no_fields,
    newtype::check_is_not_optional,
    newtype::check_has_no_field_keys,
    newtype::check_field_has_no_keys,
    newtype::check_has_no_case,
    check_container_keys,
    check_variant_keys,
    check_case,
    check_names_are_text,
    check_names_differ,
];

/// The mistakes of `field_type`.
pub(super) fn check(field_type: &FieldType<'_>) -> Diagnostics {
    let mut diagnostics = Diagnostics::default();
    for rule in RULES {
        rule(field_type, &mut diagnostics);
    }
    diagnostics
}

/// The keys of the type are known, well-formed, and each given once.
///
/// The keys of a type that cannot have the derive at all are not checked.
fn check_container_keys(field_type: &FieldType<'_>, diagnostics: &mut Diagnostics) {
    if matches!(field_type.shape, Shape::Other) {
        return;
    }
    // A newtype has its own rules for `rename_all` and for keys of fields, with better remedies than here.
    if matches!(field_type.shape, Shape::Newtype(_)) {
        diagnostics.adopt(&field_type.written.unreadable);
        // An error about an unknown key must not suggest a key that a newtype cannot have.
        let mut known = field_type.keys().describe();
        known.retain(|key| !["rename_all", "open"].contains(&key.name));
        let unknown = field_type.keys().unknown().iter();
        // Keys of fields are left to the rule for newtypes, which tells where they belong.
        let unknown = unknown.filter(|key| !is_of_a_field(key));
        check_known(unknown, &known, "a struct around one type", diagnostics);
        check_written(&known, diagnostics);
    } else {
        check_keyed(&field_type.written, "an enum", diagnostics);
    }
}

/// The keys of the variants are known, well-formed, and each given once.
fn check_variant_keys(field_type: &FieldType<'_>, diagnostics: &mut Diagnostics) {
    for variant in field_type.variants() {
        check_keyed(&variant.written, "a variant", diagnostics);
    }
}

/// The case in `rename_all` exists.
fn check_case(field_type: &FieldType<'_>, diagnostics: &mut Diagnostics) {
    let is_enum = matches!(field_type.shape, Shape::Enum(_));
    let case = field_type.keys().rename_all.value();
    // On a newtype the whole key is refused, so its case does not matter.
    let Some(literal) = case.filter(|_| is_enum) else {
        return;
    };
    // The spelling of a case has to be exact, as it is with serde.
    let written = literal.value();
    let names = Case::ALL.map(|case| case.name);
    if !names.contains(&&*written) {
        let otherwise = format!("the cases are {}", quoted_list(names));
        let remedy = did_you_mean(&written, names, &otherwise);
        diagnostics.report(literal, format!("unknown case `{written}`{remedy}"));
    }
}

/// Every name of a variant is a readable text, and not empty.
fn check_names_are_text(field_type: &FieldType<'_>, diagnostics: &mut Diagnostics) {
    for name in field_type.variants().iter().map(|variant| &variant.name) {
        // U+0000 is among the control characters; PostgreSQL cannot store it in a text.
        if name.text.is_empty() || name.text.contains(char::is_control) {
            diagnostics.report(
                name,
                "the name of a variant must not be empty or hold control characters; \
                 choose another `rename = \"…\"`",
            );
        }
    }
}

/// No two variants have the same name.
fn check_names_differ(field_type: &FieldType<'_>, diagnostics: &mut Diagnostics) {
    for name in repeated(field_type.variants().iter().map(|variant| &variant.name)) {
        diagnostics.report(
            name,
            format!("two variants are named `{name}`; give one another `rename = \"…\"`"),
        );
    }
}
