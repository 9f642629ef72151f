//! Rows that a driver lends, and the visitors that read them.

use std::any::Any;
use std::fmt::Display;

use resource_model::error::{DatabaseFailure, DatabaseResult};
use resource_model::schema::{Attribute, Identifier, ResourceDefinition};
use resource_model::value::{Key, Record, Value, ValueRef};

use super::driver::Visitors;

/// A row of any database, so that no later stage knows a driver.
pub(crate) trait Row {
    /// The value of the column at `index`, as the statement selected it.
    fn value(&self, index: usize) -> DatabaseResult<ValueRef<'_>>;

    /// A copy of the columns from `first` on, one for each of the `attributes` of a table.
    fn record(
        &self,
        first: usize,
        table: Identifier,
        attributes: &[Attribute],
    ) -> DatabaseResult<Record> {
        let mut record = Record::absent(attributes.len());
        for (index, attribute) in attributes.iter().enumerate() {
            let value = self.value(first + index);
            let value = value.map_err(|failure| {
                misfit(table, attribute, self.key_among(first, attributes), failure)
            })?;
            record.set(index, value.keep(attribute.kind()));
        }
        Ok(record)
    }

    /// The key among the columns from `first` on, one for each of `attributes`, where it can be read.
    fn key_among(&self, first: usize, attributes: &[Attribute]) -> Option<Key> {
        let parts = attributes.iter().enumerate();
        let parts = parts.filter(|(_, attribute)| attribute.is_primary_key());
        let values = parts.map(|(index, attribute)| {
            let value = self.value(first + index).ok();
            value.map(|value| value.keep(attribute.kind()))
        });
        Key::new(values.collect::<Option<Vec<_>>>()?)
    }

    /// The key in the first columns, one for each key attribute; none if one of them is null.
    fn key(&self, definition: &ResourceDefinition) -> DatabaseResult<Option<Key>> {
        let attributes = definition.key_attributes().enumerate();
        let values = attributes.map(|(index, attribute)| {
            let value = self.value(index)?.keep(attribute.kind());
            Ok(Some(value).filter(|value| *value != Value::Null))
        });
        // The outer result is a failure of the database, the inner option a null.
        let values: DatabaseResult<Option<Vec<Value>>> = values.collect();
        Ok(values?.and_then(Key::new))
    }
}

/// The failure of a stored value that is none of its attribute, with its place, for the log alone.
#[cold]
pub(crate) fn misfit(
    table: Identifier,
    attribute: &Attribute,
    key: Option<Key>,
    failure: impl Display,
) -> DatabaseFailure {
    let (table, column) = (table.as_str(), attribute.identifier().as_str());
    let key = key.map(|key| format!(" of the row with the key {key}"));
    DatabaseFailure::internal(format!(
        "`{table}.{column}`{} cannot be read: {failure}",
        key.unwrap_or_default()
    ))
}

/// Reads rows one by one as the database returns them, on any thread.
pub(crate) trait RowVisitor: Any + Send {
    /// Reads the next row.
    fn visit(&mut self, row: &dyn Row) -> DatabaseResult<()>;

    /// Tests whether the visitor runs no hook of the developer, which might block; conversions of values do not.
    fn runs_no_hook(&self) -> bool {
        true
    }

    /// Tests whether other tasks should run before the next row, because this one has encoded much without a pause.
    #[cfg_attr(
        not(feature = "postgres"),
        allow(dead_code, reason = "only PostgreSQL is read in tasks")
    )]
    fn should_yield(&mut self) -> bool {
        false
    }

    /// Tests whether a retry may start with this visitor. It may not once rows of an earlier attempt were sent: the
    /// visitors of one response share their record of that.
    #[cfg_attr(
        not(feature = "postgres"),
        allow(dead_code, reason = "only PostgreSQL has retries")
    )]
    fn may_begin(&self) -> bool {
        true
    }
}

/// Lends rows that were read at once to a visitor; returns their number.
pub(crate) fn lend_all(rows: &[impl Row], visitor: &mut dyn RowVisitor) -> DatabaseResult<usize> {
    rows.iter().try_for_each(|row| visitor.visit(row))?;
    Ok(rows.len())
}

/// Restores the type of a visitor that has seen rows.
pub(crate) fn restored<V: RowVisitor>(visitor: Box<dyn RowVisitor>) -> DatabaseResult<V> {
    // Only the supertrait `Any` has a downcast.
    let visitor: Box<dyn Any> = visitor;
    let visitor = visitor.downcast();
    let visitor = visitor.map_err(|_| {
        DatabaseFailure::internal("the driver returned the visitor of another read")
    })?;
    Ok(*visitor)
}

/// Reads no value: the number of rows tells enough.
pub(super) struct NoValues;

impl RowVisitor for NoValues {
    fn visit(&mut self, _: &dyn Row) -> DatabaseResult<()> {
        Ok(())
    }
}

/// Visitors that read no value.
pub(super) fn no_values() -> Visitors {
    Box::new(|| Box::new(NoValues))
}

/// Collects one row that holds every attribute of a resource.
#[derive(Debug)]
pub(crate) struct RecordCollector {
    definition: &'static ResourceDefinition,
    record: Option<Record>,
}

impl RecordCollector {
    pub(crate) const fn new(definition: &'static ResourceDefinition) -> Self {
        Self {
            definition,
            record: None,
        }
    }

    pub(crate) fn into_record(self) -> Option<Record> {
        self.record
    }
}

impl RowVisitor for RecordCollector {
    fn visit(&mut self, row: &dyn Row) -> DatabaseResult<()> {
        // A second row replaces the first, but then the caller fails, since a key must find one item.
        let table = self.definition.table_identifier();
        self.record = Some(row.record(0, table, self.definition.all_attributes())?);
        Ok(())
    }
}
