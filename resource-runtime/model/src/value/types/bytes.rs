use crate::value::Kind;
use crate::{FieldValue, RecordError, Value};

/// In JSON a string in base64 with padding (RFC 4648, section 4).
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
