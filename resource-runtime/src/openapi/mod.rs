//! The API described for machines: one OpenAPI document for each version, from the definitions.

mod document;
mod examples;
mod form;
mod json;
mod language;
mod operations;
mod parameters;
mod responses;
mod schemas;
mod security;

pub(crate) use document::{Subject, document};
pub(crate) use form::Form;
pub(crate) use security::Schemes;
