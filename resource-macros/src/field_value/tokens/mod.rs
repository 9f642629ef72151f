//! What is emitted: how values of the type become stored ones and again the type's.
//!
//! Nothing here can fail, and nothing is decided: what a mistaken type lacks is emitted by
//! [`fallback`], where it is not asked for.

mod fallback;
mod names;
mod newtype;

use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;

use super::model::{FieldType, Shape};
use crate::diagnostics::Diagnostics;

/// The code of `field_type`, or its mistakes with a stand-in that keeps the rest of the crate
/// silent.
pub(super) fn expand(field_type: &FieldType<'_>, diagnostics: &Diagnostics) -> TokenStream {
    let runtime = &field_type.runtime;
    let errors = diagnostics.compile_errors();
    let ident = &field_type.input.ident;
    let implementation = match &field_type.shape {
        Shape::Enum(variants) if diagnostics.is_empty() => names::implementation(ident, variants),
        Shape::Newtype(field) if diagnostics.is_empty() => newtype::implementation(ident, field),
        Shape::Enum(_) | Shape::Newtype(_) | Shape::Other => fallback::implementation(field_type),
    };
    quote! {
        #errors
        const _: () = {
            use #runtime::__private as _api;
            #implementation
        };
    }
}

/// The traits of types that keys of a resource ask for.
fn markers(span: Span) -> [Ident; 5] {
    ["Length", "Number", "PrimaryKey", "AssignedKey", "Owner"].map(|name| Ident::new(name, span))
}
