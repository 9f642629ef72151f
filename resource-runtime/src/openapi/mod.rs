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

use serde::Serialize;
use serde_json::Value;

pub(crate) use about::{About, NamedUrl};
pub(crate) use document::ApiDescription;
#[cfg(feature = "docs")]
pub(crate) use operations::notice;
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
        write!(formatter, "Additions({})", self.0.len())
    }
}

/// The document of a version as indented JSON, for people.
pub(crate) fn printed(api: &ApiDescription<'_>) -> Result<String, serde_json::Error> {
    serde_json::to_string_pretty(&Document::of(api)?)
}

/// The document of a version as compact JSON, to be sent.
pub(crate) fn written(api: &ApiDescription<'_>) -> Result<String, serde_json::Error> {
    serde_json::to_string(&Document::of(api)?)
}

/// A document as it is written.
#[derive(Serialize)]
#[serde(untagged)]
enum Document {
    /// The members in the order in which people read them.
    Own(json::Object),
    /// The members with those that the service adds, by name.
    Extended(Value),
}

impl Document {
    fn of(api: &ApiDescription<'_>) -> Result<Self, serde_json::Error> {
        let document = document::document(api);
        let Additions(additions) = api.additions;
        if additions.is_empty() {
            return Ok(Self::Own(document));
        }
        let mut document = serde_json::to_value(document)?;
        for add in additions {
            add(&mut document, api.segment);
        }
        Ok(Self::Extended(document))
    }
}
