//! `#[derive(ApiResource)]` as a pipeline of stages: attributes, model, rules, tokens.

pub(crate) mod model;
pub(crate) mod rules;
mod tokens;

use proc_macro2::TokenStream;
use syn::DeriveInput;

use crate::attributes;

/// The tokens that `#[derive(ApiResource)]` emits for `input`. Every mistake of the struct is among them as
/// a `compile_error!`, so nothing here stops at the first one.
pub(crate) fn derive(input: &DeriveInput) -> TokenStream {
    let attributes = attributes::read(input);
    let resource = model::resolve(attributes);
    let diagnostics = rules::check(&resource);
    tokens::expand(&resource, &diagnostics)
}
