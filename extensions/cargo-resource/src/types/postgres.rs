//! The fields for columns of PostgreSQL, whose catalogue tells all of a type.

use resource_runtime::schema::StoredColumn;

use super::{Found, Mapped, Role, digits, of_choices, split, text_of};

/// The types of PostgreSQL that are served as they are.
const POSTGRES: &[(&str, &str, Role)] = &[
    ("bool", "bool", Role::Other),
    ("int2", "i16", Role::Integer(2)),
    ("int4", "i32", Role::Integer(4)),
    ("int8", "i64", Role::Integer(8)),
    ("float4", "f32", Role::Other),
    ("float8", "f64", Role::Other),
    ("uuid", "Uuid", Role::Text),
    ("bytea", "Vec<u8>", Role::Opaque),
    ("date", "NaiveDate", Role::Other),
    ("time", "NaiveTime", Role::Other),
    ("timestamp", "NaiveDateTime", Role::Other),
    ("timestamptz", "DateTime<Utc>", Role::Other),
    ("jsonb", "Value", Role::Opaque),
];

/// The types whose text is served, and read by the server.
const AS_TEXT: &str =
    "bit bpchar cidr citext inet interval ltree macaddr macaddr8 money timetz varbit xml";

/// Those of them that round what is written.
const ROUNDING: &str = "money timetz";

/// The digits behind the second that are served.
const SECOND_DIGITS: u32 = 6;

/// The greatest precision of `Decimal`.
const DECIMAL_PRECISION: u32 = 28;

/// The field for a column of PostgreSQL.
pub(crate) fn of_postgres(column: &StoredColumn) -> Found {
    let Some(base) = &column.base else {
        return Err(String::from("the catalogue does not tell its type"));
    };
    let name = base.name.as_str();
    let (_, arguments) = split(&base.declared);
    let form = match &base.schema {
        Some(schema) => format!("stored(postgres = type({schema:?}, {name:?}))"),
        None => format!("stored(postgres = type({name:?}))"),
    };
    if !base.labels.is_empty() {
        let mapped = of_choices(base.labels.clone()).unwrap_or_else(|| Mapped::text(None));
        return Ok(mapped.with([form]));
    }
    let seconds = arguments.first().filter(|it| **it < SECOND_DIGITS);
    if let Some((_, rust, role)) = POSTGRES.iter().find(|(known, ..)| *known == name) {
        let mapped = Mapped::to(rust, *role);
        return Ok(match (name, seconds) {
            (_, None) => mapped,
            ("time", Some(_)) => mapped.rounded(),
            // No client writes more digits than the column keeps.
            (_, Some(digits)) => {
                mapped.with([format!("stored(sqlite = t_text({}))", digits / 3 * 3)])
            }
        });
    }
    // `numeric(5,-2)`, `numeric(2,5)`, `interval second(1)`.
    let is_peculiar = base.declared.contains(['-', ' '])
        || digits(&arguments).is_some_and(|(precision, scale)| scale > precision);
    match name {
        "text" | "varchar" => {
            let text = text_of(column, arguments.first().copied())?;
            // Where different texts may be equal, the form compares them exactly.
            Ok(text.with((!column.has_exact_collation).then_some(form)))
        }
        "numeric" | "interval" if is_peculiar => Err(format!(
            "`{}` is the type of no field; a view can `CAST` it to `{name}`",
            base.declared
        )),
        "numeric" => match digits(&arguments) {
            None => Ok(Mapped::to("Decimal", Role::Other)),
            Some(digits) if digits.0 <= DECIMAL_PRECISION => Ok(Mapped::decimal(digits)),
            Some((precision, _)) => Err(format!(
                "its {precision} digits are more than the {DECIMAL_PRECISION} of a decimal; a view can show it as text"
            )),
        },
        _ if AS_TEXT.split(' ').any(|it| it == name) => {
            let length = arguments.first().filter(|_| name == "bpchar");
            let text = Mapped::text(length.copied()).with([form]);
            let is_rounding = ROUNDING.contains(name) || (name == "interval" && seconds.is_some());
            Ok(if is_rounding { text.rounded() } else { text })
        }
        "json" => Err(String::from(
            "`json` is not compared; a view can `CAST` it to `jsonb`",
        )),
        // The catalogue names the type of an array after that of its elements.
        _ if name.starts_with('_') => Err(String::from(
            "arrays are not served; a view can show it by `to_jsonb`",
        )),
        _ => Err(format!(
            "the type `{}` is not served; a view can show it by `CAST`",
            base.declared
        )),
    }
}
