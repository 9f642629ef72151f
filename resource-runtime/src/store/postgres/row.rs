//! Rows in PostgreSQL's binary protocol.

use resource_model::error::{DatabaseFailure, DatabaseResult};
use resource_model::value::ValueRef;
use sqlx::error::BoxDynError;
use sqlx::postgres::PgRow;
use sqlx::{Row as _, TypeInfo as _, ValueRef as _};
use tokio_postgres::types::{FromSql, Type};

use super::decode::{self, array};
use crate::store::Row;

/// The bytes of a value with the object id of its type; none for null.
struct Raw<'a>(u32, Option<&'a [u8]>);

impl<'a> FromSql<'a> for Raw<'a> {
    fn from_sql(of: &Type, bytes: &'a [u8]) -> Result<Self, BoxDynError> {
        Ok(Self(of.oid(), Some(bytes)))
    }

    fn from_sql_null(of: &Type) -> Result<Self, BoxDynError> {
        Ok(Self(of.oid(), None))
    }

    fn accepts(_: &Type) -> bool {
        true
    }
}

impl Row for tokio_postgres::Row {
    fn value(&self, index: usize) -> DatabaseResult<ValueRef<'_>> {
        let Raw(oid, bytes) = self.try_get(index).map_err(DatabaseFailure::internal)?;
        let Some(bytes) = bytes else {
            return Ok(ValueRef::Null);
        };
        decoded(oid, bytes).ok_or_else(|| {
            let column = self.columns().get(index);
            unknown(column.map_or("", |column| column.type_().name()))
        })
    }
}

/// The failure of a value that is none of its type.
#[cold]
fn unknown(name: &str) -> DatabaseFailure {
    DatabaseFailure::internal(format!(
        "a column of type {name} holds a value that no attribute can have"
    ))
}

impl Row for PgRow {
    fn value(&self, index: usize) -> DatabaseResult<ValueRef<'_>> {
        let value = self.try_get_raw(index).map_err(DatabaseFailure::internal)?;
        if value.is_null() {
            return Ok(ValueRef::Null);
        }
        let info = value.type_info();
        let bytes = value.as_bytes().map_err(DatabaseFailure::internal)?;
        // Every type of a row has an object id; zero would be that of no type, and is read as text.
        decoded(info.oid().map_or(0, |oid| oid.0), bytes).ok_or_else(|| unknown(info.name()))
    }
}

/// The value of a type, by its object id, from the binary form.
fn decoded(oid: u32, bytes: &[u8]) -> Option<ValueRef<'_>> {
    Some(match oid {
        // SQLite stores a boolean as an integer; the kind of the attribute makes it a boolean again.
        oid::BOOL => ValueRef::Integer(bytes.first().copied()?.into()),
        oid::INT2 => ValueRef::Integer(i16::from_be_bytes(array(bytes)?).into()),
        oid::INT4 => ValueRef::Integer(i32::from_be_bytes(array(bytes)?).into()),
        oid::INT8 => ValueRef::Integer(i64::from_be_bytes(array(bytes)?)),
        oid::FLOAT4 => ValueRef::Real(f32::from_be_bytes(array(bytes)?).into()),
        oid::FLOAT8 => ValueRef::Real(f64::from_be_bytes(array(bytes)?)),
        // Written into a buffer on the stack: these values have short texts, and a page has many of them.
        oid::NUMERIC => ValueRef::Short(decode::numeric(bytes)?),
        oid::BYTEA => ValueRef::Bytes(bytes),
        oid::UUID => ValueRef::Short(decode::uuid(bytes)?),
        oid::DATE => ValueRef::Short(decode::date(bytes)?),
        oid::TIME => ValueRef::Short(decode::time(bytes)?),
        oid::TIMESTAMP => ValueRef::Short(decode::local_date_time(bytes)?),
        oid::TIMESTAMPTZ => ValueRef::Short(decode::instant(bytes)?),
        // The text follows a byte with the version of the format.
        oid::JSONB => ValueRef::Text(std::str::from_utf8(bytes.get(1..)?).ok()?),
        // Text, and types whose binary form is their text, such as enums and `json`.
        _ => ValueRef::Text(std::str::from_utf8(bytes).ok()?),
    })
}

/// The object ids of built-in types, which are the same on every server.
mod oid {
    pub(super) const BOOL: u32 = 16;
    pub(super) const BYTEA: u32 = 17;
    pub(super) const INT8: u32 = 20;
    pub(super) const INT2: u32 = 21;
    pub(super) const INT4: u32 = 23;
    pub(super) const FLOAT4: u32 = 700;
    pub(super) const FLOAT8: u32 = 701;
    pub(super) const DATE: u32 = 1082;
    pub(super) const TIME: u32 = 1083;
    pub(super) const TIMESTAMP: u32 = 1114;
    pub(super) const TIMESTAMPTZ: u32 = 1184;
    pub(super) const NUMERIC: u32 = 1700;
    pub(super) const UUID: u32 = 2950;
    pub(super) const JSONB: u32 = 3802;
}
