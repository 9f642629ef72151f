//! The derive macro of `resource-runtime`. The module `derive` names the stages of an expansion.

mod derive;
mod diagnostics;

mod attributes;
mod model;

mod checks;
mod tokens;

#[cfg(test)]
mod tests;

use proc_macro::TokenStream;
use syn::{DeriveInput, parse_macro_input};

/// Serves a struct as a REST resource; its documentation is at `resource_runtime::ApiResource`.
#[proc_macro_derive(ApiResource, attributes(resource))]
pub fn derive_api_resource(input: TokenStream) -> TokenStream {
    derive::derive(&parse_macro_input!(input as DeriveInput)).into()
}
