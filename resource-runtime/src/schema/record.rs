//! The record of a row, by the attributes of a resource.

use super::Attribute;
use crate::error::DatabaseFailure;
use crate::value::{Record, Row};

impl Record {
    /// Keeps the columns of a row from `first` on, one for each of `attributes`.
    pub(crate) fn from_row(
        row: &dyn Row,
        first: usize,
        attributes: &[Attribute],
    ) -> Result<Self, DatabaseFailure> {
        let mut record = Self::absent(attributes.len());
        for (index, attribute) in attributes.iter().enumerate() {
            let value = row.value(first + index)?;
            record.set(index, value.keep(attribute.kind()));
        }
        Ok(record)
    }
}
