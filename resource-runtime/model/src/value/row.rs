use super::{Kind, ShortText, Value};

/// One value of a row, lent by the database while it is stepped.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum ValueRef<'row> {
    /// No value.
    Null,
    /// An integer, or a boolean as 0 or 1.
    Integer(i64),
    /// A real number.
    Real(f64),
    /// A text of the driver's buffer.
    Text(&'row str),
    /// A text that the driver wrote itself.
    Short(ShortText),
    /// Bytes of the driver's buffer.
    Bytes(&'row [u8]),
}

impl ValueRef<'_> {
    /// What it is, for a log that should not repeat what clients store.
    pub const fn class(self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Integer(_) => "an integer",
            Self::Real(_) => "a real number",
            Self::Text(_) | Self::Short(_) => "a text",
            Self::Bytes(_) => "bytes",
        }
    }

    /// The value of an attribute of `kind`, kept.
    pub fn keep(self, kind: Kind) -> Value {
        match self {
            Self::Null => Value::Null,
            Self::Integer(integer) if kind == Kind::Boolean => Value::Boolean(integer != 0),
            Self::Integer(integer) => Value::Integer(integer),
            Self::Real(real) => Value::Real(real),
            Self::Text(text) => Value::Text(text.to_owned()),
            Self::Short(text) => Value::Text(text.as_str().to_owned()),
            Self::Bytes(bytes) => Value::Bytes(bytes.to_vec()),
        }
    }
}
