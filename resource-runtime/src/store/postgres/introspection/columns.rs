//! The columns of a table, with the limits of their types and checks.

use resource_model::schema::{StoredColumn, StoredType};
use sqlx::postgres::PgRow;
use sqlx::{PgConnection, Row as _};

use crate::store::check_constraint::{Limit, printed_limits};

/// Reads the columns; each type with its modifier, without it, and the modifier as the catalogue encodes it. Then the
/// type at the bottom of its domains, and whether the default calls no function that gives different values.
const COLUMNS: &str = r"
    SELECT attname::text, format_type(atttypid, atttypmod), format_type(atttypid, NULL), atttypmod,
           coalesce(collname::text, ''), NOT (attnotnull OR base.required), atthasdef OR attidentity <> '',
           attgenerated <> '' OR attidentity = 'a', col_description(attrelid, attnum),
           CASE WHEN NOT pg_type_is_visible(base.type) THEN nspname::text END, typname::text, format_type(base.type, base.modifier),
           ARRAY(SELECT enumlabel::text FROM pg_enum WHERE enumtypid = base.type ORDER BY enumsortorder),
           format_type(base.type, NULL), base.modifier, coalesce(collisdeterministic, TRUE),
           atthasdef AND attgenerated = '' AND NOT EXISTS (SELECT FROM pg_attrdef
               WHERE adrelid = attrelid AND adnum = attnum AND (adbin::text ~ 'SQLVALUEFUNCTION' OR EXISTS (
                   SELECT FROM regexp_matches(adbin::text, ':(?:op)?funcid (\d+)', 'g') AS called
                   JOIN pg_proc ON pg_proc.oid = called[1]::oid WHERE provolatile <> 'i'))),
           (SELECT pg_get_expr(adbin, adrelid) FROM pg_attrdef
               WHERE adrelid = attrelid AND adnum = attnum AND attgenerated = '')
    FROM pg_attribute LEFT JOIN pg_collation ON pg_collation.oid = attcollation
    CROSS JOIN LATERAL (
        WITH RECURSIVE domain (type, modifier, depth, required) AS (
            SELECT atttypid, atttypmod, 0, FALSE
            UNION ALL SELECT typbasetype, typtypmod, depth + 1, required OR typnotnull FROM domain
                JOIN pg_type ON pg_type.oid = type AND typtype = 'd'
        ) SELECT type, modifier, required FROM domain ORDER BY depth DESC LIMIT 1
    ) AS base
    JOIN pg_type ON pg_type.oid = base.type
    JOIN pg_namespace ON pg_namespace.oid = typnamespace
    WHERE attrelid = to_regclass($1) AND attnum > 0 AND NOT attisdropped
    ORDER BY attnum";

/// Reads all checks: one that is `NOT VALID` still refuses new rows.
const CHECKS: &str = r"
    SELECT pg_get_expr(conbin, conrelid)
    FROM pg_constraint WHERE contype = 'c' AND conrelid = to_regclass($1)
    ORDER BY oid";

/// Digits of a decimal attribute before and after its point.
const DECIMAL_DIGITS: (i32, i32) = (29, 28);

/// Decimal places of the seconds of a time.
const TIME_DIGITS: i32 = 6;

/// The columns of a table, narrowed by its checks.
pub(super) async fn read(
    connection: &mut PgConnection,
    table: &str,
) -> sqlx::Result<Vec<StoredColumn>> {
    let rows = sqlx::query(COLUMNS).bind(table);
    let rows = rows.fetch_all(&mut *connection).await?;
    // The checks of the table at once: one of them may limit several columns.
    let checks = sqlx::query_scalar(CHECKS).bind(table);
    let checks: Vec<String> = checks.fetch_all(&mut *connection).await?;
    let limits = checks.iter().flat_map(|check| printed_limits(check));
    let limits: Vec<Limit> = limits.collect();
    rows.iter()
        .map(|row| {
            let mut column = column(row)?;
            // Copied, since each limit changes the column that it is compared with.
            let name = column.name.clone();
            let own = limits.iter().filter(|limit| limit.column() == name);
            own.for_each(|limit| limit.narrow(&mut column));
            Ok(column)
        })
        .collect()
}

fn column(row: &PgRow) -> sqlx::Result<StoredColumn> {
    let is_constant: bool = row.try_get(16)?;
    let default: Option<String> = row.try_get(17)?;
    let (base, modifier): (String, i32) = (row.try_get(2)?, row.try_get(3)?);
    let (bottom, bottom_modifier): (String, i32) = (row.try_get(13)?, row.try_get(14)?);
    Ok(StoredColumn {
        name: row.try_get(0)?,
        declared_type: row.try_get(1)?,
        stored_as: Some(stored_as(&base, modifier)),
        collation: row.try_get(4)?,
        has_exact_collation: row.try_get(15)?,
        nullable: row.try_get(5)?,
        has_default: row.try_get(6)?,
        has_constant_default: is_constant,
        // Others may draw from a sequence, and fit by their type.
        default: default.filter(|_| is_constant),
        is_generated: row.try_get(7)?,
        max_length: max_length(&base, modifier),
        comment: row.try_get(8)?,
        base: Some(StoredType {
            schema: row.try_get(9)?,
            name: row.try_get(10)?,
            declared: row.try_get(11)?,
            stored_as: stored_as(&bottom, bottom_modifier),
            labels: row.try_get(12)?,
        }),
        ..StoredColumn::default()
    })
}

/// The type by the name that definitions use. A type that stores no kind, or that would round values of its
/// kind, is `another type`.
fn stored_as(base: &str, modifier: i32) -> &'static str {
    match base {
        "boolean" => "boolean",
        "smallint" => "smallint",
        "integer" => "integer",
        "bigint" => "bigint",
        "real" => "real",
        "double precision" => "double precision",
        "numeric" if holds_decimals(modifier) => "numeric",
        // The length of the latter is a limit of the column, not another type.
        "text" | "character varying" => "text",
        "bytea" => "bytea",
        "uuid" => "uuid",
        "date" => "date",
        "time without time zone" if holds_times(modifier) => "time",
        "timestamp without time zone" if holds_times(modifier) => "timestamp",
        "timestamp with time zone" if holds_times(modifier) => "timestamptz",
        "jsonb" => "jsonb",
        // For instance `character`, which pads values, and domains, whose checks are not read here.
        _ => "another type",
    }
}

/// The modifier without the 4 bytes of a header that the catalogue adds; none for an unlimited type.
fn without_header(modifier: i32) -> Option<i32> {
    // A type without a modifier has -1 in the catalogue.
    let modifier = modifier.checked_sub(4)?;
    (modifier >= 0).then_some(modifier)
}

fn max_length(base: &str, modifier: i32) -> Option<u32> {
    let length = without_header(modifier).filter(|_| base == "character varying");
    length.and_then(|length| u32::try_from(length).ok())
}

/// Tests whether a `numeric` type rounds no decimal. The precision is in the upper half of the modifier, the scale
/// in the lower, since version 15 as a signed number of eleven bits.
fn holds_decimals(modifier: i32) -> bool {
    without_header(modifier).is_none_or(|modifier| {
        let (precision, scale) = (modifier >> 16, modifier & 0x7ff);
        // The sign is extended from the eleventh bit: a negative scale rounds before the point.
        let scale = (scale ^ 0x400) - 0x400;
        let (before, after) = DECIMAL_DIGITS;
        scale >= after && precision - scale >= before
    })
}

const fn holds_times(modifier: i32) -> bool {
    modifier < 0 || modifier >= TIME_DIGITS
}

#[cfg(test)]
mod tests {
    use super::{max_length, stored_as};

    /// The modifier of `numeric(precision, scale)` in the catalogue.
    const fn of_numeric(precision: i32, scale: i32) -> i32 {
        ((precision << 16) | (scale & 0x7ff)) + 4
    }

    #[test]
    fn rounding_type_is_another_type() {
        for (base, modifier, expected) in [
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
            assert_eq!(stored_as(base, modifier), expected, "{base} {modifier}");
        }
    }

    #[test]
    fn only_texts_have_a_length() {
        assert_eq!(max_length("character varying", 84), Some(80));
        assert_eq!(max_length("character varying", -1), None);
        assert_eq!(max_length("numeric", of_numeric(10, 2)), None);
    }
}
