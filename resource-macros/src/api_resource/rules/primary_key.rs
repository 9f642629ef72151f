//! Rules for the primary key.

use crate::api_resource::model::{Attribute, Resource, option_argument};
use crate::diagnostics::{Diagnostics, type_text};

pub(super) fn primary_keys<'resource>(
    resource: &'resource Resource<'_>,
) -> impl Iterator<Item = &'resource Attribute<'resource>> {
    resource
        .attributes
        .iter()
        .filter(|attribute| attribute.is_primary_key)
}

/// The most parts of a primary key, for which tuples are keys.
const MAX_PARTS: usize = 8;

/// A resource has a primary key, of not too many parts.
pub(super) fn check_there_is_one(resource: &Resource<'_>, diagnostics: &mut Diagnostics) {
    // A further part is always a marked one: without marks only the field `id` is a key.
    for further in primary_keys(resource).skip(MAX_PARTS) {
        diagnostics.report(
            further.keys().primary_key.token(),
            format!(
                "a primary key has at most {MAX_PARTS} parts; keep `primary_key` on fewer fields"
            ),
        );
    }
    // A field whose keys cannot be read may be the one that is marked as primary key.
    let is_readable = |attribute: &Attribute<'_>| attribute.written.unreadable.is_empty();
    let has_fields = !resource.attributes.is_empty() && resource.attributes.iter().all(is_readable);
    if has_fields && primary_keys(resource).next().is_none() {
        diagnostics.report(
            &resource.input.ident,
            "no primary key; name a field `id` or mark one with `#[resource(primary_key)]`",
        );
    }
}

/// The primary key is not optional, because every item has an address.
pub(super) fn check_is_not_optional(resource: &Resource<'_>, diagnostics: &mut Diagnostics) {
    for attribute in primary_keys(resource) {
        // Nested options have their own error at the same type.
        let inner = option_argument(attribute.ty).filter(|ty| option_argument(ty).is_none());
        if let Some(inner) = inner {
            let why = if attribute.is_key_part {
                "every item has all parts of its primary key"
            } else {
                "every item has a primary key"
            };
            diagnostics.report(attribute.ty, format!("{why}; write `{}`", type_text(inner)));
        }
    }
}

/// The primary key has no keys that contradict its role or repeat it.
pub(super) fn check_has_no_other_role(resource: &Resource<'_>, diagnostics: &mut Diagnostics) {
    for attribute in primary_keys(resource) {
        let keys = attribute.keys();
        // Each key has an error of its own, because each has another remedy.
        diagnostics.refuse(
            keys.write_only.token(),
            "items are addressed by the primary key; remove `write_only`",
        );
        diagnostics.refuse(
            keys.default_on_update.token(),
            "a primary key never changes; remove `default_on_update`",
        );
        // One part alone may be shared by items, and is found by itself only where it is the first.
        if !attribute.is_key_part {
            diagnostics.refuse(
                keys.unique.token(),
                "a primary key is unique by itself; remove `unique`",
            );
            diagnostics.refuse(
                keys.index.token(),
                "a primary key is found by itself; remove `index`",
            );
        }
        if !attribute.is_assigned_key() {
            diagnostics.refuse(
                keys.references.token(),
                "a primary key that the database assigns references nothing; add `assigned`, or write `references` on \
                 another field",
            );
        }
    }
}

/// The primary key is not `read_only`: `assigned` alone decides that clients write it.
pub(super) fn check_is_not_read_only(resource: &Resource<'_>, diagnostics: &mut Diagnostics) {
    for attribute in primary_keys(resource) {
        let keys = attribute.keys();
        // Both keys are about who writes the primary key, so the remedy depends on the other one.
        let message = if attribute.is_key_part {
            "clients write all parts of a primary key; remove `read_only`"
        } else if keys.assigned.is_written() {
            "`assigned` means that clients write the primary key; remove `assigned` or `read_only`"
        } else {
            "a primary key is never written by clients anyway; remove `read_only`"
        };
        diagnostics.refuse(keys.read_only.token(), message);
    }
}

/// Only the primary key is `assigned`.
pub(super) fn check_nothing_else_is_assigned(
    resource: &Resource<'_>,
    diagnostics: &mut Diagnostics,
) {
    // Without a primary key, `assigned` may stand on the field that should be it.
    let Some(primary_key) = primary_keys(resource).next() else {
        return;
    };
    let others = resource
        .attributes
        .iter()
        .filter(|attribute| !attribute.is_primary_key);
    for keys in others.map(Attribute::keys) {
        diagnostics.refuse(
            keys.assigned.token(),
            format!(
                "only the primary key can be `assigned`; move it to `{}` or remove it",
                primary_key.field_name
            ),
        );
    }
}
