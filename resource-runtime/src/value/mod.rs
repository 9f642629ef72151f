//! Values on their way between a request, the database and the user's types.

mod field_value;
mod marker;
mod number;
mod record;
mod row;

use std::fmt;

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

/// The value as it stands in a path.
impl fmt::Display for Value {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Null => formatter.write_str("null"),
            Self::Boolean(boolean) => write!(formatter, "{boolean}"),
            Self::Integer(integer) => write!(formatter, "{integer}"),
            Self::Real(real) => write!(formatter, "{real:?}"),
            Self::Text(text) => formatter.write_str(text),
        }
    }
}
