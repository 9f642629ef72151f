//! The way of a type that fields may have through the macro: the stages of a resource, smaller.

mod attributes;
mod model;

mod rules;
mod tokens;

#[cfg(test)]
mod tests;

use proc_macro2::TokenStream;
use syn::DeriveInput;

/// What `#[derive(FieldValue)]` emits for `input`, with its mistakes among it.
pub(crate) fn derive(input: &DeriveInput) -> TokenStream {
    let attributes = attributes::read(input);
    let field_type = model::resolve(attributes);
    let diagnostics = rules::check(&field_type);
    tokens::expand(&field_type, &diagnostics)
}
