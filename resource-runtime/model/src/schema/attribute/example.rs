//! Examples of attribute values, as literals of Rust.

use crate::schema::Kind;
use crate::value::{JsonForm, Value};

/// The example of an attribute's values in descriptions of the API.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Example {
    /// A boolean.
    Boolean(bool),
    /// A number without a fraction.
    Integer(i64),
    /// A number with a fraction.
    Real(f64),
    /// A string of JSON, or the text of a JSON value.
    Text(&'static str),
    /// Bytes.
    Bytes(&'static [u8]),
}

impl Example {
    /// Tests whether values of the kind are written as such a literal.
    #[doc(hidden)]
    pub const fn is_of(self, kind: Kind) -> bool {
        match kind.entry().json {
            JsonForm::Boolean => matches!(self, Self::Boolean(_)),
            JsonForm::Integer(_) => match (self, kind.integer_range()) {
                (Self::Integer(integer), Some((least, greatest))) => {
                    least <= integer && integer <= greatest
                }
                _ => false,
            },
            JsonForm::Number(_) => matches!(self, Self::Integer(_) | Self::Real(_)),
            JsonForm::Base64 => matches!(self, Self::Bytes(_)),
            JsonForm::Text | JsonForm::Format(_) | JsonForm::Pattern(_) | JsonForm::Any => {
                matches!(self, Self::Text(_))
            }
        }
    }

    /// The value of an attribute of the kind.
    #[expect(
        clippy::cast_precision_loss,
        reason = "a literal beyond 2^53 for a field of doubles is rounded by Rust, too"
    )]
    pub(crate) fn value(self, kind: Kind) -> Value {
        let is_real = matches!(kind.entry().json, JsonForm::Number(_));
        match self {
            Self::Boolean(boolean) => Value::Boolean(boolean),
            Self::Integer(integer) if is_real => Value::Real(integer as f64),
            Self::Integer(integer) => Value::Integer(integer),
            Self::Real(real) => Value::Real(real),
            Self::Text(text) => Value::Text(text.to_owned()),
            Self::Bytes(bytes) => Value::Bytes(bytes.to_owned()),
        }
    }
}
