//! The record and the key of a row, by the attributes of a resource.

use super::{Attribute, ResourceDefinition};
use crate::error::DatabaseFailure;
use crate::value::{Key, Record, Row, Value};

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

impl Key {
    /// The first columns of a row, one for each key attribute; none where one of them is null.
    pub(crate) fn from_row(
        row: &dyn Row,
        definition: &ResourceDefinition,
    ) -> Result<Option<Self>, DatabaseFailure> {
        let mut values = Vec::with_capacity(1);
        for (index, attribute) in definition.key_attributes().enumerate() {
            match row.value(index)?.keep(attribute.kind()) {
                Value::Null => return Ok(None),
                value => values.push(value),
            }
        }
        Ok(Some(Self::new(values)))
    }

    /// The key of a new item; none where the database assigns it.
    pub(crate) fn chosen_in(record: &Record, definition: &ResourceDefinition) -> Option<Self> {
        let attributes = definition.all_attributes().iter().enumerate();
        let of_key = attributes.filter(|(_, attribute)| attribute.is_primary_key());
        let values = of_key.map(|(index, attribute)| {
            // Hooks see another value in the place of one that the database assigns.
            let value = record
                .get(index)
                .filter(|_| !attribute.is_assigned_by_database());
            value.cloned()
        });
        values.collect::<Option<Vec<_>>>().map(Self::new)
    }
}
