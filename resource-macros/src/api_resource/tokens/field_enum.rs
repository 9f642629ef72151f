//! The tokens of the companion enum, which has a variant for each attribute.

use std::collections::HashSet;

use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::Ident;
use syn::ext::IdentExt;

use crate::api_resource::model::Resource;

pub(super) fn name(resource: &Resource<'_>) -> Ident {
    // The macro drops `r#`, which a longer identifier does not need.
    format_ident!("{}Field", resource.input.ident)
}

/// The enum of the attributes, so that the compiler checks the names that code uses.
pub(super) fn companion(resource: &Resource<'_>) -> Option<TokenStream> {
    let variants = variants(resource);
    // A struct without fields has its own error, and its enum could not be cast to an index.
    if variants.is_empty() {
        return None;
    }
    let name = name(resource);
    // Code that can name the struct can name its attributes, too.
    let visibility = &resource.input.vis;
    let documentation = documentation(&resource.input.ident);
    // The user did not write the enum, so lints about unused or undocumented variants do not apply.
    Some(quote! {
        #[doc = #documentation]
        #[allow(dead_code, missing_docs)]
        #[derive(::core::clone::Clone, ::core::marker::Copy)]
        #[derive(::core::cmp::PartialEq, ::core::cmp::Eq, ::core::hash::Hash)]
        #visibility enum #name {
            #(#variants,)*
        }
    })
}

fn documentation(struct_name: &Ident) -> String {
    format!(
        " The attributes of [`{}`], in declaration order.",
        struct_name.unraw()
    )
}

/// The distinct variants. Two fields with the same variant are a mistake that has its error already.
fn variants<'resource>(resource: &'resource Resource<'_>) -> Vec<&'resource Ident> {
    let mut seen = HashSet::new();
    let variants = resource
        .attributes
        .iter()
        .map(|attribute| &attribute.variant);
    variants.filter(|variant| seen.insert(*variant)).collect()
}

/// The impls of the companion enum. `Debug` is not derived, because the derive would expand to a line for
/// each attribute. The names are one text, so that they are one line; none of them holds a space.
pub(super) fn impls(resource: &Resource<'_>) -> TokenStream {
    let name = name(resource);
    let names: Vec<&str> = resource
        .attributes
        .iter()
        .map(|attribute| &*attribute.name.text)
        .collect();
    let names = names.join(" ");
    // The variants are in declaration order, so the discriminant is the index of the attribute.
    quote! {
        #[automatically_derived]
        impl _api::Field for #name {
            const NAMES: &'static str = #names;
            fn index(self) -> usize {
                self as usize
            }
        }
        #[automatically_derived]
        impl ::core::fmt::Debug for #name {
            fn fmt(&self, output: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                _api::debug_field(*self, output)
            }
        }
    }
}
