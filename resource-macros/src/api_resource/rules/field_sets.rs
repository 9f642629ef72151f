//! Rules for sets of fields: `unique(…)` and `index(…)` on a struct.

use std::collections::HashSet;

use syn::Ident;

use super::primary_key::primary_keys;
use crate::api_resource::model::{Name, Resource};
use crate::diagnostics::{Diagnostics, did_you_mean};

/// A set of `unique` or `index` has several different fields.
pub(super) fn check_field_sets(resource: &Resource<'_>, diagnostics: &mut Diagnostics) {
    // A struct without named fields is reported as such; every name would be unknown in it.
    if resource.attributes.is_empty() {
        return;
    }
    let keys = resource.keys();
    for (key, sets) in [("unique", &keys.unique), ("index", &keys.index)] {
        for set in sets.values() {
            match set.0.as_slice() {
                // For one field there is one spelling: the key on the field itself.
                [only] => diagnostics.report(
                    only,
                    format!(
                        "`{key}` on a struct takes several fields; \
                         for one field write `{key}` on `{only}`"
                    ),
                ),
                // A list without any name is malformed and never gets here.
                fields => {
                    check_set(fields, resource, diagnostics);
                    if key == "unique" {
                        check_is_no_key(fields, resource, diagnostics);
                    }
                }
            }
        }
    }
}

fn check_set(fields: &[Ident], resource: &Resource<'_>, diagnostics: &mut Diagnostics) {
    let mut seen = HashSet::new();
    for field in fields {
        let name = Name::from(field);
        // An unknown name is reported as unknown each time, and not as repeated.
        if resource.attribute(&name.text).is_none() {
            report_unknown(&name, "name fields of this struct", resource, diagnostics);
        } else if seen.contains(&name.text) {
            diagnostics.report(&name, format!("`{name}` is named twice; remove one"));
        }
        seen.insert(name.text);
    }
}

/// A set of `unique` is not the primary key, which would get a second index.
fn check_is_no_key(fields: &[Ident], resource: &Resource<'_>, diagnostics: &mut Diagnostics) {
    let mut keys: Vec<&str> = primary_keys(resource)
        .map(|it| &*it.field_name.text)
        .collect();
    let names: Vec<Name> = fields.iter().map(Name::from).collect();
    let mut names: Vec<&str> = names.iter().map(|it| &*it.text).collect();
    keys.sort_unstable();
    names.sort_unstable();
    if let (true, Some(first)) = (keys == names, fields.first()) {
        diagnostics.report(
            first,
            "these fields are the primary key, which is unique by itself; remove this `unique(…)`",
        );
    }
}

/// Reports that no field has `name`, with the nearest that does, or `otherwise`.
pub(super) fn report_unknown(
    name: &Name,
    otherwise: &str,
    resource: &Resource<'_>,
    diagnostics: &mut Diagnostics,
) {
    let attributes = resource.attributes.iter();
    let names = attributes.map(|attribute| &attribute.field_name.text);
    let remedy = did_you_mean(&name.text, names, otherwise);
    diagnostics.report(name, format!("no field `{name}`{remedy}"));
}
