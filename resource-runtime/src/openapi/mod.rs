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

pub(crate) use about::{About, Place};
pub(crate) use document::Subject;
pub(crate) use referred::collisions;
pub use spec_version::Form;

/// The document of a version as indented JSON, for people.
pub(crate) fn printed(form: Form, subject: &Subject<'_>) -> Result<String, serde_json::Error> {
    serde_json::to_string_pretty(&document::document(form, subject))
}

/// The document of a version as compact JSON, to be sent.
pub(crate) fn written(form: Form, subject: &Subject<'_>) -> Result<String, serde_json::Error> {
    serde_json::to_string(&document::document(form, subject))
}
