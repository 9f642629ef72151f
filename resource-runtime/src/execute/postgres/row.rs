use sqlx::postgres::PgRow;
use sqlx::{Row as _, TypeInfo as _, ValueRef as _};

use super::decode::{self, array};
use crate::error::DatabaseFailure;
use crate::value::{Row, ValueRef};

impl Row for PgRow {
    fn value(&self, index: usize) -> Result<ValueRef<'_>, DatabaseFailure> {
        let value = self
            .try_get_raw(index)
            .map_err(DatabaseFailure::unexpected)?;
        if value.is_null() {
            return Ok(ValueRef::Null);
        }
        let class = value.type_info().name().to_owned();
        let bytes = value.as_bytes().map_err(DatabaseFailure::unexpected)?;
        lent(&class, bytes).ok_or_else(|| {
            DatabaseFailure::unexpected(format!("a column of type {class} holds what no kind does"))
        })
    }
}

/// The value that PostgreSQL sends in its binary form.
fn lent<'row>(class: &str, bytes: &'row [u8]) -> Option<ValueRef<'row>> {
    Some(match class {
        "BOOL" => ValueRef::Integer(bytes.first().copied()?.into()),
        "INT2" => ValueRef::Integer(i16::from_be_bytes(array(bytes)?).into()),
        "INT4" => ValueRef::Integer(i32::from_be_bytes(array(bytes)?).into()),
        "INT8" => ValueRef::Integer(i64::from_be_bytes(array(bytes)?)),
        "FLOAT4" => ValueRef::Real(f32::from_be_bytes(array(bytes)?).into()),
        "FLOAT8" => ValueRef::Real(f64::from_be_bytes(array(bytes)?)),
        "NUMERIC" => ValueRef::Short(decode::numeric(bytes)?),
        "BYTEA" => ValueRef::Bytes(bytes),
        "UUID" => ValueRef::Short(decode::uuid(bytes)?),
        "DATE" => ValueRef::Short(decode::date(bytes)?),
        "TIME" => ValueRef::Short(decode::time(bytes)?),
        "TIMESTAMP" => ValueRef::Short(decode::local_date_time(bytes)?),
        "TIMESTAMPTZ" => ValueRef::Short(decode::instant(bytes)?),
        // A byte that tells the version of the form stands before the text.
        "JSONB" => ValueRef::Text(std::str::from_utf8(bytes.get(1..)?).ok()?),
        _ => ValueRef::Text(std::str::from_utf8(bytes).ok()?),
    })
}
