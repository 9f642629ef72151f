//! OpenAPI documents, one for each version of an API, made from the definitions.

mod about;
mod document;
mod examples;
mod index;
mod json;
mod operations;
mod parameters;
mod query_docs;
mod referred;
mod responses;
mod schemas;
mod security;
mod spec_version;

pub(crate) use about::{About, NamedUrl};
pub(crate) use document::ApiDescription;
pub(crate) use referred::collisions;
pub use spec_version::OpenApiVersion;

/// The document of a version as indented JSON, for people.
pub(crate) fn printed(api: &ApiDescription<'_>) -> Result<String, serde_json::Error> {
    serde_json::to_string_pretty(&document::document(api))
}

/// The document of a version as compact JSON, to be sent.
pub(crate) fn written(api: &ApiDescription<'_>) -> Result<String, serde_json::Error> {
    serde_json::to_string(&document::document(api))
}
