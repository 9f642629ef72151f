use resource_model::schema::StoredColumn;
use sqlx::postgres::PgRow;
use sqlx::{PgConnection, Row as _};

use crate::store::check_constraint::{Limit, limits_told};

/// The type with what limits it and without, and the limit as the catalogue keeps it.
const COLUMNS: &str = r"
    SELECT attname::text, format_type(atttypid, atttypmod), format_type(atttypid, NULL), atttypmod,
           coalesce(collname::text, ''), NOT attnotnull, atthasdef OR attidentity <> '',
           attgenerated <> '' OR attidentity = 'a'
    FROM pg_attribute LEFT JOIN pg_collation ON pg_collation.oid = attcollation
    WHERE attrelid = to_regclass(quote_ident($1)) AND attnum > 0 AND NOT attisdropped
    ORDER BY attnum";

/// Those that were never validated refuse new rows all the same.
const CHECKS: &str = r"
    SELECT pg_get_expr(conbin, conrelid)
    FROM pg_constraint WHERE contype = 'c' AND conrelid = to_regclass(quote_ident($1))
    ORDER BY oid";

/// The digits that a decimal may have before and behind its point.
const DECIMAL_DIGITS: (i32, i32) = (29, 28);

/// The digits behind a second that a time may have.
const TIME_DIGITS: i32 = 6;

/// The columns of a table, with what its checks keep them to.
pub(super) async fn read(
    connection: &mut PgConnection,
    table: &'static str,
) -> sqlx::Result<Vec<StoredColumn>> {
    let rows = sqlx::query(COLUMNS).bind(table);
    let rows = rows.fetch_all(&mut *connection).await?;
    let checks = sqlx::query_scalar(CHECKS).bind(table);
    let checks: Vec<String> = checks.fetch_all(&mut *connection).await?;
    let limits: Vec<Limit> = checks.iter().flat_map(|check| limits_told(check)).collect();
    rows.iter()
        .map(|row| {
            let mut column = column(row)?;
            let name = column.name.clone();
            let own = limits.iter().filter(|limit| limit.column() == name);
            own.for_each(|limit| limit.narrow(&mut column));
            Ok(column)
        })
        .collect()
}

fn column(row: &PgRow) -> sqlx::Result<StoredColumn> {
    let (base, limit): (String, i32) = (row.try_get(2)?, row.try_get(3)?);
    Ok(StoredColumn {
        name: row.try_get(0)?,
        declared_type: row.try_get(1)?,
        stored_as: Some(stored_as(&base, limit)),
        collation: row.try_get(4)?,
        nullable: row.try_get(5)?,
        has_default: row.try_get(6)?,
        is_generated: row.try_get(7)?,
        min_length: None,
        max_length: longest(&base, limit),
        min: None,
        max: None,
        names: None,
    })
}

/// A type in the words of the definitions; one that no kind is stored as has none of them, and
/// neither has one that rounds what the kind holds.
fn stored_as(base: &str, limit: i32) -> &'static str {
    match base {
        "boolean" => "boolean",
        "smallint" => "smallint",
        "integer" => "integer",
        "bigint" => "bigint",
        "real" => "real",
        "double precision" => "double precision",
        "numeric" if holds_decimals(limit) => "numeric",
        "text" | "character varying" => "text",
        "bytea" => "bytea",
        "uuid" => "uuid",
        "date" => "date",
        "time without time zone" if holds_times(limit) => "time",
        "timestamp without time zone" if holds_times(limit) => "timestamp",
        "timestamp with time zone" if holds_times(limit) => "timestamptz",
        "jsonb" => "jsonb",
        _ => "another type",
    }
}

/// The catalogue adds the size of a header to a limit, where there is one.
fn without_header(limit: i32) -> Option<i32> {
    let limit = limit.checked_sub(4)?;
    (limit >= 0).then_some(limit)
}

fn longest(base: &str, limit: i32) -> Option<u32> {
    let length = without_header(limit).filter(|_| base == "character varying");
    length.and_then(|length| u32::try_from(length).ok())
}

/// The digits of a number stand in the upper half of the limit, those behind the point in the
/// lower; there, since version 15, in eleven bits.
fn holds_decimals(limit: i32) -> bool {
    without_header(limit).is_none_or(|limit| {
        let (precision, scale) = (limit >> 16, limit & 0x7ff);
        let scale = (scale ^ 0x400) - 0x400;
        let (before, behind) = DECIMAL_DIGITS;
        scale >= behind && precision - scale >= before
    })
}

const fn holds_times(limit: i32) -> bool {
    limit < 0 || limit >= TIME_DIGITS
}

#[cfg(test)]
mod tests {
    use super::{longest, stored_as};

    /// The limit of `numeric(precision, scale)` in the catalogue.
    const fn of_numeric(precision: i32, scale: i32) -> i32 {
        ((precision << 16) | (scale & 0x7ff)) + 4
    }

    #[test]
    fn a_type_that_rounds_is_another() {
        for (base, limit, expected) in [
            ("numeric", -1, "numeric"),
            ("numeric", of_numeric(57, 28), "numeric"),
            ("numeric", of_numeric(56, 28), "another type"),
            ("numeric", of_numeric(60, 27), "another type"),
            ("numeric", of_numeric(10, 2), "another type"),
            ("numeric", of_numeric(60, -3), "another type"),
            ("timestamp with time zone", -1, "timestamptz"),
            ("timestamp with time zone", 6, "timestamptz"),
            ("timestamp with time zone", 3, "another type"),
            ("timestamp without time zone", 0, "another type"),
            ("time without time zone", 6, "time"),
            ("time without time zone", 5, "another type"),
            ("time with time zone", -1, "another type"),
            ("character", 9, "another type"),
            ("json", -1, "another type"),
            ("email_address", -1, "another type"),
        ] {
            assert_eq!(stored_as(base, limit), expected, "{base} {limit}");
        }
    }

    #[test]
    fn a_length_is_one_of_texts() {
        assert_eq!(longest("character varying", 84), Some(80));
        assert_eq!(longest("character varying", -1), None);
        assert_eq!(longest("numeric", of_numeric(10, 2)), None);
    }
}
