//! Rules for subresources: their keys and their names.

use std::collections::HashSet;

use syn::TypePath;

use super::attribute_names::broken_rule;
use super::field_sets::report_unknown;
use crate::api_resource::model::{Attribute, Name, Resource, Subresource};
use crate::attributes::References;
use crate::diagnostics::{Diagnostics, type_text};

/// A subresource has at least one key field, and names none twice.
pub(super) fn check_keys_are_distinct(resource: &Resource<'_>, diagnostics: &mut Diagnostics) {
    for Subresource { name, keys } in &resource.subresources {
        if keys.is_empty() {
            diagnostics.report(
                name,
                format!(
                    "`{}` has no key; name the fields that hold it: `{} = \"…\"`",
                    name.text, name.text
                ),
            );
        }
        let mut seen = HashSet::new();
        for key in keys.iter().filter(|key| !seen.insert(&key.text)) {
            diagnostics.report(key, format!("`{}` is named twice; remove one", key.text));
        }
    }
}

/// Every key is a field with `references`.
pub(super) fn check_keys_reference(resource: &Resource<'_>, diagnostics: &mut Diagnostics) {
    if resource.attributes.is_empty() {
        return;
    }
    for key in resource
        .subresources
        .iter()
        .flat_map(|subresource| &subresource.keys)
    {
        let text = &key.text;
        let Some(attribute) = resource.attribute(text) else {
            report_unknown(key, "name a field of this struct", resource, diagnostics);
            continue;
        };
        let is_readable = attribute.written.unreadable.is_empty();
        if is_readable && !attribute.keys().references.is_written() {
            diagnostics.report(
                key,
                format!(
                    "`{text}` references no resource; \
                     add `#[resource(references = …)]` with its type to the field"
                ),
            );
        }
    }
}

/// The key of a subresource is not hidden, because the expanded subresource would show it.
pub(super) fn check_keys_are_not_hidden(resource: &Resource<'_>, diagnostics: &mut Diagnostics) {
    for Subresource { name, keys } in &resource.subresources {
        let attributes = keys.iter().filter_map(|key| resource.attribute(&key.text));
        for keys in attributes.map(Attribute::keys) {
            let write_only = keys.write_only.value().and(keys.write_only.token());
            let hiding = [
                ("write_only", write_only),
                ("read_scope", keys.read_scope.token()),
            ];
            for (key, token) in hiding {
                if token.is_some() {
                    diagnostics.report(
                        token,
                        format!(
                            "the subresource `{}` would show it; remove `{key}`, \
                             or the subresource",
                            name.text
                        ),
                    );
                }
            }
        }
    }
}

/// All keys of a subresource reference the same resource.
pub(super) fn check_keys_share_a_target(resource: &Resource<'_>, diagnostics: &mut Diagnostics) {
    for subresource in &resource.subresources {
        let mut keys = key_references(resource, subresource);
        let Some((_, first)) = keys.next() else {
            continue;
        };
        for (key, other) in keys.filter(|(_, other)| !is_same(&other.target, &first.target)) {
            let (expected, found) = (type_text(&first.target), type_text(&other.target));
            diagnostics.report(
                key,
                format!(
                    "`{}` references `{found}` and the first key `{expected}`; \
                     name keys that reference one type",
                    key.text
                ),
            );
        }
    }
}

/// Each of several keys names the attribute of the target that it holds.
pub(super) fn check_several_keys_name_attributes(
    resource: &Resource<'_>,
    diagnostics: &mut Diagnostics,
) {
    let several = resource
        .subresources
        .iter()
        .filter(|subresource| subresource.keys.len() > 1);
    for (key, references) in several.flat_map(|subresource| key_references(resource, subresource)) {
        if references.attribute.is_none() {
            let target = type_text(&references.target);
            diagnostics.report(
                key,
                format!(
                    "`{}` does not say which attribute it holds; \
                     write `references({target}, …)` on the field",
                    key.text
                ),
            );
        }
    }
}

/// The keys whose references are known; the others have errors already.
fn key_references<'resource>(
    resource: &'resource Resource<'_>,
    subresource: &'resource Subresource,
) -> impl Iterator<Item = (&'resource Name, &'resource References)> {
    subresource.keys.iter().filter_map(|key| {
        let attribute = resource.attribute(&key.text)?;
        Some((key, attribute.keys().references.value()?))
    })
}

fn is_same(left: &TypePath, right: &TypePath) -> bool {
    type_text(left) == type_text(right)
}

/// Names of subresources keep the rules for names of attributes, beside which they are used.
pub(super) fn check_subresource_names(resource: &Resource<'_>, diagnostics: &mut Diagnostics) {
    for name in resource
        .subresources
        .iter()
        .map(|subresource| &subresource.name)
    {
        if let Some(rule) = broken_rule(&name.text) {
            diagnostics.report(
                name,
                format!(
                    "`{}` cannot be the name of a subresource: {rule}; choose another",
                    name.text
                ),
            );
        }
    }
}

/// Every subresource has a name that no attribute and no other subresource has.
pub(super) fn check_subresource_names_differ(
    resource: &Resource<'_>,
    diagnostics: &mut Diagnostics,
) {
    let names = resource
        .attributes
        .iter()
        .map(|attribute| &attribute.name.text);
    let attributes: HashSet<&String> = names.collect();
    let mut seen = HashSet::new();
    for name in resource
        .subresources
        .iter()
        .map(|subresource| &subresource.name)
    {
        let text = &name.text;
        if attributes.contains(text) {
            diagnostics.report(
                name,
                format!("`{text}` is the name of an attribute; give the subresource another"),
            );
        } else if !seen.insert(text) {
            diagnostics.report(
                name,
                format!("two subresources are named `{text}`; give one another name"),
            );
        }
    }
}
