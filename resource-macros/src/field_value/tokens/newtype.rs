//! The impls of a newtype, which is stored as the type inside.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Field, Ident, Type};

use super::markers;

/// The impls of a newtype, which delegate everything to the type inside.
///
/// Each line names that type, and no bound requires it: with a bound, a type that cannot be stored would
/// be an error again at every field of the newtype. The errors of the lines are all alike, and the
/// compiler shows equal errors once.
pub(super) fn implementation(ident: &Ident, field: &Field) -> TokenStream {
    let inner = &field.ty;
    let markers = marker_impls(ident, inner);
    // Calls are qualified, because the type inside may have functions of its own with these names.
    quote! {
        #[automatically_derived]
        impl _api::FieldValue for #ident {
            const KIND: _api::Kind = <#inner as _api::FieldValue>::KIND;
            const NAMES: &'static [&'static str] = <#inner as _api::FieldValue>::NAMES;
            const OPEN: bool = <#inner as _api::FieldValue>::OPEN;
            fn from_value(value: _api::Value) -> _api::Result<Self> {
                <#inner as _api::FieldValue>::from_value(value).map(Self)
            }
            fn to_value(&self) -> _api::Value {
                <#inner as _api::FieldValue>::to_value(&self.0)
            }
            // Equal values must be stored in one form, so the newtype keeps the form of the type inside.
            fn normalise(value: _api::Value) -> _api::Result<_api::Value> {
                <#inner as _api::FieldValue>::normalise(value)
            }
        }
        #markers
    }
}

/// The impls of the markers, which the newtype has exactly where the type inside has them. A bound
/// without parameters would have to hold at the impl; a higher-ranked one is checked only on use.
///
/// The span of the type inside is kept as it is: of a bound with a span of the derive the compiler would
/// say that a type parameter lacks it.
fn marker_impls(ident: &Ident, inner: &Type) -> TokenStream {
    let span = inner.span();
    let implementation = |marker: &Ident| {
        let bound = quote_spanned!(span=> for<'any> #inner: _api::#marker + 'any);
        quote! {
            impl _api::#marker for #ident
            where
                #bound,
            {}
        }
    };
    markers(span).iter().map(implementation).collect()
}
