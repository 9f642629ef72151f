//! Rules for secrets: redacted and hidden fields, and the roles that would reveal them.

use std::collections::HashSet;

use super::check_differ;
use super::field_sets::report_unknown;
use crate::api_resource::model::{Attribute, Name, Resource};
use crate::diagnostics::Diagnostics;

/// The fields that `redacts` lists, each once, with its first name in the lists.
fn redacted<'resource>(
    resource: &'resource Resource<'_>,
) -> impl Iterator<Item = (&'resource Name, &'resource Attribute<'resource>)> {
    let mut seen = HashSet::new();
    let names = resource.redacted.iter();
    // A repeated name has an error of its own; any other error about the field is reported once.
    let distinct = names.filter(move |name| seen.insert(&name.text));
    distinct.filter_map(|name| Some((name, resource.attribute(&name.text)?)))
}

/// Every name in `redacts` is a field of the struct.
pub(super) fn check_names_are_fields(resource: &Resource<'_>, diagnostics: &mut Diagnostics) {
    // A struct without named fields is reported as such; every name would be unknown in it.
    if resource.attributes.is_empty() {
        return;
    }
    let unknown = resource.redacted.iter();
    for name in unknown.filter(|name| resource.attribute(&name.text).is_none()) {
        let mut subresources = resource.subresources.iter();
        // The name is known, though not as that of a field, so no other field is suggested.
        if subresources.any(|subresource| subresource.name.text == name.text) {
            diagnostics.report(
                name,
                format!(
                    "`{name}` is a subresource, which the validator of its own resource redacts; \
                     remove it from `redacts`"
                ),
            );
        } else {
            report_unknown(name, "name fields of this struct", resource, diagnostics);
        }
    }
}

/// Each field is named once, in one list or in several.
pub(super) fn check_names_differ(resource: &Resource<'_>, diagnostics: &mut Diagnostics) {
    let redacted = resource.redacted.iter();
    // An unknown name is reported as unknown each time, and not as repeated.
    let fields = redacted.filter(|name| resource.attribute(&name.text).is_some());
    check_differ(fields, diagnostics);
}

/// The primary key is not redacted, because clients address items by the key that responses show.
pub(super) fn check_primary_key_is_not_redacted(
    resource: &Resource<'_>,
    diagnostics: &mut Diagnostics,
) {
    for (name, attribute) in redacted(resource) {
        if attribute.is_primary_key {
            diagnostics.report(
                name,
                "items are addressed by the primary key; remove it from `redacts`",
            );
        }
    }
}

/// A redacted field is returned to clients at all.
pub(super) fn check_redacted_is_returned(resource: &Resource<'_>, diagnostics: &mut Diagnostics) {
    for (name, attribute) in redacted(resource) {
        if is_hidden(attribute) {
            diagnostics.report(
                name,
                format!(
                    "`{name}` is `write_only`, so it is never returned anyway; \
                     remove it from `redacts`"
                ),
            );
        }
    }
}

/// The key of a subresource is not redacted, because the expanded subresource would show it.
pub(super) fn check_keys_are_not_redacted(resource: &Resource<'_>, diagnostics: &mut Diagnostics) {
    // A primary key and a `write_only` field in `redacts` are reported by the rules above.
    let shown = redacted(resource)
        .filter(|(_, attribute)| !attribute.is_primary_key && !is_hidden(attribute));
    for (name, _) in shown {
        let is_key = |key: &Name| key.text == name.text;
        let mut subresources = resource.subresources.iter();
        // One subresource is enough for the error, even if several share the key.
        let subresource = subresources.find(|subresource| subresource.keys.iter().any(is_key));
        if let Some(subresource) = subresource {
            diagnostics.report(
                name,
                format!(
                    "the subresource `{}` would show it; remove it from `redacts`, \
                     or the subresource",
                    subresource.name.text
                ),
            );
        }
    }
}

/// Tells that the field is `write_only`; for a primary key that is a mistake of its own.
fn is_hidden(attribute: &Attribute<'_>) -> bool {
    !attribute.is_primary_key && attribute.keys().write_only.value().is_some()
}

const REMEDY: &str = "the error for a value that is taken would tell which values there are; \
                      remove `unique`, or let clients read the field";

/// A secret is not unique: a conflict would reveal to a client that another item has this value.
pub(super) fn check_secrets_are_not_unique(resource: &Resource<'_>, diagnostics: &mut Diagnostics) {
    for attribute in resource.attributes.iter().filter(|it| is_secret(it)) {
        let unique = &attribute.keys().unique;
        if unique.is_written() {
            let name = &attribute.field_name;
            diagnostics.report(unique.token(), format!("`{name}` is hidden, but {REMEDY}"));
        }
    }
    // A set reveals its secret, too: a client can keep the other values and try out this one.
    let sets = resource.keys().unique.values();
    for field in sets.flat_map(|set| &set.0) {
        let name = Name::from(field);
        if resource.attribute(&name.text).is_some_and(is_secret) {
            diagnostics.report(field, format!("`{name}` is hidden, but {REMEDY}"));
        }
    }
}

/// Tells that some clients may not read the field. A hidden primary key is a mistake of its own, and so
/// is an owner that only some may read.
fn is_secret(attribute: &Attribute<'_>) -> bool {
    let is_hidden = attribute.is_redacted || attribute.keys().write_only.is_written();
    let is_hidden_from_some = attribute.read_scope.is_some() && !attribute.is_owner;
    (is_hidden || is_hidden_from_some) && !attribute.is_primary_key
}
