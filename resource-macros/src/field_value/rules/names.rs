use std::collections::HashSet;

use crate::diagnostics::{Diagnostics, did_you_mean, quoted_list};
use crate::field_value::model::{Case, FieldType, Shape};

/// The case of all names is one that there is.
pub(super) fn check_case(field_type: &FieldType<'_>, diagnostics: &mut Diagnostics) {
    let is_enum = matches!(field_type.shape, Shape::Enum(_));
    let case = field_type.keys().rename_all.value();
    let Some(literal) = case.filter(|_| is_enum) else {
        return;
    };
    let written = literal.value();
    if Case::named(&written).is_none() {
        let names = Case::ALL.map(Case::name);
        let otherwise = format!("the cases are {}", quoted_list(names));
        let remedy = did_you_mean(&written, names, &otherwise);
        diagnostics.report(literal, format!("unknown case `{written}`{remedy}"));
    }
}

/// A name can be read, and told from none.
pub(super) fn check_names_are_text(field_type: &FieldType<'_>, diagnostics: &mut Diagnostics) {
    for name in field_type.variants().iter().map(|variant| &variant.name) {
        if name.text.is_empty() || name.text.contains(char::is_control) {
            diagnostics.report(
                name,
                "the name of a variant must not be empty or hold control characters; \
                 choose another `rename = \"…\"`",
            );
        }
    }
}

/// A name tells which variant is meant.
pub(super) fn check_names_differ(field_type: &FieldType<'_>, diagnostics: &mut Diagnostics) {
    let mut seen = HashSet::new();
    for name in field_type.variants().iter().map(|variant| &variant.name) {
        if !seen.insert(&name.text) {
            diagnostics.report(
                name,
                format!(
                    "two variants are named `{}`; give one another `rename = \"…\"`",
                    name.text
                ),
            );
        }
    }
}
