//! Rows that a driver lends, and the visitors that read them.

use std::any::Any;

use resource_model::error::{DatabaseFailure, DatabaseResult};
use resource_model::schema::{Attribute, ResourceDefinition};
use resource_model::value::{Key, Record, Value, ValueRef};

use super::driver::Visitors;

/// A row of any database, so that no later stage knows a driver.
pub(crate) trait Row {
    /// The value of the column at `index`, as the statement selected it.
    fn value(&self, index: usize) -> DatabaseResult<ValueRef<'_>>;

    /// A copy of the columns from `first` on, one for each of `attributes`.
    fn record(&self, first: usize, attributes: &[Attribute]) -> DatabaseResult<Record> {
        let mut record = Record::absent(attributes.len());
        for (index, attribute) in attributes.iter().enumerate() {
            let value = self.value(first + index)?;
            record.set(index, value.keep(attribute.kind()));
        }
        Ok(record)
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

/// Reads rows one by one as the database returns them, on any thread.
pub(crate) trait RowVisitor: Any + Send {
    /// Reads the next row.
    fn visit(&mut self, row: &dyn Row) -> DatabaseResult<()>;

    /// Tests whether the visitor runs no hook of the developer, which might block; conversions of values do not.
    #[cfg_attr(
        not(feature = "sqlite"),
        allow(dead_code, reason = "only SQLite is read inline")
    )]
    fn is_quick(&self) -> bool {
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
    fn visit(&mut self, row: &dyn Row) -> DatabaseResult<()> {
        // A second row replaces the first, but then the caller fails, since a key must find one item.
        self.record = Some(row.record(0, self.attributes)?);
        Ok(())
    }
}
