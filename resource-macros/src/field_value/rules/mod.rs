//! What is forbidden, one function a rule. A rule only reports; it never stops the others, and is
//! itself silent where the mistake that it would report follows from one already reported.

mod keys;
mod names;
mod newtype;
mod shape;

use super::model::FieldType;
use crate::diagnostics::Diagnostics;

type Rule = fn(&FieldType<'_>, &mut Diagnostics);

/// Everything that is checked, from the whole to its parts.
const RULES: &[Rule] = &[
    shape::check_is_enum_or_newtype,
    shape::check_is_not_generic,
    shape::check_has_variants,
    shape::check_variants_have_no_fields,
    newtype::check_is_not_optional,
    newtype::check_has_no_field_keys,
    newtype::check_field_has_no_keys,
    newtype::check_has_no_case,
    keys::check_container_keys,
    keys::check_variant_keys,
    names::check_case,
    names::check_names_are_text,
    names::check_names_differ,
];

/// The mistakes of `field_type`.
pub(super) fn check(field_type: &FieldType<'_>) -> Diagnostics {
    let mut diagnostics = Diagnostics::default();
    for rule in RULES {
        rule(field_type, &mut diagnostics);
    }
    diagnostics
}
