use std::fmt;

/// The closed set of kinds in which attribute values are stored.
///
/// A Rust type maps to its kind through [`FieldValue`](crate::FieldValue).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Kind {
    /// `bool`
    Boolean,
    /// `i16`
    SmallInteger,
    /// `i32`
    Integer,
    /// `i64`
    BigInteger,
    /// `f64`, finite
    Double,
    /// `String`: Unicode text without U+0000
    Text,
}

impl Kind {
    /// The smallest and greatest integer of an integer kind.
    pub(crate) const fn integer_range(self) -> Option<(i64, i64)> {
        match self {
            Self::SmallInteger => Some((i16::MIN as i64, i16::MAX as i64)),
            Self::Integer => Some((i32::MIN as i64, i32::MAX as i64)),
            Self::BigInteger => Some((i64::MIN, i64::MAX)),
            Self::Boolean | Self::Double | Self::Text => None,
        }
    }
}

/// The kind as a client reads it in an error: "an integer", "a string".
impl fmt::Display for Kind {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Boolean => "true or false",
            Self::SmallInteger | Self::Integer | Self::BigInteger => "an integer",
            Self::Double => "a number",
            Self::Text => "a string",
        })
    }
}
