use std::sync::Arc;

use prometheus_client::encoding::EncodeLabelSet;
use resource_model::schema::{Operation, ResourceDefinition};

/// What stands where a request is for no operation of a resource.
const NONE: &str = "none";

/// What was asked for.
#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
pub(super) struct Asked {
    operation: &'static str,
    resource: &'static str,
    version: Arc<str>,
}

/// What was asked for, and how it was answered.
#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
pub(super) struct Answered {
    operation: &'static str,
    resource: &'static str,
    version: Arc<str>,
    status: u16,
}

impl Asked {
    pub(super) fn of(definition: &ResourceDefinition, operation: Operation) -> Self {
        Self {
            operation: operation.name(),
            resource: definition.name(),
            version: definition.version().to_string().into(),
        }
    }

    pub(super) fn other() -> Self {
        Self {
            operation: NONE,
            resource: NONE,
            version: NONE.into(),
        }
    }

    pub(super) fn answered(&self, status: u16) -> Answered {
        Answered {
            operation: self.operation,
            resource: self.resource,
            version: self.version.clone(),
            status,
        }
    }
}
