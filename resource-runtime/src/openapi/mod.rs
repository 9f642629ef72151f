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

use std::fmt;
use std::sync::Arc;

use serde_json::Value;

pub(crate) use about::{About, NamedUrl};
pub(crate) use document::ApiDescription;
pub(crate) use referred::collisions;
pub use spec_version::OpenApiVersion;

/// The functions by which a service adds to its documents, in the order of their registration.
#[derive(Clone, Default)]
pub(crate) struct Additions(Vec<Arc<Addition>>);

type Addition = dyn Fn(&mut Value, &str) + Send + Sync;

impl Additions {
    pub(crate) fn push(&mut self, addition: impl Fn(&mut Value, &str) + Send + Sync + 'static) {
        self.0.push(Arc::new(addition));
    }
}

impl fmt::Debug for Additions {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_tuple("Additions")
            .field(&self.0.len())
            .finish()
    }
}

/// The document of a version as indented JSON, for people.
pub(crate) fn printed(api: &ApiDescription<'_>) -> Result<String, serde_json::Error> {
    match extended(api)? {
        Some(document) => serde_json::to_string_pretty(&document),
        None => serde_json::to_string_pretty(&document::document(api)),
    }
}

/// The document of a version as compact JSON, to be sent.
pub(crate) fn written(api: &ApiDescription<'_>) -> Result<String, serde_json::Error> {
    match extended(api)? {
        Some(document) => serde_json::to_string(&document),
        None => serde_json::to_string(&document::document(api)),
    }
}

/// The document with the additions of the service; none where it has no additions, so that members keep their order.
fn extended(api: &ApiDescription<'_>) -> Result<Option<Value>, serde_json::Error> {
    let Additions(additions) = api.additions;
    if additions.is_empty() {
        return Ok(None);
    }
    let mut document = serde_json::to_value(document::document(api))?;
    for add in additions {
        add(&mut document, api.segment);
    }
    Ok(Some(document))
}
