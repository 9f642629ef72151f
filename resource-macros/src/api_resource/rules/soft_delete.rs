//! Rules for the field that holds when an item was deleted: `soft_delete`.

use crate::api_resource::model::{Attribute, Name, Resource};
use crate::diagnostics::{Diagnostics, type_text};

const ONLY_DELETED: &str = "a deletion sets this field, and no client reads or writes it";

fn marked<'resource>(
    resource: &'resource Resource<'_>,
) -> impl Iterator<Item = &'resource Attribute<'resource>> {
    let attributes = resource.attributes.iter();
    attributes.filter(|attribute| attribute.keys().soft_delete.is_written())
}

/// At most one field holds when an item was deleted.
pub(super) fn check_there_is_one(resource: &Resource<'_>, diagnostics: &mut Diagnostics) {
    for second in marked(resource).skip(1) {
        diagnostics.report(
            second.keys().soft_delete.token(),
            "an item is deleted once; keep `soft_delete` on one field",
        );
    }
}

/// The field is optional, because it is null in all items that are not deleted.
pub(super) fn check_is_optional(resource: &Resource<'_>, diagnostics: &mut Diagnostics) {
    // The primary key is never optional, and has an error of its own.
    for attribute in marked(resource).filter(|it| !it.is_optional() && !it.is_primary_key) {
        let ty = type_text(attribute.ty);
        diagnostics.report(
            attribute.ty,
            format!("an item that is not deleted has no such moment; write `Option<{ty}>`"),
        );
    }
}

/// The field has no key that contradicts its role: a deletion sets it, and no client reads or writes it.
pub(super) fn check_has_no_other_role(resource: &Resource<'_>, diagnostics: &mut Diagnostics) {
    for attribute in marked(resource) {
        let keys = attribute.keys();
        if attribute.is_primary_key {
            diagnostics.report(
                keys.soft_delete.token(),
                "the primary key is no moment of a deletion; write `soft_delete` on another field",
            );
            continue;
        }
        for (name, token) in [
            ("unique", keys.unique.token()),
            ("references", keys.references.token()),
            ("read_only", keys.read_only.token()),
            ("write_only", keys.write_only.token()),
            ("read_scope", keys.read_scope.token()),
            ("write_scope", keys.write_scope.token()),
            ("default", keys.default.token()),
            ("default_on_update", keys.default_on_update.token()),
        ] {
            diagnostics.refuse(token, format!("{ONLY_DELETED}; remove `{name}`"));
        }
        let sets = resource.keys().unique.values().flat_map(|set| &set.0);
        let unique = sets.map(|field| ("unique", Name::from(field)));
        let redacted = resource
            .redacted
            .iter()
            .map(|name| ("redacts", name.clone()));
        let named = unique.chain(redacted);
        for (key, name) in named.filter(|(_, name)| name.text == attribute.field_name.text) {
            diagnostics.report(name, format!("{ONLY_DELETED}; remove it from `{key}`"));
        }
    }
}
