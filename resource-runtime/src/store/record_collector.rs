//! A visitor that collects one row.

use resource_model::error::DatabaseFailure;
use resource_model::schema::Attribute;
use resource_model::value::Record;

use super::RowVisitor;
use crate::store::Row;

/// Collects one row that holds every attribute of a resource.
#[derive(Debug)]
pub(crate) struct RecordCollector {
    attributes: &'static [Attribute],
    record: Option<Record>,
}

impl RecordCollector {
    pub(crate) const fn new(attributes: &'static [Attribute]) -> Self {
        Self {
            attributes,
            record: None,
        }
    }

    pub(crate) fn into_record(self) -> Option<Record> {
        self.record
    }
}

impl RowVisitor for RecordCollector {
    fn visit(&mut self, row: &dyn Row) -> Result<(), DatabaseFailure> {
        self.record = Some(row.record(0, self.attributes)?);
        Ok(())
    }
}
