//! Records: the values of an item in declaration order, between rows, requests and typed structs.

use std::{fmt, mem};

use super::{FieldValue, Kind, Value, ValueRef};
use crate::error::DatabaseResult;

/// The values of one item in declaration order; absent where a request names none.
///
/// ```
/// use resource_runtime::{Record, Value};
///
/// let mut record = Record::new();
/// for value in [Value::Integer(7), Value::Text("theme".into()), Value::Null] {
///     record.push(value);
/// }
/// assert_eq!(record.get(1), Some(&Value::Text("theme".into())));
/// ```
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Record {
    values: Vec<Option<Value>>,
}

impl Record {
    /// A record without attributes; add their values in declaration order.
    #[must_use]
    pub const fn new() -> Self {
        Self { values: Vec::new() }
    }

    /// A record of `attributes` absent values.
    #[must_use]
    #[doc(hidden)]
    pub fn absent(attributes: usize) -> Self {
        Self {
            values: vec![None; attributes],
        }
    }

    /// The number of attributes, absent ones included.
    #[doc(hidden)]
    pub const fn len(&self) -> usize {
        self.values.len()
    }

    /// The value of the attribute at `index`, or `None` where it is absent.
    #[must_use]
    pub fn get(&self, index: usize) -> Option<&Value> {
        // An index beyond the record is as absent as an empty place.
        self.values.get(index).and_then(Option::as_ref)
    }

    /// Puts a value in its place.
    #[doc(hidden)]
    pub fn set(&mut self, index: usize, value: Value) {
        // The index is one of the definition to which the record belongs, so that the place is there.
        if let Some(slot) = self.values.get_mut(index) {
            *slot = Some(value);
        }
    }

    /// Adds the value of the next attribute in declaration order.
    pub fn push(&mut self, value: Value) {
        // The place of a value is its attribute's, so that the order of the additions matters.
        self.values.push(Some(value));
    }

    /// Tests whether all attributes are absent.
    #[doc(hidden)]
    pub fn is_empty(&self) -> bool {
        self.values.iter().all(Option::is_none)
    }

    /// The record with the values of `changes` in place of its own.
    #[doc(hidden)]
    pub fn with(&self, changes: &Self) -> Self {
        // Both records have a place for every attribute, so that none is left out.
        let values = self.values.iter().zip(&changes.values);
        Self {
            values: values
                .map(|(own, change)| change.as_ref().or(own.as_ref()).cloned())
                .collect(),
        }
    }

    /// The record with `value` in place of absent values.
    #[doc(hidden)]
    pub fn filled_with(mut self, value: &Value) -> Self {
        for slot in &mut self.values {
            // A value that the request named stays as it is.
            slot.get_or_insert_with(|| value.clone());
        }
        self
    }

    /// Removes the value from its place.
    #[doc(hidden)]
    pub fn take(&mut self, index: usize) -> Option<Value> {
        self.values.get_mut(index).and_then(Option::take)
    }

    /// The values one after another, to build a struct from.
    #[must_use]
    pub fn into_values(self) -> Values<'static> {
        Values {
            // The order of the fields is that of the declaration, by which the derive takes them.
            source: Source::Record(self.values.into_iter()),
            next: 0,
        }
    }
}

/// The values of an item, taken one after another in declaration order: of a [`Record`], or of a row that a driver
/// lends.
pub struct Values<'row> {
    source: Source<'row>,
    /// The index of the next one.
    next: usize,
}

enum Source<'row> {
    Record(std::vec::IntoIter<Option<Value>>),
    /// The columns of a row.
    Row(&'row dyn Fn(usize) -> DatabaseResult<ValueRef<'row>>),
}

impl<'row> Values<'row> {
    /// The values of a row from the column `first` on; `column` lends each.
    #[doc(hidden)]
    pub fn lent(
        column: &'row dyn Fn(usize) -> DatabaseResult<ValueRef<'row>>,
        first: usize,
    ) -> Self {
        Self {
            source: Source::Row(column),
            next: first,
        }
    }

    /// The next value as a `T`; an error when it is absent or does not fit.
    pub fn take<T: FieldValue>(&mut self) -> Result<T, RecordError> {
        let index = self.next;
        self.next += 1;
        let value = match &mut self.source {
            // A record that is too short lacks the value just as one with an empty place.
            Source::Record(values) => values.next().flatten().ok_or_else(RecordError::absent)?,
            Source::Row(column) => {
                let value = column(index);
                // The failure is one of the row: its value cannot be decoded.
                let value = value.map_err(|failure| RecordError::new(failure.to_string()))?;
                value.keep(T::KIND)
            }
        };
        // The row may be older than the type: a value that the type no longer holds is refused here.
        T::from_value(value)
    }
}

impl Values<'_> {
    /// The index of the value that was taken last.
    #[doc(hidden)]
    pub const fn last(&self) -> usize {
        self.next.saturating_sub(1)
    }

    /// The values of a record that are not taken yet; an error for a row, which is lent.
    #[doc(hidden)]
    pub fn rest(&mut self) -> Result<Record, RecordError> {
        match &mut self.source {
            Source::Record(values) => Ok(Record {
                values: mem::take(values).collect(),
            }),
            Source::Row(..) => Err(RecordError::absent()),
        }
    }
}

/// Leaves the values out, which may be secret.
impl fmt::Debug for Values<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Values").finish_non_exhaustive()
    }
}

/// The error of a record that does not fit the struct it should become.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecordError {
    message: String,
}

impl RecordError {
    /// An error with a message that follows the attribute's name when a client reads it: "is below
    /// absolute zero". The message should not repeat the value, which may be a secret.
    #[must_use]
    pub fn new(message: impl Into<String>) -> Self {
        Self {
            message: message.into(),
        }
    }

    /// The error of a value of another kind than `expected`, or beyond its range.
    #[must_use]
    pub fn mismatch(expected: Kind) -> Self {
        Self::new(format!("must be {expected}"))
    }

    /// The error of a value that is none of `names`.
    pub(crate) fn not_named(names: &[&str]) -> Self {
        // The names are quoted as in JSON, where the client has to write them.
        let quoted: Vec<String> = names.iter().map(|name| format!("\"{name}\"")).collect();
        Self::new(match quoted.as_slice() {
            // An enum without variants has no names.
            [] => String::from("has no value that is allowed"),
            [only] => format!("must be {only}"),
            [first @ .., last] => format!("must be {} or {last}", first.join(", ")),
        })
    }

    pub(crate) fn absent() -> Self {
        Self::new("the record holds no value for an attribute")
    }
}

impl fmt::Display for RecordError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.message)
    }
}

impl std::error::Error for RecordError {}
