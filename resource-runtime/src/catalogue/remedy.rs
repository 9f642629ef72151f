//! The remedies of differences. `ALTER TABLE` of SQLite changes little, so most remedies rebuild the table; that of
//! PostgreSQL changes nearly everything.

use resource_model::schema::{Column, ForeignKey, Kind, Table};
use resource_sql::{self, Dialect, Statement};

use super::columns::{rounded_time, type_name};
use super::table_comparison::{ColumnComparison, TableComparison};

type Change = fn(Dialect, &Table, &Column) -> Statement;

/// The remedy where no single statement helps.
pub(super) fn as_in_schema_sql(sides: TableComparison<'_>, part: &str) -> String {
    // What others made is right as it is, so that the model follows it.
    if sides.needed.existing {
        return format!("let the model have the {part} of the table");
    }
    if sides.dialect.alters_tables() {
        return format!("alter the table to the {part} of `schema_sql`");
    }
    // SQLite alters few parts of a table, so there a new table takes the place of the old one.
    format!(
        "rebuild the table by the statements that the command `check --rebuild {}` prints",
        sides.table()
    )
}

/// The remedy of another type: in the model, where others made the table.
pub(super) fn other_type(column: ColumnComparison<'_>) -> String {
    let (sides, needed) = (column.sides, column.needed);
    if !sides.needed.existing {
        return converted(column);
    }
    let declared = &column.stored.declared_type;
    let key = match (sides.dialect, needed.kind, rounded_time(declared)) {
        (Dialect::Sqlite, Kind::Decimal, _) => {
            "`digits(10, 2)` with its own digits, and `stored(sqlite = number)`".to_owned()
        }
        (Dialect::Sqlite, Kind::Timestamp | Kind::LocalDateTime | Kind::Date, _) => {
            "`stored(sqlite = space_text(0))`, or `t_text` or `offset_text`, as its values are"
                .to_owned()
        }
        (Dialect::Postgres, Kind::Decimal, _) if declared.starts_with("numeric(") => {
            format!("`digits{}`", declared.trim_start_matches("numeric"))
        }
        (Dialect::Postgres, Kind::Timestamp, Some((own, digits)))
        | (Dialect::Postgres, Kind::LocalDateTime, Some((own @ "timestamp", digits))) => {
            let is_utc = needed.kind == Kind::Timestamp && own == "timestamp";
            format!(
                "`stored(sqlite = t_text({}){})`, by which no client writes more digits than the column keeps, or \
                 `computed`",
                digits / 3 * 3,
                if is_utc { ", postgres = utc" } else { "" }
            )
        }
        (Dialect::Postgres, Kind::Time, Some(_)) => {
            "the field `computed`, since the column rounds what clients write".to_owned()
        }
        (Dialect::Postgres, Kind::Json, _) if declared == "json" => {
            "`stored(postgres = type(\"json\"))` on a `String`, since `json` has no equality"
                .to_owned()
        }
        (Dialect::Postgres, Kind::Timestamp, _) if is_of_other_offset(column) => {
            "`stored(postgres = utc)`, if its values are UTC".to_owned()
        }
        (Dialect::Postgres, Kind::Text, _) => {
            let name = type_name(declared).replace('.', "\", \"");
            format!("`stored(postgres = type(\"{name}\"))`")
        }
        _ => return "give the field the type of the column, or leave it out".to_owned(),
    };
    format!("declare {key}")
}

/// The remedy of another type, with its values converted: filters find values only in the one form of a
/// kind.
fn converted(column: ColumnComparison<'_>) -> String {
    let sides = column.sides;
    if sides.dialect.alters_tables() {
        // A plain cast of an instant would depend on the time zone of whoever runs the statement.
        let change = if is_of_other_offset(column) {
            resource_sql::convert_instant
        } else {
            resource_sql::convert_column
        };
        let changed = of_column(column, change);
        return format!("{changed}, and make a backup before: it rounds what the type cannot hold");
    }
    as_in_schema_sql(sides, "column")
}

/// Tells that a cast would take values for those of the session's time zone.
fn is_of_other_offset(column: ColumnComparison<'_>) -> bool {
    // The declared type of PostgreSQL tells the two timestamps apart by these words.
    let other = match column.needed.kind {
        Kind::Timestamp => " without time zone",
        Kind::LocalDateTime => " with time zone",
        _ => return false,
    };
    let declared = &column.stored.declared_type;
    declared.starts_with("timestamp") && declared.ends_with(other)
}

/// The remedy of a narrower length: a statement, where the length is part of the type; a check has a name
/// that is not known here.
pub(super) fn lengthened(column: ColumnComparison<'_>, length: u32) -> String {
    let sides = column.sides;
    // Another length would be a change of what others made.
    if sides.needed.existing {
        return format!("declare `max_length = {length}`");
    }
    // PostgreSQL prints a length of the type in this form; any other length comes from a check.
    let is_of_type = column.stored.declared_type == format!("character varying({length})");
    if sides.dialect.alters_tables() && is_of_type {
        of_column(column, resource_sql::widen_column)
    } else {
        as_in_schema_sql(sides, "length")
    }
}

/// The remedy that allows null, or forbids it.
pub(super) fn nullable(column: ColumnComparison<'_>) -> String {
    let needed = column.needed;
    if column.sides.needed.existing {
        let change = if needed.nullable { "remove" } else { "add" };
        return format!("{change} the `Option` of the field");
    }
    of_column(column, resource_sql::change_null)
}

/// The remedy that adds a foreign key; `adding` introduces its statement on PostgreSQL.
pub(super) fn referring(sides: TableComparison<'_>, key: &ForeignKey, adding: &str) -> String {
    // SQLite has no `ALTER TABLE … ADD CONSTRAINT`.
    if !sides.dialect.alters_tables() || sides.needed.existing {
        return as_in_schema_sql(sides, "foreign key");
    }
    let statement = resource_sql::add_foreign_key(sides.dialect, sides.needed, key);
    format!("{adding} `{}`", statement.text())
}

/// The remedy by one statement that changes the column.
pub(super) fn of_column(column: ColumnComparison<'_>, change: Change) -> String {
    let sides = column.sides;
    // SQLite cannot change a column that is there.
    if !sides.dialect.alters_tables() || sides.needed.existing {
        return as_in_schema_sql(sides, "column");
    }
    let statement = change(sides.dialect, sides.needed, column.needed);
    format!("change it with `{}`", statement.text())
}
