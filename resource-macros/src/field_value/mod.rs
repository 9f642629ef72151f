//! `#[derive(FieldValue)]` as a pipeline of the same stages as a resource: attributes, model, rules, tokens.

mod attributes;
mod model;

mod rules;
mod tokens;

#[cfg(test)]
mod tests;

use proc_macro2::TokenStream;
use syn::DeriveInput;

/// The tokens that `#[derive(FieldValue)]` emits for `input`, with its mistakes among them.
pub(crate) fn derive(input: &DeriveInput) -> TokenStream {
    let attributes = attributes::read(input);
    let field_type = model::resolve(attributes);
    let diagnostics = rules::check(&field_type);
    tokens::expand(&field_type, &diagnostics)
}
