//! Rows of whichever database.

use resource_model::error::DatabaseFailure;
use resource_model::schema::{Attribute, ResourceDefinition};
use resource_model::value::{Key, Record, Value, ValueRef};

/// A row of whichever database; it knows no driver, and no stage behind it does either.
pub(crate) trait Row {
    /// The value of the column at `index`, as the statement selected it.
    fn value(&self, index: usize) -> Result<ValueRef<'_>, DatabaseFailure>;

    /// The columns from `first` on, kept, one for each of `attributes`.
    fn record(&self, first: usize, attributes: &[Attribute]) -> Result<Record, DatabaseFailure> {
        let mut record = Record::absent(attributes.len());
        for (index, attribute) in attributes.iter().enumerate() {
            let value = self.value(first + index)?;
            record.set(index, value.keep(attribute.kind()));
        }
        Ok(record)
    }

    /// The first columns, one for each key attribute; none where one of them is null.
    fn key(&self, definition: &ResourceDefinition) -> Result<Option<Key>, DatabaseFailure> {
        let attributes = definition.key_attributes().enumerate();
        let values = attributes.map(|(index, attribute)| {
            let value = self.value(index)?.keep(attribute.kind());
            Ok(Some(value).filter(|value| *value != Value::Null))
        });
        // The outer result is a failure of the database, the inner option a null.
        let values: Result<Option<Vec<Value>>, DatabaseFailure> = values.collect();
        Ok(values?.and_then(Key::new))
    }
}
