//! The scalar types of Rust as fields; a value of their kind is in its normal form, so `normalise` keeps it.

use crate::value::Kind;
use crate::{FieldValue, RecordError, Value};

macro_rules! scalars {
    ($($(#[$doc:meta])* $type:ty => $kind:ident in $variant:ident;)*) => {$(
        $(#[$doc])*
        impl FieldValue for $type {
            const KIND: Kind = Kind::$kind;

            fn from_value(value: Value) -> Result<Self, RecordError> {
                match value {
                    Value::$variant(held) => {
                        Self::try_from(held).map_err(|_| RecordError::mismatch(Self::KIND))
                    }
                    _ => Err(RecordError::mismatch(Self::KIND)),
                }
            }

            fn to_value(&self) -> Value {
                Value::$variant(Self::clone(self).into())
            }

            fn normalise(value: Value) -> Result<Value, RecordError> {
                Ok(value)
            }
        }
    )*};
}

scalars! {
    bool => Boolean in Boolean;
    i16 => SmallInteger in Integer;
    i32 => Integer in Integer;
    i64 => BigInteger in Integer;
    f64 => Double in Real;
    String => Text in Text;
    /// Bytes are a string in base64 with padding in JSON (RFC 4648, section 4).
    Vec<u8> => Bytes in Bytes;
}

impl FieldValue for f32 {
    const KIND: Kind = Kind::Real;

    #[allow(
        clippy::cast_possible_truncation,
        reason = "what is stored was a single before it was widened"
    )]
    fn from_value(value: Value) -> Result<Self, RecordError> {
        f64::from_value(value).map(|real| real as Self)
    }

    fn to_value(&self) -> Value {
        Value::Real(f64::from(*self))
    }

    fn normalise(value: Value) -> Result<Value, RecordError> {
        Ok(value)
    }
}
