use std::borrow::Cow;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD as BASE64;
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
        #[cfg(feature = "postgres")]
        (_, ValueRef::Short(text)) => write(ValueRef::Text(text.as_str()), kind, bytes)?,
        (_, ValueRef::Null) => bytes.extend_from_slice(b"null"),
        (Kind::Boolean, ValueRef::Integer(0)) => bytes.extend_from_slice(b"false"),
        (Kind::Boolean, ValueRef::Integer(1)) => bytes.extend_from_slice(b"true"),
        (Kind::SmallInteger | Kind::Integer | Kind::BigInteger, ValueRef::Integer(integer)) => {
            serialize(&integer, bytes)?;
        }
        (Kind::Double, ValueRef::Real(real)) => serialize(&real, bytes)?,
        (Kind::Real, ValueRef::Real(real)) => serialize(&single(real), bytes)?,
        (Kind::Timestamp, ValueRef::Text(text)) => serialize(&*without_idle_zeros(text), bytes)?,
        (Kind::Json, ValueRef::Text(text)) => serialize(&json(text)?, bytes)?,
        (Kind::Bytes, ValueRef::Bytes(stored)) => serialize(&BASE64.encode(stored), bytes)?,
        (kind, ValueRef::Text(text)) if kind.is_written_as_string() => serialize(text, bytes)?,
        (kind, value) => {
            let class = value.class();
            return Err(DatabaseFailure::Unexpected(format!(
                "a column of kind {kind:?} holds {class}"
            )));
        }
    }
    Ok(())
}

/// What was stored as a single, which has fewer digits than the double that it is lent as.
#[allow(
    clippy::cast_possible_truncation,
    reason = "what is stored was a single before it was widened"
)]
const fn single(real: f64) -> f32 {
    real as f32
}

/// A timestamp is stored with six digits behind the second; those that mean nothing are left out.
fn without_idle_zeros(text: &str) -> Cow<'_, str> {
    let fraction = text.strip_suffix('Z').and_then(|text| text.split_once('.'));
    match fraction.map(|(second, fraction)| (second, fraction.trim_end_matches('0'))) {
        None => Cow::Borrowed(text),
        Some((second, "")) => Cow::Owned(format!("{second}Z")),
        Some((second, fraction)) => Cow::Owned(format!("{second}.{fraction}Z")),
    }
}

/// What another program wrote into the table need not be JSON, and would break the answer; and
/// PostgreSQL writes JSON in a form of its own.
fn json(text: &str) -> Result<serde_json::Value, DatabaseFailure> {
    serde_json::from_str(text).map_err(DatabaseFailure::unexpected)
}

fn serialize<T: Serialize + ?Sized>(value: &T, bytes: &mut Vec<u8>) -> Result<(), DatabaseFailure> {
    serde_json::to_writer(bytes, value).map_err(DatabaseFailure::unexpected)
}
