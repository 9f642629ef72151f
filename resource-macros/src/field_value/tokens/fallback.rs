//! The impls that a type with mistakes gets, so that no errors follow from its mistakes.

use proc_macro2::{Span, TokenStream};
use quote::quote;
use syn::{Generics, parse_quote};

use super::markers;
use crate::api_resource::model::without_options;
use crate::field_value::model::{FieldType, Shape};

/// A placeholder for the impl that a type with mistakes cannot have.
///
/// Without it, every field of the type would be an error of its own, and so would every key of such a
/// field: therefore the type has all markers.
pub(super) fn implementation(field_type: &FieldType<'_>) -> TokenStream {
    let ident = &field_type.input.ident;
    let generics = generics(field_type);
    // Parameters are a mistake, but an impl without them would be a second error about the same type.
    let (parameters, arguments, bounds) = generics.split_for_impl();
    let kind = kind(field_type);
    // These impls have no bounds that could fail, so the span never shows.
    let markers = markers(Span::call_site());
    quote! {
        #[automatically_derived]
        impl #parameters _api::FieldValue for #ident #arguments #bounds {
            const KIND: _api::Kind = #kind;
            fn from_value(_value: _api::Value) -> _api::Result<Self> {
                _api::fallback::value::<Self>()
            }
            fn to_value(&self) -> _api::Value {
                _api::Value::Null
            }
        }
        #(impl #parameters _api::#markers for #ident #arguments #bounds {})*
    }
}

/// The kind, which for a newtype is that of the type inside, so that one that cannot be stored is reported
/// together with the other mistakes. A generic type is left out, because its parameters are not known.
fn kind(field_type: &FieldType<'_>) -> TokenStream {
    match field_type.shape {
        Shape::Newtype(field) if !is_generic(field_type) => {
            let inner = without_options(&field.ty);
            quote!(<#inner as _api::FieldValue>::KIND)
        }
        // Any kind would do, because the constant is never used.
        Shape::Enum(_) | Shape::Newtype(_) | Shape::Other => quote!(_api::Kind::Text),
    }
}

fn generics(field_type: &FieldType<'_>) -> Generics {
    let mut generics = field_type.input.generics.clone();
    if is_generic(field_type) {
        let clause = generics.make_where_clause();
        // These are the supertraits of `FieldValue`, which unbounded parameters may not satisfy.
        clause.predicates.push(parse_quote! {
            Self: ::core::marker::Send + 'static
        });
    }
    generics
}

fn is_generic(field_type: &FieldType<'_>) -> bool {
    !field_type.input.generics.params.is_empty()
}
