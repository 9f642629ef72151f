use serde::Serialize;

use crate::contest::Figures;

/// What an operation costs a subject.
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
    /// Whether both say what the same request costs.
    pub(super) fn is_beside(&self, other: &Self) -> bool {
        self.database == other.database
            && self.operation == other.operation
            && self.concurrency == other.concurrency
    }
}
