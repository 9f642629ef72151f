//! Rules for newtypes.

use syn::Path;
use syn::ext::IdentExt;

use crate::api_resource::model::{option_argument, without_options};
use crate::attributes::{FieldKeys, Keys};
use crate::diagnostics::{Diagnostics, type_text};
use crate::field_value::model::{FieldType, Shape};

/// A newtype holds no `Option`: only the resource's field declares that a value may be absent.
pub(super) fn check_is_not_optional(field_type: &FieldType<'_>, diagnostics: &mut Diagnostics) {
    let Shape::Newtype(field) = field_type.shape else {
        return;
    };
    if option_argument(&field.ty).is_some() {
        // The remedy moves the `Option` out of the newtype, so none of its levels stays inside.
        let inner = type_text(without_options(&field.ty));
        let name = field_type.input.ident.unraw();
        diagnostics.report(
            &field.ty,
            format!(
                "the field of a resource says whether a value may be absent; \
                 write `{inner}` here and `Option<{name}>` there"
            ),
        );
    }
}

/// A newtype has no keys of a field: limits and roles belong to an attribute, not to its type.
pub(super) fn check_has_no_field_keys(field_type: &FieldType<'_>, diagnostics: &mut Diagnostics) {
    if !matches!(field_type.shape, Shape::Newtype(_)) {
        return;
    }
    // They are unknown on a newtype, but users who write them need to hear where they belong.
    let unknown = field_type.keys().unknown().iter();
    for key in unknown.filter(|key| is_of_a_field(key)) {
        diagnostics.report(
            key,
            "the keys of a field stand in the resource; move it to the field of this type",
        );
    }
}

pub(super) fn is_of_a_field(key: &Path) -> bool {
    // The keys of fields describe themselves, so this list is always complete.
    let keys = FieldKeys::default();
    keys.describe().iter().any(|known| key.is_ident(known.name))
}

/// The field inside a newtype has no keys, either.
pub(super) fn check_field_has_no_keys(field_type: &FieldType<'_>, diagnostics: &mut Diagnostics) {
    let Shape::Newtype(field) = field_type.shape else {
        return;
    };
    for attribute in &field.attrs {
        if attribute.path().is_ident("resource") {
            diagnostics.report(
                // The whole attribute is underlined, because all that it holds belongs elsewhere.
                &attribute.meta,
                "the keys of a field stand in the resource; move them to the field of this type",
            );
        }
    }
}

/// A newtype has no keys about variants.
pub(super) fn check_has_no_case(field_type: &FieldType<'_>, diagnostics: &mut Diagnostics) {
    let (rename_all, open) = (&field_type.keys().rename_all, &field_type.keys().open);
    if matches!(field_type.shape, Shape::Newtype(_)) {
        diagnostics.refuse(
            open.token(),
            "a struct has no variants to be added; remove `open`",
        );
        diagnostics.refuse(
            rename_all.token(),
            "a struct has no variants to rename; remove `rename_all`",
        );
    }
}
