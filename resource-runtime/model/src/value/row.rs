//! Borrowed values of a database row, lent by the driver.

use std::fmt;

use super::{Kind, Value};

/// A value of a row, lent by the driver until it steps to the next row.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum ValueRef<'row> {
    /// No value.
    Null,
    /// An integer, or a boolean as 0 or 1.
    Integer(i64),
    /// A real number.
    Real(f64),
    /// A text in the driver's buffer.
    Text(&'row str),
    /// A short text that the driver wrote itself, without a buffer to lend from.
    Short(ShortText),
    /// Bytes in the driver's buffer.
    Bytes(&'row [u8]),
}

impl ValueRef<'_> {
    /// The type of the value in words, for a log that should not repeat the data of clients.
    pub const fn class(self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Integer(_) => "an integer",
            Self::Real(real) if !real.is_finite() => "no finite number",
            Self::Real(_) => "a real number",
            // Both forms are one class for a reader, who does not see how the driver lends a text.
            Self::Text(_) | Self::Short(_) => "a text",
            Self::Bytes(_) => "bytes",
        }
    }

    /// The owned value of an attribute of `kind`.
    pub fn keep(self, kind: Kind) -> Value {
        match self {
            Self::Null => Value::Null,
            // SQLite has no type for booleans, so rows of every driver hold them as integers.
            Self::Integer(integer) if kind == Kind::Boolean => Value::Boolean(integer != 0),
            Self::Integer(integer) => Value::Integer(integer),
            Self::Real(real) => Value::Real(real),
            // The driver takes its buffer back at the next row, so that texts and bytes are copied.
            Self::Text(text) => Value::Text(text.to_owned()),
            Self::Short(text) => Value::Text(text.as_str().to_owned()),
            Self::Bytes(bytes) => Value::Bytes(bytes.to_vec()),
        }
    }
}

/// The length of the longest text: a decimal of 29 digits takes 31 bytes, a UUID 36.
const CAPACITY: usize = 48;

/// A text that a driver writes for a value which its database sends in another form, held inline
/// without an allocation.
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
        // Only whole texts are written, within the capacity; the defaults stand in for a panic.
        let bytes = self.bytes.get(..self.length).unwrap_or_default();
        std::str::from_utf8(bytes).unwrap_or_default()
    }
}

/// Fails where the text would exceed the capacity.
impl fmt::Write for ShortText {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        // A piece that does not fit fails the whole text, lest half of a value be taken for it.
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
