//! Rules for subresources and collections: their keys and their names.

use std::collections::{HashMap, HashSet};

use super::attribute_names::broken_rule;
use super::check_differ;
use super::field_sets::report_unknown;
use crate::api_resource::model::{Attribute, Name, Resource, Subresource, reference_to};
use crate::attributes::{Key, References};
use crate::diagnostics::{Diagnostics, type_text};

/// A subresource has at least one key field, and names none twice; a collection has at least one column.
pub(super) fn check_keys_are_distinct(resource: &Resource<'_>, diagnostics: &mut Diagnostics) {
    for Subresource { name, keys, .. } in &resource.subresources {
        // The brackets around several keys may be empty: `address = []`.
        if keys.is_empty() {
            diagnostics.report(
                name,
                format!("`{name}` has no key; name the fields that hold it: `{name} = \"…\"`"),
            );
        }
        check_differ(keys, diagnostics);
    }
    for (name, _) in resource
        .collections
        .iter()
        .filter(|(_, columns)| columns.is_empty())
    {
        diagnostics.report(
            name,
            format!("`{name}` has no column; name those that refer to this resource: `{name} = …`"),
        );
    }
}

/// Every key is a field with `references`.
pub(super) fn check_keys_reference(resource: &Resource<'_>, diagnostics: &mut Diagnostics) {
    // A struct without named fields is reported as such; every name would be unknown in it.
    if resource.attributes.is_empty() {
        return;
    }
    let subresources = resource.subresources.iter();
    for key in subresources.flat_map(|subresource| &subresource.keys) {
        // Keys name fields as Rust does, whatever `rename` makes of them in JSON.
        let Some(attribute) = resource.attribute(&key.text) else {
            report_unknown(key, "name a field of this struct", resource, diagnostics);
            continue;
        };
        // A field whose keys cannot be read may have `references` among them.
        let is_readable = attribute.written.unreadable.is_empty();
        if is_readable && !attribute.keys().references.is_written() {
            diagnostics.report(
                key,
                format!(
                    "`{key}` references no resource; \
                     add `#[resource(references = …)]` with its type to the field"
                ),
            );
        }
    }
}

/// The key of a subresource is not hidden, because the expanded subresource would show it.
pub(super) fn check_keys_are_not_hidden(resource: &Resource<'_>, diagnostics: &mut Diagnostics) {
    for Subresource { name, keys, .. } in &resource.subresources {
        let attributes = keys.iter().filter_map(|key| resource.attribute(&key.text));
        for keys in attributes.map(Attribute::keys) {
            // A malformed `write_only` has its own error already.
            let write_only = keys.write_only.value().and(keys.write_only.token());
            // A scope hides the field from some callers, whether its text is right or not.
            let hiding = [
                ("write_only", write_only),
                ("read_scope", keys.read_scope.token()),
            ];
            for (key, token) in hiding {
                diagnostics.refuse(
                    token,
                    format!(
                        "the subresource `{name}` would show it; remove `{key}`, \
                         or the subresource"
                    ),
                );
            }
        }
    }
}

/// A field references no resource twice.
pub(super) fn check_references_differ(resource: &Resource<'_>, diagnostics: &mut Diagnostics) {
    for attribute in &resource.attributes {
        let mut seen = HashSet::new();
        for References { target, .. } in attribute.keys().references.values() {
            let (name, text) = (&attribute.field_name, type_text(target));
            if !seen.insert(text.clone()) {
                let message = format!("`{name}` references `{text}` twice; remove one");
                diagnostics.report(target, message);
            }
        }
    }
}

/// All keys of a subresource reference the same resource, and no other one.
pub(super) fn check_keys_share_a_target(resource: &Resource<'_>, diagnostics: &mut Diagnostics) {
    for subresource in &resource.subresources {
        let shared = resource.shared_targets(subresource).into_iter();
        let shared: Vec<String> = shared.map(type_text).collect();
        // One that is named twice has an error of its own.
        if let [one, other, ..] = shared.as_slice()
            && one != other
        {
            let name = &subresource.name;
            diagnostics.report(
                name,
                format!("`{name}` may be `{one}` or `{other}`, which its keys reference both; name other keys"),
            );
        }
        // The first key with a known target decides, so that only the others are reported.
        let mut keys = key_references(resource, subresource);
        let Some(first) = keys.next().and_then(|(_, first)| first.value()) else {
            continue;
        };
        let others = keys.filter(|_| shared.is_empty());
        let others = others.filter(|(_, other)| reference_to(other, &first.target).is_none());
        for (key, other) in others.filter_map(|(key, other)| Some((key, other.value()?))) {
            let (expected, found) = (type_text(&first.target), type_text(&other.target));
            diagnostics.report(
                key,
                format!(
                    "`{key}` references `{found}` and the first key `{expected}`; \
                     name keys that reference one type"
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
    let subresources = resource.subresources.iter();
    // A single key may leave the attribute out: it then holds the primary key of the target.
    let several = subresources.filter(|subresource| subresource.keys.len() > 1);
    for subresource in several {
        let target = resource.target(subresource);
        let keys = key_references(resource, subresource).map(|(key, all)| {
            let shared = target.and_then(|target| reference_to(all, target));
            Some((key, shared.or(all.value())?))
        });
        for (key, references) in keys.flatten() {
            if references.attribute.is_none() {
                let target = type_text(&references.target);
                diagnostics.report(
                    key,
                    format!(
                        "`{key}` does not say which attribute it holds; \
                         write `references({target}, …)` on the field"
                    ),
                );
            }
        }
    }
}

/// The keys whose references are known; the others have errors already.
fn key_references<'resource>(
    resource: &'resource Resource<'_>,
    subresource: &'resource Subresource,
) -> impl Iterator<Item = (&'resource Name, &'resource Key<References>)> {
    subresource.keys.iter().filter_map(|key| {
        let attribute = resource.attribute(&key.text)?;
        let references = &attribute.keys().references;
        references.value().map(|_| (key, references))
    })
}

/// Names of subresources and collections keep the rules for names of attributes, beside which they are used.
pub(super) fn check_subresource_names(resource: &Resource<'_>, diagnostics: &mut Diagnostics) {
    for (name, what) in members(resource) {
        if let Some(rule) = broken_rule(&name.text) {
            diagnostics.report(
                name,
                format!("`{name}` cannot be the name of a {what}: {rule}; choose another"),
            );
        }
    }
}

/// Every subresource and collection has a name that no attribute and no other of them has.
pub(super) fn check_subresource_names_differ(
    resource: &Resource<'_>,
    diagnostics: &mut Diagnostics,
) {
    let mut seen = HashMap::new();
    for (name, what) in members(resource) {
        // All are members of the same JSON object, so their names must differ from each other, too.
        let mut attributes = resource.attributes.iter();
        if attributes.any(|attribute| attribute.name.text == name.text) {
            diagnostics.report(
                name,
                format!("`{name}` is the name of an attribute; give the {what} another"),
            );
        } else if let Some(other) = seen.insert(&name.text, what) {
            let message = if other == what {
                format!("two {what}s are named `{name}`; give one another name")
            } else {
                format!("`{name}` is the name of a {other}; give the {what} another")
            };
            diagnostics.report(name, message);
        }
    }
}

/// The names of subresources and collections, each with the word for it.
fn members<'resource>(
    resource: &'resource Resource<'_>,
) -> impl Iterator<Item = (&'resource Name, &'static str)> {
    let subresources = resource.subresources.iter();
    let subresources = subresources.map(|it| (&it.name, "subresource"));
    let collections = resource.collections.iter();
    subresources.chain(collections.map(|(name, _)| (name, "collection")))
}
