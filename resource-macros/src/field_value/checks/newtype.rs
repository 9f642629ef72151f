use syn::ext::IdentExt;

use crate::diagnostics::{Diagnostics, type_text};
use crate::field_value::model::{FieldType, Shape, inner_type};
use crate::model::option_argument;

/// Whether a value may be absent is said in one place, the resource.
pub(super) fn check_is_not_optional(field_type: &FieldType<'_>, diagnostics: &mut Diagnostics) {
    let Shape::Newtype(field) = field_type.shape else {
        return;
    };
    if option_argument(&field.ty).is_some() {
        let inner = type_text(inner_type(field));
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

/// Limits and roles are those of an attribute, and not of its type.
pub(super) fn check_field_has_no_keys(field_type: &FieldType<'_>, diagnostics: &mut Diagnostics) {
    let Shape::Newtype(field) = field_type.shape else {
        return;
    };
    for attribute in &field.attrs {
        if attribute.path().is_ident("resource") {
            diagnostics.report(
                &attribute.meta,
                "the keys of a field stand in the resource; move them to the field of this type",
            );
        }
    }
}

/// A case is for names of variants.
pub(super) fn check_has_no_case(field_type: &FieldType<'_>, diagnostics: &mut Diagnostics) {
    let rename_all = &field_type.keys().rename_all;
    if matches!(field_type.shape, Shape::Newtype(_)) && rename_all.is_written() {
        diagnostics.report(
            rename_all.token(),
            "a struct has no variants to rename; remove `rename_all`",
        );
    }
}
