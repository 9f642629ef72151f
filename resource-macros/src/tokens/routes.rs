use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::Ident;

use crate::model::{Operation, Resource};

/// The routes, spelled out so that a reader of the expansion finds them.
pub(super) fn function(resource: &Resource<'_>) -> TokenStream {
    let version = resource.version.to_string();
    let collection = format!("/{}", resource.collection);
    let item = format!("{collection}/{{id}}");
    let on_collection = methods(resource, &[Operation::List, Operation::Create]);
    let on_item = methods(
        resource,
        &[Operation::Retrieve, Operation::Update, Operation::Delete],
    );
    let on_collection = on_collection.map(|methods| quote!(.collection(#collection, #methods)));
    let on_item = on_item.map(|methods| quote!(.item(#item, #methods)));
    quote! {
        fn routes() -> _api::Routes {
            _api::Routes::new(#version) #on_collection #on_item
        }
    }
}

/// The first operation that the resource has starts the chain, the others are methods of it.
fn methods(resource: &Resource<'_>, on_path: &[Operation]) -> Option<TokenStream> {
    let mut operations = on_path
        .iter()
        .filter(|operation| resource.operations.contains(operation));
    let first = operations.next()?;
    let function = function_of(*first);
    let handler = handler_of(*first);
    let others = operations.map(|operation| {
        let method = method_of(*operation);
        let handler = handler_of(*operation);
        quote!(.#method(_api::#handler))
    });
    Some(quote!(_api::#function(_api::#handler) #(#others)*))
}

fn handler_of(operation: Operation) -> Ident {
    format_ident!("{}", operation.name())
}

fn method_of(operation: Operation) -> Ident {
    match operation {
        Operation::List | Operation::Retrieve => format_ident!("get"),
        Operation::Create => format_ident!("post"),
        Operation::Update => format_ident!("put"),
        Operation::Delete => format_ident!("delete"),
    }
}

/// `delete` is the name of the handler, so the runtime calls axum's function otherwise.
fn function_of(operation: Operation) -> Ident {
    match operation {
        Operation::Delete => format_ident!("delete_method"),
        _ => method_of(operation),
    }
}
