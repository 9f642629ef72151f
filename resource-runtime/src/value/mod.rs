//! Values on their way between a request, the database and the user's types.

mod field_value;
mod marker;
mod number;
mod record;
mod row;

pub use field_value::FieldValue;
pub use marker::{Number, PrimaryKey, Text};
pub(crate) use number::{Integer, integer, real};
pub use record::{Record, RecordError, Values};
pub(crate) use row::{Row, ValueRef};

/// One value of an attribute, owned.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Value {
    /// No value.
    Null,
    /// True or false.
    Boolean(bool),
    /// Any integer kind.
    Integer(i64),
    /// A finite double.
    Real(f64),
    /// Unicode text.
    Text(String),
}
