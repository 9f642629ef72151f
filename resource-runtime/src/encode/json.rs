use serde::Serialize;

use crate::error::DatabaseFailure;
use crate::schema::Kind;
use crate::value::ValueRef;

/// Appends a stored value of `kind` as JSON.
pub(super) fn write(
    value: ValueRef<'_>,
    kind: Kind,
    bytes: &mut Vec<u8>,
) -> Result<(), DatabaseFailure> {
    match (kind, value) {
        (_, ValueRef::Null) => bytes.extend_from_slice(b"null"),
        (Kind::Boolean, ValueRef::Integer(0)) => bytes.extend_from_slice(b"false"),
        (Kind::Boolean, ValueRef::Integer(1)) => bytes.extend_from_slice(b"true"),
        (Kind::SmallInteger | Kind::Integer | Kind::BigInteger, ValueRef::Integer(integer)) => {
            serialize(&integer, bytes)?;
        }
        (Kind::Double, ValueRef::Real(real)) => serialize(&real, bytes)?,
        (Kind::Text, ValueRef::Text(text)) => serialize(text, bytes)?,
        (kind, value) => {
            return Err(DatabaseFailure::Unexpected(format!(
                "a column of kind {kind:?} holds {value:?}"
            )));
        }
    }
    Ok(())
}

fn serialize<T: Serialize + ?Sized>(value: &T, bytes: &mut Vec<u8>) -> Result<(), DatabaseFailure> {
    serde_json::to_writer(bytes, value).map_err(DatabaseFailure::unexpected)
}
