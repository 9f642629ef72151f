//! The values of attributes, between a request, the database and the user's types.

mod decimal_order;
mod field_value;
mod key;
mod kind;
mod marker;
mod number;
mod record;
mod row;
mod types;

use std::fmt;
use std::hash::{Hash, Hasher};

pub use decimal_order::compare_decimals;
pub use field_value::{FieldType, FieldValue};
pub use key::{ItemKey, Key, NOT_UNRESERVED, key_part, key_segment, write_escaped};
pub use kind::{JsonForm, Kind, KindEntry};
pub use marker::{AssignedKey, DeletionTime, Length, Number, Owner, PrimaryKey, Text};
pub use number::{Integer, integer, narrowed, real, single};
pub use record::{Record, RecordError, Values};
pub use row::{ShortText, ValueRef};
pub use types::merge_patch;

/// An owned value of an attribute.
///
/// Values that are strings in JSON are texts in the normal form in which they are stored, so that equal
/// values are equal texts.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// No value.
    Null,
    /// True or false.
    Boolean(bool),
    /// Any integer kind.
    Integer(i64),
    /// A finite number, of single or double precision.
    Real(f64),
    /// Unicode text, or a value that is stored as text: a decimal, UUID, date, time or JSON.
    Text(String),
    /// Bytes.
    Bytes(Vec<u8>),
}

impl Hash for Value {
    fn hash<H: Hasher>(&self, state: &mut H) {
        match self {
            Self::Null => {}
            Self::Boolean(boolean) => boolean.hash(state),
            Self::Integer(integer) => integer.hash(state),
            // Both zeros are equal, and have different bits.
            Self::Real(real) => (real + 0.0).to_bits().hash(state),
            Self::Text(text) => text.hash(state),
            Self::Bytes(bytes) => bytes.hash(state),
        }
    }
}

impl Value {
    /// The text of a value that is stored as one, or the error of a value that is no `kind`.
    pub(crate) fn into_text(self, kind: Kind) -> Result<String, RecordError> {
        // A row or a request of another type lands here, and is refused with the kind that was expected.
        match self {
            Self::Text(text) => Ok(text),
            _ => Err(RecordError::mismatch(kind)),
        }
    }

    /// The value as a row of the database would lend it.
    #[doc(hidden)]
    pub fn lend(&self) -> ValueRef<'_> {
        match self {
            Self::Null => ValueRef::Null,
            // Drivers lend booleans as integers, since SQLite has no type for them.
            Self::Boolean(boolean) => ValueRef::Integer((*boolean).into()),
            Self::Integer(integer) => ValueRef::Integer(*integer),
            Self::Real(real) => ValueRef::Real(*real),
            Self::Text(text) => ValueRef::Text(text),
            Self::Bytes(bytes) => ValueRef::Bytes(bytes),
        }
    }
}

/// Shows the value for people, for instance in the message that an item does not exist.
impl fmt::Display for Value {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Null => formatter.write_str("null"),
            Self::Boolean(boolean) => write!(formatter, "{boolean}"),
            Self::Integer(integer) => write!(formatter, "{integer}"),
            // `Debug` keeps the point of `1.0`, which tells it from an integer.
            Self::Real(real) => write!(formatter, "{real:?}"),
            Self::Text(text) => formatter.write_str(text),
            // Bytes are mostly no text, and their base64 would fill the message.
            Self::Bytes(bytes) => write!(formatter, "{} bytes", bytes.len()),
        }
    }
}

/// The digest of the text that is written into it, by FNV-1a: the same in every build, which no hash of the standard
/// library promises.
#[derive(Debug, Clone, Copy)]
pub struct Fnv1a(u64);

impl Fnv1a {
    /// The digest of a text.
    pub fn of(text: impl fmt::Display) -> Self {
        // The offset basis of the variant with 64 bits.
        Self(0xcbf2_9ce4_8422_2325).and(text)
    }

    /// The digest of this text and another one behind it.
    #[must_use]
    pub fn and(mut self, text: impl fmt::Display) -> Self {
        // Nothing can fail here, unless the text fails to be written.
        let _ = fmt::write(&mut self, format_args!("{text}"));
        self
    }

    /// The digest as a number.
    pub const fn value(self) -> u64 {
        self.0
    }
}

impl fmt::Write for Fnv1a {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.0 = text.bytes().fold(self.0, |digest, byte| {
            (digest ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        });
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::Fnv1a;

    #[test]
    fn the_digest_is_the_published_one() {
        assert_eq!(Fnv1a::of("").value(), 0xcbf2_9ce4_8422_2325);
        assert_eq!(Fnv1a::of("a").value(), 0xaf63_dc4c_8601_ec8c);
        assert_eq!(Fnv1a::of("foo").and("bar").value(), 0x8594_4171_f739_67e8);
    }
}
