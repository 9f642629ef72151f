//! What to do about a difference: SQLite changes little of a table that is there, so that most of it
//! is made anew; PostgreSQL changes nearly everything by a statement.

use super::sides::Sides;
use crate::plan::{self, Dialect, Statement};
use crate::schema::{Column, ForeignKey, StoredColumn, Table};

type Change = fn(Dialect, &Table, &Column) -> Statement;

/// Where no one statement helps.
pub(super) fn as_in_schema_sql(sides: Sides<'_>, part: &str) -> String {
    let what = match sides.dialect {
        Dialect::Sqlite => "rebuild the table with",
        Dialect::Postgres => "alter the table to",
    };
    format!("{what} the {part} of `schema_sql`")
}

/// Another type, with its values converted.
pub(super) fn converted(sides: Sides<'_>, needed: &Column) -> String {
    of_column(sides, needed, plan::convert_column)
}

/// Another collation.
pub(super) fn collated(sides: Sides<'_>, needed: &Column) -> String {
    of_column(sides, needed, plan::widen_column)
}

/// A greater length, where it is part of the type; a check has a name that is not known here.
pub(super) fn lengthened(sides: Sides<'_>, needed: &Column, stored: &StoredColumn) -> String {
    let of_type = stored
        .max_length
        .map(|it| format!("character varying({it})"));
    match sides.dialect {
        Dialect::Postgres if of_type.is_some_and(|it| it == stored.declared_type) => {
            of_column(sides, needed, plan::widen_column)
        }
        _ => as_in_schema_sql(sides, "length"),
    }
}

/// Null allowed, or forbidden.
pub(super) fn nullable(sides: Sides<'_>, needed: &Column) -> String {
    of_column(sides, needed, plan::change_null)
}

/// A foreign key that refuses; `adding` says so on PostgreSQL.
pub(super) fn referring(sides: Sides<'_>, key: &ForeignKey, adding: &str) -> String {
    match sides.dialect {
        Dialect::Sqlite => as_in_schema_sql(sides, "foreign key"),
        Dialect::Postgres => {
            let statement = plan::add_foreign_key(sides.dialect, sides.needed, key);
            format!("{adding} `{}`", statement.text())
        }
    }
}

fn of_column(sides: Sides<'_>, needed: &Column, change: Change) -> String {
    match sides.dialect {
        Dialect::Sqlite => as_in_schema_sql(sides, "column"),
        Dialect::Postgres => {
            let statement = change(sides.dialect, sides.needed, needed);
            format!("change it with `{}`", statement.text())
        }
    }
}
