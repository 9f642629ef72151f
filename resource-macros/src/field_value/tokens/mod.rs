//! The code that the derive emits: conversions between values of the type and stored values.
//!
//! Nothing here can fail, and nothing is decided: for a type with mistakes [`fallback`] emits
//! placeholders, which never run.

mod fallback;
mod names;
mod newtype;

use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;

use super::model::{FieldType, Shape};
use crate::diagnostics::Diagnostics;

/// The code of `field_type`, or its mistakes with a placeholder that prevents further errors in the
/// crate.
pub(super) fn expand(field_type: &FieldType<'_>, diagnostics: &Diagnostics) -> TokenStream {
    let runtime = &field_type.runtime;
    let errors = diagnostics.compile_errors();
    let ident = &field_type.input.ident;
    let implementation = match &field_type.shape {
        Shape::Enum(variants) if diagnostics.is_empty() => {
            let is_open = field_type.keys().open.is_written();
            names::implementation(ident, variants, is_open)
        }
        Shape::Newtype(field) if diagnostics.is_empty() => newtype::implementation(ident, field),
        // A type of any other shape always has a mistake.
        Shape::Enum(_) | Shape::Newtype(_) | Shape::Other => fallback::implementation(field_type),
    };
    // The import is inside of the constant, where it cannot collide with a name of the user's module.
    quote! {
        #errors
        const _: () = {
            use #runtime::__private as _api;
            #implementation
        };
    }
}

/// The marker traits that keys of a resource, and patterns, require of a field's type.
fn markers(span: Span) -> [Ident; 6] {
    let names = [
        "Length",
        "Number",
        "PrimaryKey",
        "AssignedKey",
        "Owner",
        "Text",
    ];
    names.map(|name| Ident::new(name, span))
}
