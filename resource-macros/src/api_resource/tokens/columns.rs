//! The tokens of the constants that name a struct's attributes and subresources in Rust.

use std::collections::HashSet;

use proc_macro2::TokenStream;
use quote::quote;

use crate::api_resource::model::Resource;
use crate::attributes::Count;

/// The impl with a typed constant for each attribute and subresource, so that the compiler checks the names,
/// types and resources in queries. It is emitted for a struct with mistakes, too, whose code uses them.
pub(super) fn implementation(resource: &Resource<'_>) -> Option<TokenStream> {
    // Two constants of one name are a mistake that has its error already.
    let mut seen = HashSet::new();
    let attributes = resource.attributes.iter().zip(0..);
    let attributes = attributes.filter(|(attribute, _)| seen.insert(&attribute.constant));
    let columns: Vec<_> = attributes
        .map(|(attribute, index)| {
            let (constant, ty, index) = (&attribute.constant, attribute.ty, Count(index));
            // A public constant of a private type would be an error, so the field decides.
            let visibility = attribute.visibility;
            quote!(#visibility const #constant: _api::Column<Self, #ty> = _api::column(#index);)
        })
        .collect();
    let subresources = resource.subresources.iter().zip(0..);
    let subresources = subresources.filter(|(subresource, _)| seen.insert(&subresource.constant));
    let related = subresources.filter_map(|(subresource, index)| {
        let (constant, index) = (&subresource.constant, Count(index));
        let target = resource.target(subresource)?;
        let visibility = &resource.input.vis;
        Some(quote!(#visibility const #constant: _api::Related<Self, #target> = _api::related(#index);))
    });
    let related: Vec<_> = related.collect();
    // A struct without fields has its own error.
    if columns.is_empty() {
        return None;
    }
    let ident = &resource.input.ident;
    let (parameters, arguments, bounds) = resource.input.generics.split_for_impl();
    // The user did not write the constants, so lints about unused or undocumented ones do not apply.
    Some(quote! {
        #[allow(dead_code, missing_docs)]
        impl #parameters #ident #arguments #bounds {
            #(#columns)*
            #(#related)*
        }
    })
}
