use proc_macro2::TokenStream;
use quote::quote;
use syn::Ident;

use crate::field_value::model::Variant;

/// An enum is stored as the names of its variants.
///
/// The user's own `NAMES` would come before the trait's, so that one is named in full.
pub(super) fn implementation(ident: &Ident, variants: &[Variant<'_>]) -> TokenStream {
    let names: Vec<&str> = variants.iter().map(|variant| &*variant.name.text).collect();
    let variants: Vec<&Ident> = variants
        .iter()
        .map(|variant| &variant.declared.ident)
        .collect();
    quote! {
        #[automatically_derived]
        impl _api::FieldValue for #ident {
            const KIND: _api::Kind = _api::Kind::Text;
            const NAMES: &'static [&'static str] = &[#(#names),*];
            fn from_value(value: _api::Value) -> _api::Result<Self> {
                match _api::text(&value) {
                    #(#names => _api::Ok(Self::#variants),)*
                    _ => _api::not_named(&value, <Self as _api::FieldValue>::NAMES),
                }
            }
            fn to_value(&self) -> _api::Value {
                let name = match self {
                    #(Self::#variants => #names,)*
                };
                _api::named(name)
            }
        }
        impl _api::AssignedKey for #ident {}
    }
}
