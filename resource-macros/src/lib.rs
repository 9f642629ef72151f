//! The derive macros of `resource-runtime`, which exports them again: depend on that crate alone.
//!
//! | derive | for | makes it |
//! |---|---|---|
//! | [`ApiResource`] | a struct with named fields | a versioned REST resource |
//! | [`FieldValue`] | an enum of unit variants, or a newtype | the type of a resource's field |
//!
//! ```text
//! /// An application setting.
//! #[derive(ApiResource)]
//! #[resource(name = "Setting", url = "/settings", version = "1.0")]
//! pub struct Setting {
//!     pub id: i64,
//!     #[resource(max_length = 50, unique)]
//!     pub name: String,
//!     pub value: String,
//! }
//! ```
//!
//! The keys of `#[resource(…)]` are documented at `resource_runtime::ApiResource`; an unknown key is an error
//! that suggests the nearest one. The generated code is data and calls that a person would write: `cargo
//! expand` shows it.
//!
//! # How it works
//!
//! An expansion has four stages, each a module: `attributes` reads the keys and keeps the span of each word,
//! `model` resolves their meaning, `rules` check for mistakes, one function for each, and `tokens` emits the
//! code. All mistakes are reported at once, each at its span, and code that uses the struct still compiles.
//! The function `api_resource::derive` names these stages; `field_value` has the same ones for the types of
//! fields.

#![cfg_attr(docsrs, feature(doc_cfg))]

mod diagnostics;

mod attributes;

mod api_resource;
mod field_value;

#[cfg(test)]
mod tests;

use proc_macro::TokenStream;
use syn::{DeriveInput, parse_macro_input};

/// Serves a struct as a REST resource; its documentation is at `resource_runtime::ApiResource`.
#[proc_macro_derive(ApiResource, attributes(resource))]
pub fn derive_api_resource(input: TokenStream) -> TokenStream {
    // The compiler has parsed the item before it calls a derive, so only syntax unknown to syn fails here.
    api_resource::derive(&parse_macro_input!(input as DeriveInput)).into()
}

/// Makes an enum or a newtype the type of a resource's field; its documentation is at
/// `resource_runtime::FieldValue`.
#[proc_macro_derive(FieldValue, attributes(resource))]
pub fn derive_field_value(input: TokenStream) -> TokenStream {
    field_value::derive(&parse_macro_input!(input as DeriveInput)).into()
}
