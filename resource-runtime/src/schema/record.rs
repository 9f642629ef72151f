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
        let attributes = definition.key_attributes().enumerate();
        let values = attributes.map(|(index, attribute)| {
            let value = row.value(index)?.keep(attribute.kind());
            Ok(Some(value).filter(|value| *value != Value::Null))
        });
        // The outer result is a failure of the database, the inner option a null.
        let values: Result<Option<Vec<Value>>, DatabaseFailure> = values.collect();
        Ok(values?.and_then(Self::new))
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
        values.collect::<Option<Vec<_>>>().and_then(Self::new)
    }
}
