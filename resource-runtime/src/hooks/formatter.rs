use std::sync::Arc;

use resource_model::error::DatabaseFailure;
use resource_model::value::Record;

use super::{Hooks, RequestContext};

/// The format hook of a resource, with the request that it formats for.
#[derive(Debug, Clone)]
pub(crate) struct Formatter {
    hooks: Arc<dyn Hooks>,
    request: RequestContext,
}

impl Formatter {
    pub(crate) fn new(hooks: &Arc<dyn Hooks>, request: &RequestContext) -> Self {
        Self {
            hooks: hooks.clone(),
            request: request.clone(),
        }
    }

    /// What a client may see of an item that was read whole.
    pub(crate) fn format(&self, record: Record) -> Result<Record, DatabaseFailure> {
        self.hooks
            .format(record, &self.request)
            .map_err(DatabaseFailure::Unexpected)
    }
}
