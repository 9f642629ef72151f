//! Values of a row, lent by the driver.

use std::fmt;

use super::{Kind, Value};

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

/// The longest text: a decimal of 29 digits takes 31, a UUID 36.
const CAPACITY: usize = 48;

/// A text that a driver writes for a value which its database sends in another form; short enough
/// to stand where it is lent.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct ShortText {
    bytes: [u8; CAPACITY],
    length: usize,
}

impl Default for ShortText {
    fn default() -> Self {
        Self {
            bytes: [0; CAPACITY],
            length: 0,
        }
    }
}

impl ShortText {
    /// The text.
    pub fn as_str(&self) -> &str {
        let bytes = self.bytes.get(..self.length).unwrap_or_default();
        std::str::from_utf8(bytes).unwrap_or_default()
    }
}

/// An error where the text would be longer than it may.
impl fmt::Write for ShortText {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let end = self.length + text.len();
        let free = self.bytes.get_mut(self.length..end).ok_or(fmt::Error)?;
        free.copy_from_slice(text.as_bytes());
        self.length = end;
        Ok(())
    }
}

impl fmt::Debug for ShortText {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.as_str(), formatter)
    }
}
