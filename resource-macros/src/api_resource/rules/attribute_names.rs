//! Rules for the names of attributes, in JSON, in the query language and in the companion enum.

use syn::ext::IdentExt;

use super::spelling::is_identifier;
use crate::api_resource::model::{Attribute, Resource, repeated};
use crate::diagnostics::Diagnostics;

/// The reason for which `name` cannot be the name of an attribute or subresource, if there is one.
pub(super) fn broken_rule(name: &str) -> Option<&'static str> {
    // These words are identifiers too, so they come first.
    if matches!(name, "true" | "false" | "null") {
        Some("it is a value in the query language")
    } else if is_identifier(name) {
        None
    } else {
        Some("the query language has letters, digits and `_`, no digit first")
    }
}

/// Every name can be part of JSON pointers and of the query language.
pub(super) fn check_attribute_names(resource: &Resource<'_>, diagnostics: &mut Diagnostics) {
    for attribute in &resource.attributes {
        let name = &attribute.name;
        if let Some(rule) = broken_rule(&name.text) {
            let remedy = remedy(attribute);
            diagnostics.report(
                name,
                format!("`{name}` cannot be the name of an attribute: {rule}; {remedy}"),
            );
        }
    }
}

fn remedy(attribute: &Attribute<'_>) -> &'static str {
    let keys = attribute.keys();
    if keys.rename.is_written() {
        "choose another `rename = \"…\"`"
    } else if keys.column.is_written() || is_identifier(&attribute.column.text) {
        // The column has a valid name already, so only the name in JSON has to be another.
        "add `rename = \"…\"`"
    } else {
        // The column's name comes from the same field, and is just as invalid.
        "add `rename = \"…\"` and `column = \"…\"`"
    }
}

/// No two attributes have the same name.
pub(super) fn check_attribute_names_differ(resource: &Resource<'_>, diagnostics: &mut Diagnostics) {
    for name in repeated(resource.attributes.iter().map(|attribute| &attribute.name)) {
        diagnostics.report(
            name,
            format!("two attributes are named `{name}`; give one another `rename = \"…\"`"),
        );
    }
}

/// No two fields have the same variant in the companion enum.
pub(super) fn check_variants_differ(resource: &Resource<'_>, diagnostics: &mut Diagnostics) {
    // The message spells the whole path, because the user never wrote the enum.
    let companion = format!("{}Field", resource.input.ident.unraw());
    for (index, attribute) in resource.attributes.iter().enumerate() {
        // Only earlier fields are compared, so each pair is reported once.
        let earlier = resource.attributes.iter().take(index);
        let mut namesakes = earlier.filter(|other| other.variant == attribute.variant);
        if let Some(other) = namesakes.next() {
            let (first, second) = (&other.field_name, &attribute.field_name);
            diagnostics.report(
                attribute.field,
                format!(
                    "`{first}` and `{second}` would both be `{companion}::{}`; \
                     rename a field and keep its names with `rename` and `column`",
                    attribute.variant
                ),
            );
        }
    }
}
