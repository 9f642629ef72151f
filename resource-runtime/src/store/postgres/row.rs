//! Values in PostgreSQL's binary protocol: decoding of rows, and arguments of statements.

use resource_model::error::{DatabaseFailure, DatabaseResult};
use resource_model::schema::Kind;
use resource_model::value::{Value, ValueRef, narrowed};
use resource_sql::Bind;
use sqlx::error::BoxDynError;
use sqlx::postgres::{PgArguments, PgRow};
use sqlx::{Arguments as _, Row as _, TypeInfo as _, ValueRef as _};

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

/// Binds each value by its kind, null included: sqlx finds a prepared statement by its text alone, so
/// one text must always have the same argument types. Kinds that are bound as text are cast in the statement.
pub(super) fn arguments(binds: &[Bind]) -> Result<PgArguments, BoxDynError> {
    let mut arguments = PgArguments::default();
    // For each its length and, as most are, at most eight bytes.
    arguments.reserve(binds.len(), binds.len() * 12);
    for Bind { kind, value, .. } in binds {
        match value {
            Value::Null => add_null(&mut arguments, *kind)?,
            Value::Boolean(boolean) => arguments.add(boolean)?,
            Value::Integer(integer) => add_integer(&mut arguments, *kind, *integer)?,
            // Minus zero becomes zero, as SQLite stores it.
            Value::Real(real) if *kind == Kind::Real => arguments.add(narrowed(*real + 0.0))?,
            Value::Real(real) => arguments.add(*real + 0.0)?,
            Value::Text(text) => arguments.add(text.as_str())?,
            Value::Bytes(bytes) => arguments.add(bytes.as_slice())?,
        }
    }
    Ok(arguments)
}

fn add_null(arguments: &mut PgArguments, kind: Kind) -> Result<(), BoxDynError> {
    match kind {
        Kind::Boolean => arguments.add(None::<bool>),
        Kind::SmallInteger => arguments.add(None::<i16>),
        Kind::Integer => arguments.add(None::<i32>),
        Kind::BigInteger => arguments.add(None::<i64>),
        Kind::Real => arguments.add(None::<f32>),
        Kind::Double => arguments.add(None::<f64>),
        Kind::Bytes => arguments.add(None::<Vec<u8>>),
        // Bound as text and cast in the statement, like the values of these kinds.
        _ => arguments.add(None::<String>),
    }
}

fn add_integer(arguments: &mut PgArguments, kind: Kind, integer: i64) -> Result<(), BoxDynError> {
    match kind {
        // Values are checked against their kind when they are read, so that a failure here is a defect.
        Kind::SmallInteger => arguments.add(i16::try_from(integer)?),
        Kind::Integer => arguments.add(i32::try_from(integer)?),
        _ => arguments.add(integer),
    }
}

/// The array of the values, of which null is none; fails for a value of another kind, which is a defect.
macro_rules! array {
    ($values:expr, $pattern:pat => $typed:expr) => {
        $values
            .map(|value| match value {
                Value::Null => Ok(None),
                $pattern => $typed.map(Some).ok_or("a value is beyond its column"),
                _ => Err("a value is not of the kind of its column"),
            })
            .collect::<Result<Vec<_>, _>>()?
    };
}

/// Binds an array for each column of the rows, by the kind of its attribute, as [`arguments`] binds single values.
pub(super) fn array_arguments(rows: &[Vec<Bind>]) -> Result<PgArguments, BoxDynError> {
    let mut arguments = PgArguments::default();
    for (index, Bind { kind, .. }) in rows.first().into_iter().flatten().enumerate() {
        let values = rows.iter().filter_map(|row| Some(&row.get(index)?.value));
        match kind {
            Kind::Boolean => arguments.add(array!(values, Value::Boolean(it) => Some(*it))),
            Kind::SmallInteger => {
                arguments.add(array!(values, Value::Integer(it) => i16::try_from(*it).ok()))
            }
            Kind::Integer => {
                arguments.add(array!(values, Value::Integer(it) => i32::try_from(*it).ok()))
            }
            Kind::BigInteger => arguments.add(array!(values, Value::Integer(it) => Some(*it))),
            // Minus zero becomes zero, as above.
            Kind::Real => {
                arguments.add(array!(values, Value::Real(it) => Some(narrowed(*it + 0.0))))
            }
            Kind::Double => arguments.add(array!(values, Value::Real(it) => Some(*it + 0.0))),
            Kind::Bytes => arguments.add(array!(values, Value::Bytes(it) => Some(it.as_slice()))),
            _ => arguments.add(array!(values, Value::Text(it) => Some(it.as_str()))),
        }?;
    }
    Ok(arguments)
}
