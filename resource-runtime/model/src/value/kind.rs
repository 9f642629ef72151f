use std::fmt;

/// The closed set of kinds in which attribute values are stored.
///
/// A Rust type maps to its kind through [`FieldValue`](crate::FieldValue).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// `bool`
    Boolean,
    /// `i16`
    SmallInteger,
    /// `i32`
    Integer,
    /// `i64`
    BigInteger,
    /// `f32`, finite
    Real,
    /// `f64`, finite
    Double,
    /// A decimal number, exact and ordered as one: `12.50`.
    Decimal,
    /// `String`: Unicode text without U+0000
    Text,
    /// `Vec<u8>`; in JSON a string in base64 with padding (RFC 4648, section 4).
    Bytes,
    /// A UUID; in JSON a string of lower-case letters with hyphens.
    Uuid,
    /// A day of the calendar: `2024-02-29`.
    Date,
    /// A time of day: `07:08:09.5`.
    Time,
    /// A day and a time without an offset: `2024-02-29T07:08:09`.
    LocalDateTime,
    /// An instant, in answers as UTC: `2024-02-29T07:08:09Z`.
    Timestamp,
    /// Any JSON value.
    Json,
}

impl Kind {
    /// The smallest and greatest integer of an integer kind.
    pub const fn integer_range(self) -> Option<(i64, i64)> {
        match self {
            Self::SmallInteger => Some((i16::MIN as i64, i16::MAX as i64)),
            Self::Integer => Some((i32::MIN as i64, i32::MAX as i64)),
            Self::BigInteger => Some((i64::MIN, i64::MAX)),
            _ => None,
        }
    }

    /// Whether JSON writes its values as strings.
    pub const fn is_written_as_string(self) -> bool {
        matches!(
            self,
            Self::Text
                | Self::Bytes
                | Self::Uuid
                | Self::Date
                | Self::Time
                | Self::LocalDateTime
                | Self::Timestamp
                | Self::Decimal
        )
    }

    /// Whether one value is less than another: filters compare and orders sort it.
    pub const fn is_ordered(self) -> bool {
        !matches!(self, Self::Json)
    }
}

/// The kind as a client reads it in an error: "an integer", "a string".
impl fmt::Display for Kind {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Boolean => "true or false",
            Self::SmallInteger | Self::Integer | Self::BigInteger => "an integer",
            Self::Real | Self::Double => "a number",
            Self::Decimal => "a decimal number like \"12.50\"",
            Self::Text => "a string",
            Self::Bytes => "a string in base64 with padding like \"AP8=\"",
            Self::Uuid => "a UUID like \"01890a5d-ac96-774b-bcce-b302099a8057\"",
            Self::Date => "a date like \"2024-02-29\"",
            Self::Time => "a time like \"07:08:09\"",
            Self::LocalDateTime => "a date and time like \"2024-02-29T07:08:09\"",
            Self::Timestamp => "a timestamp with an offset like \"2024-02-29T07:08:09Z\"",
            Self::Json => "JSON",
        })
    }
}
