//! Rows of the comparison: the figures of an operation by a subject.

use serde::Serialize;

use crate::contest::Figures;

/// The cost of an operation for a subject.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Row {
    pub(crate) database: &'static str,
    pub(crate) operation: &'static str,
    pub(crate) concurrency: usize,
    pub(crate) subject: &'static str,
    #[serde(flatten)]
    pub(crate) figures: Figures,
}

impl Row {
    /// Tells that both rows are about the same request.
    pub(super) fn is_beside(&self, other: &Self) -> bool {
        self.database == other.database
            && self.operation == other.operation
            && self.concurrency == other.concurrency
    }
}
