//! The tokens of a resource's routes.

use proc_macro2::TokenStream;
use quote::{ToTokens, format_ident, quote};

use crate::api_resource::model::{Operation, Resource};

/// The routes, spelled out so that a reader of the expansion finds them. They are data: handlers named
/// here would be type-checked, and get debug information, once more for each resource.
pub(super) fn constant(resource: &Resource<'_>) -> TokenStream {
    let version = resource.version.to_string();
    let collection = format!("/{}", resource.collection);
    // Captures are written as axum's router expects them.
    let item = format!("{collection}/{{id}}");
    // A list and a creation are about no single item, so their path has no key.
    let on_collection = operations(resource, &[Operation::List, Operation::Create]);
    let on_item = operations(
        resource,
        &[Operation::Retrieve, Operation::Update, Operation::Delete],
    );
    // A path without operations gets no call, so the router does not know it.
    let on_collection = on_collection.map(|offered| quote!(.collection(#collection, #offered)));
    let on_item = on_item.map(|offered| quote!(.item(#item, #offered)));
    quote! {
        const ROUTES: &'static _api::Routes = &_api::Routes::new(#version) #on_collection #on_item;
    }
}

/// The operations that the resource offers on a path, if any.
fn operations(resource: &Resource<'_>, on_path: &[Operation]) -> Option<TokenStream> {
    let offered = resource.offered(on_path);
    (!offered.is_empty()).then(|| quote!(&[#(_api::#offered),*]))
}

/// The name of its variant, which is the same in the runtime.
impl ToTokens for Operation {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        // The derived `Debug` of a variant without fields is its name alone.
        format_ident!("{}", format!("{self:?}")).to_tokens(tokens);
    }
}
