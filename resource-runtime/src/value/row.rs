#[cfg(feature = "postgres")]
use super::ShortText;
use super::{Kind, Value};
use crate::error::DatabaseFailure;

/// One value of a row, lent by the database while it is stepped.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum ValueRef<'row> {
    Null,
    Integer(i64),
    Real(f64),
    Text(&'row str),
    /// A text that the driver wrote itself.
    #[cfg(feature = "postgres")]
    Short(ShortText),
    Bytes(&'row [u8]),
}

impl ValueRef<'_> {
    /// What it is, for a log that should not repeat what clients store.
    pub(crate) const fn class(self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Integer(_) => "an integer",
            Self::Real(_) => "a real number",
            Self::Text(_) => "a text",
            #[cfg(feature = "postgres")]
            Self::Short(_) => "a text",
            Self::Bytes(_) => "bytes",
        }
    }

    /// The value of an attribute of `kind`, kept.
    pub(crate) fn keep(self, kind: Kind) -> Value {
        match self {
            Self::Null => Value::Null,
            Self::Integer(integer) if kind == Kind::Boolean => Value::Boolean(integer != 0),
            Self::Integer(integer) => Value::Integer(integer),
            Self::Real(real) => Value::Real(real),
            Self::Text(text) => Value::Text(text.to_owned()),
            #[cfg(feature = "postgres")]
            Self::Short(text) => Value::Text(text.as_str().to_owned()),
            Self::Bytes(bytes) => Value::Bytes(bytes.to_vec()),
        }
    }
}

/// A row of whichever database; it knows no driver, and no stage behind it does either.
pub(crate) trait Row {
    /// The value of the column at `index`, as the statement selected it.
    fn value(&self, index: usize) -> Result<ValueRef<'_>, DatabaseFailure>;
}
