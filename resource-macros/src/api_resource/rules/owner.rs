//! Rules for the owner of items: `owner(…)`.

use super::attribute_keys::{check_keys, is_misspelled};
use super::field_sets::report_unknown;
use crate::api_resource::model::{Attribute, Resource};
use crate::diagnostics::Diagnostics;

/// The keys inside `owner(…)` are known, well-formed, and each given once.
pub(super) fn check_owner_keys(resource: &Resource<'_>, diagnostics: &mut Diagnostics) {
    if let Some(owner) = resource.keys().owner.value() {
        check_keys(owner, "`owner`", diagnostics);
    }
}

/// The owner is in a field of the struct that is not the whole primary key.
pub(super) fn check_field(resource: &Resource<'_>, diagnostics: &mut Diagnostics) {
    // The model has no owner where the key names no field.
    let Some(owner) = resource.owner.as_ref() else {
        check_field_is_named(resource, diagnostics);
        return;
    };
    match resource.attribute(&owner.field.text) {
        Some(attribute) if attribute.is_primary_key && !attribute.is_key_part => diagnostics
            .report(
                &owner.field,
                "the primary key says which item it is, and not whose; name another field",
            ),
        // A struct without named fields is reported as such; every name would be unknown in it.
        None if !resource.attributes.is_empty() => report_unknown(
            &owner.field,
            "name a field of this struct",
            resource,
            diagnostics,
        ),
        // Either the field exists, or the struct without fields has its error already.
        Some(_) | None => {}
    }
}

fn check_field_is_named(resource: &Resource<'_>, diagnostics: &mut Diagnostics) {
    let key = &resource.keys().owner;
    // A malformed `owner` has its error already, and so has a malformed `field`.
    let Some(owner) = key.value().filter(|owner| !owner.field.is_written()) else {
        return;
    };
    if !is_misspelled("field", owner) {
        diagnostics.report(
            key.token(),
            "`owner` names no field; add `field = \"…\"` with the field that holds the owner",
        );
    }
}

/// The claim has a name.
pub(super) fn check_claim(resource: &Resource<'_>, diagnostics: &mut Diagnostics) {
    let claim = resource.keys().owner.value();
    // Without the key the claim is `sub`, which needs no check.
    let claim = claim.and_then(|owner| owner.claim.value());
    if let Some(literal) = claim.filter(|claim| claim.value().trim().is_empty()) {
        diagnostics.report(
            literal,
            "`claim` must name a claim of a token; write `claim = \"sub\"`",
        );
    }
}

/// The owner has no default, and the database does not set it: that does the service, and an item keeps its owner.
pub(super) fn check_has_no_other_role(resource: &Resource<'_>, diagnostics: &mut Diagnostics) {
    let attributes = resource.attributes.iter();
    // An owner that is the primary key is a mistake that `check_field` reports.
    let owners = attributes.filter(|it| it.is_owner && (!it.is_primary_key || it.is_key_part));
    for keys in owners.map(Attribute::keys) {
        diagnostics.refuse(
            keys.default.token(),
            "a new item belongs to the caller who creates it; remove `default`",
        );
        diagnostics.refuse(
            keys.computed.token(),
            "a new item belongs to the caller who creates it; remove `computed`",
        );
        let actions = keys
            .references
            .values()
            .filter_map(|it| it.on_delete.as_ref());
        let changing = ["set_null", "set_default"];
        for action in actions.filter(|it| changing.contains(&it.value().as_str())) {
            diagnostics.report(
                action,
                "an item keeps its owner, whom the database would change; remove `on_delete`, or name another field in \
                 `owner`",
            );
        }
        diagnostics.refuse(
            keys.default_on_update.token(),
            "an item keeps its owner; remove `default_on_update`",
        );
    }
}

/// A resource with an owner has no public operations: without a token there is no caller to own items.
pub(super) fn check_operations_have_callers(
    resource: &Resource<'_>,
    diagnostics: &mut Diagnostics,
) {
    let keys = resource.keys();
    // `public(read)` is refused as well: a reader without a token owns nothing, either.
    if keys.owner.value().is_some() && keys.public.value().is_some() {
        diagnostics.report(
            keys.public.token(),
            "who is `public` owns nothing, so there would be no items; \
             remove `public`, or `owner`",
        );
    }
}
