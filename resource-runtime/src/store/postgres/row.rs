//! Values as PostgreSQL sends and takes them.

use resource_model::error::{DatabaseFailure, DatabaseResult};
use resource_model::schema::Kind;
use resource_model::value::{Value, ValueRef};
use resource_sql::Bind;
use sqlx::error::BoxDynError;
use sqlx::postgres::{PgArguments, PgRow};
use sqlx::{Arguments as _, Row as _, TypeInfo as _, ValueRef as _};

use super::decode::{self, array};
use crate::store::Row;

impl Row for PgRow {
    fn value(&self, index: usize) -> DatabaseResult<ValueRef<'_>> {
        let value = self.try_get_raw(index).map_err(DatabaseFailure::internal)?;
        if value.is_null() {
            return Ok(ValueRef::Null);
        }
        let class = value.type_info().oid().map_or(0, |oid| oid.0);
        let bytes = value.as_bytes().map_err(DatabaseFailure::internal)?;
        lent(class, bytes).ok_or_else(|| {
            let class = value.type_info();
            let class = class.name();
            DatabaseFailure::internal(format!("a column of type {class} holds what no kind does"))
        })
    }
}

/// The value that PostgreSQL sends in its binary form.
fn lent(class: u32, bytes: &[u8]) -> Option<ValueRef<'_>> {
    Some(match class {
        class::BOOL => ValueRef::Integer(bytes.first().copied()?.into()),
        class::INT2 => ValueRef::Integer(i16::from_be_bytes(array(bytes)?).into()),
        class::INT4 => ValueRef::Integer(i32::from_be_bytes(array(bytes)?).into()),
        class::INT8 => ValueRef::Integer(i64::from_be_bytes(array(bytes)?)),
        class::FLOAT4 => ValueRef::Real(f32::from_be_bytes(array(bytes)?).into()),
        class::FLOAT8 => ValueRef::Real(f64::from_be_bytes(array(bytes)?)),
        class::NUMERIC => ValueRef::Short(decode::numeric(bytes)?),
        class::BYTEA => ValueRef::Bytes(bytes),
        class::UUID => ValueRef::Short(decode::uuid(bytes)?),
        class::DATE => ValueRef::Short(decode::date(bytes)?),
        class::TIME => ValueRef::Short(decode::time(bytes)?),
        class::TIMESTAMP => ValueRef::Short(decode::local_date_time(bytes)?),
        class::TIMESTAMPTZ => ValueRef::Short(decode::instant(bytes)?),
        // A byte that tells the version of the form stands before the text.
        class::JSONB => ValueRef::Text(std::str::from_utf8(bytes.get(1..)?).ok()?),
        _ => ValueRef::Text(std::str::from_utf8(bytes).ok()?),
    })
}

/// The numbers of the types in the server's catalogue, the same on each.
mod class {
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

/// Binds each value as its kind, also null: a prepared statement is found by its text alone, and
/// one text must always be bound alike. Kinds that are written as text are cast in the statement.
pub(super) fn arguments(binds: &[Bind]) -> Result<PgArguments, BoxDynError> {
    let mut arguments = PgArguments::default();
    for Bind { kind, value } in binds {
        match value {
            Value::Null => add_null(&mut arguments, *kind)?,
            Value::Boolean(boolean) => arguments.add(boolean)?,
            Value::Integer(integer) => add_integer(&mut arguments, *kind, *integer)?,
            // Minus zero becomes zero, as it is stored elsewhere.
            Value::Real(real) if *kind == Kind::Real => arguments.add(single(*real + 0.0))?,
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
        _ => arguments.add(None::<String>),
    }
}

fn add_integer(arguments: &mut PgArguments, kind: Kind, integer: i64) -> Result<(), BoxDynError> {
    match kind {
        Kind::SmallInteger => arguments.add(i16::try_from(integer)?),
        Kind::Integer => arguments.add(i32::try_from(integer)?),
        _ => arguments.add(integer),
    }
}

#[allow(
    clippy::cast_possible_truncation,
    reason = "what is bound to a single was one before it was widened"
)]
const fn single(real: f64) -> f32 {
    real as f32
}
