//! The impls of an enum, which is stored as the names of its variants.

use proc_macro2::TokenStream;
use quote::quote;
use syn::Ident;

use crate::field_value::model::Variant;

/// The impls of an enum.
///
/// The trait's `NAMES` is qualified, because an associated constant of the user's own would come first.
pub(super) fn implementation(
    ident: &Ident,
    variants: &[Variant<'_>],
    is_open: bool,
) -> TokenStream {
    let open = is_open.then(|| {
        quote!(
            const OPEN: bool = true;
        )
    });
    let names: Vec<&str> = variants.iter().map(|variant| &*variant.name.text).collect();
    let variants: Vec<&Ident> = variants
        .iter()
        .map(|variant| &variant.declared.ident)
        .collect();
    // Of the markers an enum has two alone: it can be a key and match a pattern, but has neither a length nor a
    // range, and names no owner.
    quote! {
        #[automatically_derived]
        impl _api::FieldValue for #ident {
            const KIND: _api::Kind = _api::Kind::Text;
            const NAMES: &'static [&'static str] = &[#(#names),*];
            #open
            fn from_value(value: _api::Value) -> _api::Result<Self> {
                match _api::text(&value) {
                    #(#names => _api::Ok(Self::#variants),)*
                    // Such a value comes from a client, or from a row that was stored under another set of
                    // names.
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
        impl _api::Text for #ident {}
    }
}
