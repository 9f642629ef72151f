//! `#[derive(ApiResource)]`: the way of a struct, one line a stage.

pub(crate) mod model;
pub(crate) mod rules;
mod tokens;

use proc_macro2::TokenStream;
use syn::DeriveInput;

use crate::attributes;

/// What `#[derive(ApiResource)]` emits for `input`; every mistake of the struct is among it as a
/// `compile_error!`, so nothing here stops at the first.
pub(crate) fn derive(input: &DeriveInput) -> TokenStream {
    let attributes = attributes::read(input);
    let resource = model::resolve(attributes);
    let diagnostics = rules::check(&resource);
    tokens::expand(&resource, &diagnostics)
}
