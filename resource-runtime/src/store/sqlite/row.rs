//! Values of SQLite: rows of sqlx and of rusqlite, and bound values of rusqlite.

use resource_model::error::{DatabaseFailure, DatabaseResult};
use resource_model::value::{Value, ValueRef};
use resource_sql::Bind;
use rusqlite::types::{ToSql, ToSqlOutput, ValueRef as SqliteValue};
use rusqlite::{Params, params_from_iter};
use sqlx::sqlite::SqliteRow;
use sqlx::{Decode, Row as _, Sqlite, TypeInfo as _, ValueRef as _};

use super::failure::of_reader;
use crate::store::Row;

impl Row for rusqlite::Row<'_> {
    fn value(&self, index: usize) -> DatabaseResult<ValueRef<'_>> {
        match self.get_ref(index).map_err(of_reader)? {
            SqliteValue::Null => Ok(ValueRef::Null),
            SqliteValue::Integer(integer) => Ok(ValueRef::Integer(integer)),
            SqliteValue::Real(real) => Ok(ValueRef::Real(real)),
            // SQLite does not check the encoding of texts that other programs store.
            SqliteValue::Text(bytes) => std::str::from_utf8(bytes)
                .map(ValueRef::Text)
                .map_err(DatabaseFailure::internal),
            SqliteValue::Blob(bytes) => Ok(ValueRef::Bytes(bytes)),
        }
    }
}

impl Row for SqliteRow {
    fn value(&self, index: usize) -> DatabaseResult<ValueRef<'_>> {
        let value = self.try_get_raw(index).map_err(DatabaseFailure::internal)?;
        if value.is_null() {
            return Ok(ValueRef::Null);
        }
        // The type is that of the stored value, not of the column; decoding consumes the value.
        let info = value.type_info().into_owned();
        // Every value keeps the type in which it was stored; the kind of its attribute is applied later.
        let decoded = match info.name() {
            "INTEGER" => Decode::<Sqlite>::decode(value).map(ValueRef::Integer),
            "REAL" => Decode::<Sqlite>::decode(value).map(ValueRef::Real),
            "BLOB" => Decode::<Sqlite>::decode(value).map(ValueRef::Bytes),
            _ => Decode::<Sqlite>::decode(value).map(ValueRef::Text),
        };
        decoded.map_err(DatabaseFailure::internal)
    }
}

/// The values of a statement, borrowed while it is executed.
pub(super) fn bound(binds: &[Bind]) -> impl Params {
    params_from_iter(binds.iter().map(Bound))
}

struct Bound<'statement>(&'statement Bind);

impl ToSql for Bound<'_> {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        // Columns that others made hold some values as other texts or numbers.
        match self.0.stored() {
            Some(Value::Real(real)) => return Ok(real.into()),
            Some(Value::Text(text)) => return Ok(text.into()),
            _ => {}
        }
        Ok(ToSqlOutput::Borrowed(match &self.0.value {
            Value::Null => SqliteValue::Null,
            // SQLite has no type for booleans.
            Value::Boolean(boolean) => SqliteValue::Integer((*boolean).into()),
            Value::Integer(integer) => SqliteValue::Integer(*integer),
            Value::Real(real) => SqliteValue::Real(*real),
            Value::Text(text) => SqliteValue::Text(text.as_bytes()),
            Value::Bytes(bytes) => SqliteValue::Blob(bytes),
        }))
    }
}
