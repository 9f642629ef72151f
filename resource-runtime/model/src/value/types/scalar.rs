//! The scalar types of Rust as fields; a value of their kind is in its normal form, so `normalise` keeps it.

use crate::value::{Kind, narrowed};
use crate::{FieldValue, RecordError, Value};

macro_rules! integer {
    ($($type:ty => $kind:ident),*) => {$(
        impl FieldValue for $type {
            const KIND: Kind = Kind::$kind;

            fn from_value(value: Value) -> Result<Self, RecordError> {
                match value {
                    // All integers arrive with 64 bits, and a column of SQLite may hold greater ones than the
                    // type.
                    Value::Integer(integer) => {
                        Self::try_from(integer).map_err(|_| RecordError::mismatch(Self::KIND))
                    }
                    _ => Err(RecordError::mismatch(Self::KIND)),
                }
            }

            fn to_value(&self) -> Value {
                Value::Integer(i64::from(*self))
            }

            fn normalise(value: Value) -> Result<Value, RecordError> {
                Ok(value)
            }
        }
    )*};
}

integer!(i16 => SmallInteger, i32 => Integer, i64 => BigInteger);

impl FieldValue for bool {
    const KIND: Kind = Kind::Boolean;

    fn from_value(value: Value) -> Result<Self, RecordError> {
        match value {
            // Rows hold booleans as 0 and 1, which the kind has turned into `Boolean` before.
            Value::Boolean(boolean) => Ok(boolean),
            _ => Err(RecordError::mismatch(Self::KIND)),
        }
    }

    fn to_value(&self) -> Value {
        Value::Boolean(*self)
    }

    fn normalise(value: Value) -> Result<Value, RecordError> {
        Ok(value)
    }
}

impl FieldValue for f64 {
    const KIND: Kind = Kind::Double;

    fn from_value(value: Value) -> Result<Self, RecordError> {
        match value {
            // Whole numbers arrive as reals as well: requests are read by the kind, and so are rows.
            Value::Real(real) => Ok(real),
            _ => Err(RecordError::mismatch(Self::KIND)),
        }
    }

    fn to_value(&self) -> Value {
        Value::Real(*self + 0.0)
    }

    fn normalise(value: Value) -> Result<Value, RecordError> {
        Ok(without_minus_zero(value))
    }
}

impl FieldValue for f32 {
    const KIND: Kind = Kind::Real;

    fn from_value(value: Value) -> Result<Self, RecordError> {
        f64::from_value(value).map(narrowed)
    }

    fn to_value(&self) -> Value {
        Value::Real(f64::from(*self) + 0.0)
    }

    fn normalise(value: Value) -> Result<Value, RecordError> {
        Ok(without_minus_zero(value))
    }
}

/// Databases store minus zero as zero, so that an item would have another tag once it is read.
fn without_minus_zero(value: Value) -> Value {
    match value {
        Value::Real(real) => Value::Real(real + 0.0),
        other => other,
    }
}

impl FieldValue for String {
    const KIND: Kind = Kind::Text;

    fn from_value(value: Value) -> Result<Self, RecordError> {
        match value {
            // The text moves into the struct without a copy.
            Value::Text(text) => Ok(text),
            _ => Err(RecordError::mismatch(Self::KIND)),
        }
    }

    fn to_value(&self) -> Value {
        Value::Text(self.clone())
    }

    // A text has only one form, so that no value is built only to be written again.
    fn normalise(value: Value) -> Result<Value, RecordError> {
        Ok(value)
    }
}

/// Bytes are a string in base64 with padding in JSON (RFC 4648, section 4).
impl FieldValue for Vec<u8> {
    const KIND: Kind = Kind::Bytes;

    fn from_value(value: Value) -> Result<Self, RecordError> {
        match value {
            Value::Bytes(bytes) => Ok(bytes),
            _ => Err(RecordError::mismatch(Self::KIND)),
        }
    }

    fn to_value(&self) -> Value {
        Value::Bytes(self.clone())
    }

    fn normalise(value: Value) -> Result<Value, RecordError> {
        Ok(value)
    }
}
