//! The derive macros of `resource-runtime`. The module `derive` names the stages of an expansion;
//! `field_value` has the same stages for the types of fields.

mod derive;
mod diagnostics;

mod attributes;
mod model;

mod checks;
mod tokens;

mod field_value;

#[cfg(test)]
mod tests;

use proc_macro::TokenStream;
use syn::{DeriveInput, parse_macro_input};

/// Serves a struct as a REST resource; its documentation is at `resource_runtime::ApiResource`.
#[proc_macro_derive(ApiResource, attributes(resource))]
pub fn derive_api_resource(input: TokenStream) -> TokenStream {
    derive::derive(&parse_macro_input!(input as DeriveInput)).into()
}

/// Makes an enum or a newtype the type of a resource's field; its documentation is at
/// `resource_runtime::FieldValue`.
#[proc_macro_derive(FieldValue, attributes(resource))]
pub fn derive_field_value(input: TokenStream) -> TokenStream {
    field_value::derive(&parse_macro_input!(input as DeriveInput)).into()
}
