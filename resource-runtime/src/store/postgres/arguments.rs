use resource_model::schema::Kind;
use resource_model::value::Value;
use resource_sql::Bind;
use sqlx::Arguments as _;
use sqlx::error::BoxDynError;
use sqlx::postgres::PgArguments;

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
