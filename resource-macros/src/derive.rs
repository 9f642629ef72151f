//! The way of a struct through the macro, one line a stage.

use proc_macro2::TokenStream;
use syn::DeriveInput;

use crate::{attributes, checks, model, tokens};

/// What `#[derive(ApiResource)]` emits for `input`; every mistake of the struct is among it as a
/// `compile_error!`, so nothing here stops at the first.
pub(crate) fn derive(input: &DeriveInput) -> TokenStream {
    let attributes = attributes::read(input);
    let resource = model::resolve(attributes);
    let diagnostics = checks::check(&resource);
    tokens::expand(&resource, &diagnostics)
}
