//! Rules for the names of attributes, in JSON, in the query language and in Rust.

use syn::ext::IdentExt;

use super::spelling::is_identifier;
use crate::api_resource::model::{Attribute, Name, Resource, repeated};
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

/// No two attributes or subresources have the same constant.
pub(super) fn check_constants_differ(resource: &Resource<'_>, diagnostics: &mut Diagnostics) {
    let attributes = resource.attributes.iter();
    let attributes = attributes.map(|it| (&it.field_name, &it.constant));
    let subresources = resource.subresources.iter();
    let subresources = subresources.map(|it| (&it.name, &it.constant));
    let constants: Vec<_> = attributes.chain(subresources).collect();
    for (index, (second, constant)) in constants.iter().enumerate() {
        // Only earlier ones are compared, so each pair is reported once. Equal names have an error of their own.
        let mut earlier = constants.iter().take(index);
        let collides = |first: &Name, other| other == constant && first.text != second.text;
        if let Some((first, _)) = earlier.find(|(first, other)| collides(first, other)) {
            // The message spells the whole path, because the user never wrote the constant.
            let path = format!("{}::{constant}", resource.input.ident.unraw());
            diagnostics.report(
                second,
                format!("`{first}` and `{second}` would both be `{path}`; give a field `constant = OTHER_NAME`"),
            );
        }
    }
}
