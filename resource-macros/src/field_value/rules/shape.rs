//! Rules for the shape of a field type: an enum of unit variants, or a newtype.

use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::{Data, DataUnion, Fields};

use crate::diagnostics::Diagnostics;
use crate::field_value::model::{FieldType, Shape};

/// The derive is for enums and newtypes, of which a single value is stored.
pub(super) fn check_is_enum_or_newtype(field_type: &FieldType<'_>, diagnostics: &mut Diagnostics) {
    if matches!(field_type.shape, Shape::Other) {
        diagnostics.report(
            too_much(field_type),
            "`FieldValue` is derived for enums, and for structs around one type as \
             `struct Name(String)`; implement `resource_runtime::FieldValue` by hand",
        );
    }
}

/// The tokens that make the type neither an enum nor a newtype.
fn too_much(field_type: &FieldType<'_>) -> TokenStream {
    let ident = &field_type.input.ident;
    match &field_type.input.data {
        Data::Struct(data) => match &data.fields {
            // The types in parentheses are none or several, where one is expected.
            Fields::Unnamed(fields) => fields.to_token_stream(),
            Fields::Named(_) | Fields::Unit => ident.to_token_stream(),
        },
        Data::Union(DataUnion { union_token, .. }) => union_token.to_token_stream(),
        // An enum never has another shape; the arm only completes the match.
        Data::Enum(_) => ident.to_token_stream(),
    }
}

/// A field type has no generic parameters, whose bounds cannot be derived from the declaration.
pub(super) fn check_is_not_generic(field_type: &FieldType<'_>, diagnostics: &mut Diagnostics) {
    let parameters = &field_type.input.generics.params;
    // Any other shape is told to implement the trait by hand already.
    let is_derivable = !matches!(field_type.shape, Shape::Other);
    if is_derivable && !parameters.is_empty() {
        diagnostics.report(
            parameters,
            "`FieldValue` is not derived for generic types; \
             implement `resource_runtime::FieldValue` by hand",
        );
    }
}

/// An enum has at least one variant, or a field would have no value.
pub(super) fn check_has_variants(field_type: &FieldType<'_>, diagnostics: &mut Diagnostics) {
    if matches!(&field_type.shape, Shape::Enum(variants) if variants.is_empty()) {
        diagnostics.report(
            &field_type.input.ident,
            "an enum without variants has no value; add a variant for each name",
        );
    }
}

/// Variants have no fields, because only the name of a variant is stored.
pub(super) fn check_variants_have_no_fields(
    field_type: &FieldType<'_>,
    diagnostics: &mut Diagnostics,
) {
    for variant in field_type.variants() {
        let fields = &variant.declared.fields;
        // Empty parentheses count as fields, because the emitted patterns name the variant alone.
        if !matches!(fields, Fields::Unit) {
            diagnostics.report(
                fields,
                "a variant is stored as its name alone; remove the fields, \
                 or implement `resource_runtime::FieldValue` by hand",
            );
        }
    }
}
