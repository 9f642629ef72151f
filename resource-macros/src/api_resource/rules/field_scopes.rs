//! Rules for the access to fields: `read_only`, `write_only`, `read_scope` and `write_scope`.

use crate::api_resource::model::{Attribute, Operation, Resource};
use crate::diagnostics::Diagnostics;

/// A field has no scope that is never needed: none to read a `write_only` field, and none to write a `read_only`
/// one.
pub(super) fn check_scopes_are_not_superfluous(
    resource: &Resource<'_>,
    diagnostics: &mut Diagnostics,
) {
    for attribute in resource.attributes.iter().filter(|it| is_ordinary(it)) {
        let keys = attribute.keys();
        // Only well-formed flags count: a malformed one has an error already.
        diagnostics.refuse(
            keys.read_scope
                .token()
                .filter(|_| keys.write_only.value().is_some()),
            "`write_only` and `read_scope` exclude each other; remove one",
        );
        diagnostics.refuse(
            keys.write_scope
                .token()
                .filter(|_| keys.read_only.value().is_some()),
            "`read_only` and `write_scope` exclude each other; remove one",
        );
    }
}

/// A field that is hidden from some callers is not required: the error for a missing value would reveal the field
/// to them.
pub(super) fn check_hidden_fields_are_filled(
    resource: &Resource<'_>,
    diagnostics: &mut Diagnostics,
) {
    // An update requires no attribute, so only a creation can report a missing value.
    if !resource.operations.contains(&Operation::Create) {
        return;
    }
    for attribute in resource.attributes.iter().filter(|it| is_ordinary(it)) {
        let keys = attribute.keys();
        // One scope alone hides nothing: a caller without it may still write, or read, the field.
        let is_hidden = keys.read_scope.is_written() && keys.write_scope.is_written();
        let is_filled = attribute.is_optional() || keys.default.is_written();
        if is_hidden && !is_filled {
            diagnostics.report(
                keys.write_scope.token(),
                "a required field with `read_scope` and `write_scope` would be told of to those who \
                 have neither, when they create an item; make it an `Option`, or add `default = …`",
            );
        }
    }
}

/// Tells that the field is neither the primary key nor the owner, which have rules of their own.
fn is_ordinary(attribute: &Attribute<'_>) -> bool {
    !attribute.is_primary_key && !attribute.is_owner
}

/// The primary key has no scopes of its own: every item is addressed by it, and it never changes.
pub(super) fn check_primary_key_has_none(resource: &Resource<'_>, diagnostics: &mut Diagnostics) {
    let attributes = resource.attributes.iter();
    for attribute in attributes.filter(|attribute| attribute.is_primary_key) {
        let keys = attribute.keys();
        // Clients send only an `assigned` key, so only there a scope of creation is a remedy.
        let of_write = if keys.assigned.is_written() || attribute.is_key_part {
            "the primary key is written by creating an item; \
             write `scopes(create = …)` on the struct"
        } else {
            "a primary key is never written by clients anyway; remove `write_scope`"
        };
        let of_read = "items are addressed by the primary key; remove `read_scope`";
        diagnostics.refuse(keys.read_scope.token(), of_read);
        diagnostics.refuse(keys.write_scope.token(), of_write);
    }
}

/// The owner has no scopes of its own: access to it follows from the owner rule.
pub(super) fn check_owner_has_none(resource: &Resource<'_>, diagnostics: &mut Diagnostics) {
    let attributes = resource.attributes.iter();
    // An owner that is the primary key has its error from the rule about owners.
    for attribute in attributes.filter(|it| it.is_owner && !it.is_primary_key) {
        let keys = attribute.keys();
        let of_read = "items are found by their owner; remove `read_scope`, \
                       or hide the field from everybody by `write_only`";
        let of_write = "who may write the owner is said by `bypass` of `owner`; \
                        remove `write_scope`";
        diagnostics.refuse(keys.read_scope.token(), of_read);
        diagnostics.refuse(keys.write_scope.token(), of_write);
    }
}

/// Every attribute can be read or written by clients.
pub(super) fn check_read_only_or_write_only(
    resource: &Resource<'_>,
    diagnostics: &mut Diagnostics,
) {
    let attributes = resource.attributes.iter();
    // On a primary key, each of the two flags has an error of its own.
    for attribute in attributes.filter(|attribute| !attribute.is_primary_key) {
        let keys = attribute.keys();
        if keys.read_only.value().is_some() && keys.write_only.value().is_some() {
            diagnostics.report(
                keys.write_only.token(),
                "`read_only` and `write_only` exclude each other; remove one",
            );
        }
    }
}

/// A `read_only` attribute is optional or has a default, because clients cannot set it on creation; the
/// owner is set from the caller's token.
pub(super) fn check_read_only_can_be_created(
    resource: &Resource<'_>,
    diagnostics: &mut Diagnostics,
) {
    for attribute in resource.attributes.iter().filter(|it| is_ordinary(it)) {
        let keys = attribute.keys();
        // Null or the default is stored where no client can send a value.
        let is_filled = attribute.is_optional() || keys.default.is_written();
        if keys.read_only.value().is_some() && !is_filled {
            diagnostics.report(
                keys.read_only.token(),
                "a required `read_only` field leaves no way to create an item; make it an `Option` or add `default = …`",
            );
        }
    }
}
