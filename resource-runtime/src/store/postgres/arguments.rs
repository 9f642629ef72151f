//! Arguments of statements in PostgreSQL's binary protocol, for sqlx and for tokio-postgres.

use std::fmt;

use bytes::{BufMut, BytesMut};
use resource_model::schema::Kind;
use resource_model::value::{Value, narrowed};
use resource_sql::Bind;
use sqlx::error::BoxDynError;
use sqlx::postgres::types::Oid;
use sqlx::postgres::{PgArgumentBuffer, PgArguments, PgTypeInfo};
use sqlx::{Arguments as _, Encode, Postgres, encode};
use tokio_postgres::types::{IsNull, ToSql, Type, to_sql_checked};

/// The type with which values of a kind are bound, null included, and the type of their arrays. Drivers find a prepared
/// statement by its text alone, so one text must always have the same argument types.
const fn types(kind: Kind) -> (Type, Type) {
    match kind {
        Kind::Boolean => (Type::BOOL, Type::BOOL_ARRAY),
        Kind::SmallInteger => (Type::INT2, Type::INT2_ARRAY),
        Kind::Integer => (Type::INT4, Type::INT4_ARRAY),
        Kind::BigInteger => (Type::INT8, Type::INT8_ARRAY),
        Kind::Real => (Type::FLOAT4, Type::FLOAT4_ARRAY),
        Kind::Double => (Type::FLOAT8, Type::FLOAT8_ARRAY),
        Kind::Bytes => (Type::BYTEA, Type::BYTEA_ARRAY),
        // Bound as text and cast in the statement.
        _ => (Type::TEXT, Type::TEXT_ARRAY),
    }
}

pub(super) fn type_of(bind: &Bind) -> Type {
    types(bind.kind).0
}

/// Writes the binary form of a value. One that is not of its kind is a defect: values are checked when they are read.
fn write(Bind { kind, value, .. }: &Bind, out: &mut impl BufMut) -> Result<IsNull, BoxDynError> {
    match (value, kind) {
        (Value::Null, _) => return Ok(IsNull::Yes),
        (Value::Boolean(boolean), Kind::Boolean) => out.put_u8((*boolean).into()),
        (Value::Integer(integer), Kind::SmallInteger) => out.put_i16((*integer).try_into()?),
        (Value::Integer(integer), Kind::Integer) => out.put_i32((*integer).try_into()?),
        (Value::Integer(integer), Kind::BigInteger) => out.put_i64(*integer),
        // Minus zero becomes zero, as SQLite stores it.
        (Value::Real(real), Kind::Real) => out.put_f32(narrowed(*real + 0.0)),
        (Value::Real(real), Kind::Double) => out.put_f64(*real + 0.0),
        (Value::Bytes(bytes), Kind::Bytes) => out.put_slice(bytes),
        (Value::Text(text), kind) if types(*kind).0 == Type::TEXT => out.put_slice(text.as_bytes()),
        _ => return Err("a value is not of the kind of its column".into()),
    }
    Ok(IsNull::No)
}

/// A value as an argument for tokio-postgres.
pub(super) struct Bound<'a>(pub(super) &'a Bind);

impl fmt::Debug for Bound<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        // tokio-postgres writes arguments into its log, and values may be personal.
        write!(formatter, "{:?}", self.0.kind)
    }
}

impl ToSql for Bound<'_> {
    fn to_sql(&self, _: &Type, out: &mut BytesMut) -> Result<IsNull, BoxDynError> {
        write(self.0, out)
    }

    fn accepts(_: &Type) -> bool {
        // The statement is prepared for the types that are bound.
        true
    }

    to_sql_checked!();
}

/// An argument for sqlx: its type, and the function that writes it.
struct Argument<F>(Type, F);

impl<F> Encode<'_, Postgres> for Argument<F>
where
    F: Fn(&mut Vec<u8>) -> Result<IsNull, BoxDynError>,
{
    fn encode_by_ref(&self, out: &mut PgArgumentBuffer) -> Result<encode::IsNull, BoxDynError> {
        Ok(match self.1(out)? {
            IsNull::Yes => encode::IsNull::Yes,
            IsNull::No => encode::IsNull::No,
        })
    }

    fn produces(&self) -> Option<PgTypeInfo> {
        Some(PgTypeInfo::with_oid(Oid(self.0.oid())))
    }
}

impl<F> sqlx::Type<Postgres> for Argument<F> {
    fn type_info() -> PgTypeInfo {
        // Each argument produces its own.
        PgTypeInfo::with_oid(Oid(0))
    }
}

/// Binds each value by its kind.
pub(super) fn arguments(binds: &[Bind]) -> Result<PgArguments, BoxDynError> {
    let mut arguments = PgArguments::default();
    // For each its length and, as most are, at most eight bytes.
    arguments.reserve(binds.len(), binds.len() * 12);
    for bind in binds {
        let written = |out: &mut Vec<u8>| write(bind, out);
        arguments.add(Argument(type_of(bind), written))?;
    }
    Ok(arguments)
}

/// Binds an array for each column of the rows, by the kind of its attribute.
pub(super) fn array_arguments(rows: &[Vec<Bind>]) -> Result<PgArguments, BoxDynError> {
    let mut arguments = PgArguments::default();
    for (index, Bind { kind, .. }) in rows.first().into_iter().flatten().enumerate() {
        let of = types(*kind).1;
        let column = rows.iter().filter_map(|row| row.get(index));
        let column: Vec<_> = column.map(Bound).collect();
        let mut array = BytesMut::new();
        column.to_sql(&of, &mut array)?;
        arguments.add(Argument(of, |out: &mut Vec<u8>| {
            out.put_slice(&array);
            Ok(IsNull::No)
        }))?;
    }
    Ok(arguments)
}
