use rusqlite::types::{ToSql, ToSqlOutput, ValueRef as SqliteValue};

use super::failure::of_reader;
use crate::error::DatabaseFailure;
use crate::plan::Bind;
use crate::value::{Row, Value, ValueRef};

impl Row for rusqlite::Row<'_> {
    fn value(&self, index: usize) -> Result<ValueRef<'_>, DatabaseFailure> {
        match self.get_ref(index).map_err(|error| of_reader(&error))? {
            SqliteValue::Null => Ok(ValueRef::Null),
            SqliteValue::Integer(integer) => Ok(ValueRef::Integer(integer)),
            SqliteValue::Real(real) => Ok(ValueRef::Real(real)),
            SqliteValue::Text(bytes) => std::str::from_utf8(bytes)
                .map(ValueRef::Text)
                .map_err(DatabaseFailure::unexpected),
            SqliteValue::Blob(_) => Err(DatabaseFailure::unexpected(
                "a column holds bytes, which no attribute is stored as",
            )),
        }
    }
}

/// Values are lent to SQLite for as long as the statement is stepped.
impl ToSql for Bind {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(ToSqlOutput::Borrowed(match &self.value {
            Value::Null => SqliteValue::Null,
            Value::Boolean(boolean) => SqliteValue::Integer((*boolean).into()),
            Value::Integer(integer) => SqliteValue::Integer(*integer),
            Value::Real(real) => SqliteValue::Real(*real),
            Value::Text(text) => SqliteValue::Text(text.as_bytes()),
        }))
    }
}
