//! The declarations of columns: types, roles and checks.

use resource_model::schema::{Bound, Column, Identifier, Kind, Table};
use resource_model::value::Value;

use crate::form::write_column_type;
use crate::writer::Literal;
use crate::{Dialect, SqlWriter};

/// The longest text whose length can be part of a type of PostgreSQL.
const LONGEST_VARCHAR: u32 = 10_485_760;

/// A column as a table with this key declares it: its type, its role, and the limits of the model.
pub(super) fn write_column(writer: &mut SqlWriter, column: &Column, key: &[Identifier]) {
    let dialect = writer.dialect();
    writer.identifier(column.name).sql(" ");
    write_type(writer, column);
    // The clause of an assigned key makes the column `NOT NULL` by itself.
    if column.assigned_by_database {
        writer.sql(dialect.assigned_key());
    } else if key == [column.name] {
        writer.sql(" NOT NULL PRIMARY KEY");
    } else if !column.nullable {
        writer.sql(" NOT NULL");
    }
    if let Some(default) = column.default {
        writer.sql(" DEFAULT ").integer(default);
    }
    // The checks repeat the rules of the model for other programs that write to the table.
    write_kind_check(writer, column);
    write_name_check(writer, column);
    write_length_check(writer, column);
    write_bound_check(writer, column, " >= ", column.min);
    write_bound_check(writer, column, " <= ", column.max);
}

/// The value that rows get by the statement which adds a column that no version allows to be null.
pub fn default_of_rows<'column>(
    dialect: Dialect,
    table: &Table,
    column: &'column Column,
) -> Option<Literal<'column>> {
    // SQLite adds a reference with null alone, and what is stored in another form has another literal.
    let mut keys = table.foreign_keys.iter();
    let is_plain = !keys.any(|key| key.columns.contains(&column.name))
        && !dialect.stored_form(&column.storage).is_converted();
    if column.nullable || !is_plain {
        return None;
    }
    match column.constant_default.as_ref()? {
        Value::Boolean(boolean) => Some(Literal::Boolean(*boolean)),
        Value::Integer(integer) => Some(Literal::Integer(*integer)),
        Value::Real(real) => Some(Literal::Real(*real)),
        // A decimal or JSON, too; the database reads the literal as a value of the column.
        Value::Text(text) => Some(Literal::Text(text)),
        Value::Null | Value::Bytes(_) => None,
    }
}

/// Writes the type of a column. Text is compared by code point on every database. PostgreSQL's types hold a
/// length themselves.
pub(super) fn write_type(writer: &mut SqlWriter, column: &Column) {
    let dialect = writer.dialect();
    if dialect.stored_form(&column.storage).is_converted() {
        return write_column_type(writer, column);
    }
    match (dialect, column.kind, varchar_length(column)) {
        // The collation `C` compares octets, which in UTF-8 have the order of the code points.
        (Dialect::Postgres, Kind::Text, Some(length)) => {
            writer.sql("varchar(").integer(length.into());
            writer.sql(") COLLATE \"C\"");
        }
        (Dialect::Postgres, Kind::Text, None) => drop(writer.sql("text COLLATE \"C\"")),
        // SQLite has that order by default, and a check limits its lengths.
        _ => write_column_type(writer, column),
    }
}

fn varchar_length(column: &Column) -> Option<u32> {
    let length = column.max_length?;
    // PostgreSQL has no `varchar(0)`; a check limits such a column.
    (1..=LONGEST_VARCHAR).contains(&length).then_some(length)
}

/// Writes the check of a kind on SQLite, whose types enforce no ranges and know no booleans.
fn write_kind_check(writer: &mut SqlWriter, column: &Column) {
    if writer.dialect().has_ranges() {
        return;
    }
    // Only the kinds whose type on SQLite holds more values than the kind itself.
    let (before, behind) = match column.kind {
        Kind::Boolean => (" CHECK (", " IN (0, 1))"),
        Kind::Json => (" CHECK (json_valid(", "))"),
        // SQLite's integers have 64 bits, so only the smaller kinds need a check.
        Kind::SmallInteger | Kind::Integer if !column.assigned_by_database => {
            if let Some((least, greatest)) = column.kind.integer_range() {
                writer.sql(" CHECK (").identifier(column.name);
                writer.sql(" BETWEEN ").integer(least);
                writer.sql(" AND ").integer(greatest).sql(")");
            }
            return;
        }
        _ => return,
    };
    writer.sql(before).identifier(column.name).sql(behind);
}

fn write_name_check(writer: &mut SqlWriter, column: &Column) {
    // A column without names takes any text.
    if column.names.is_empty() {
        return;
    }
    writer.sql(" CHECK (").identifier(column.name).sql(" IN (");
    // Names are literals, because a `CHECK` takes no placeholders.
    writer.list(", ", column.names.iter().copied(), |writer, name| {
        writer.string(name);
    });
    writer.sql("))");
}

fn write_length_check(writer: &mut SqlWriter, column: &Column) {
    // The types of others need not have a length.
    if writer.dialect().stored_form(&column.storage).is_converted() {
        return;
    }
    let is_part_of_type = writer.dialect().has_ranges()
        && column.kind == Kind::Text
        && varchar_length(column).is_some();
    // The type has this limit already.
    let max_length = column.max_length.filter(|_| !is_part_of_type);
    let limits = [(" >= ", column.min_length), (" <= ", max_length)];
    // Of a text, `length` counts characters on both databases.
    for (comparison, limit) in limits {
        if let Some(length) = limit {
            writer.sql(" CHECK (length(").identifier(column.name);
            writer.sql(")").sql(comparison).integer(length.into());
            writer.sql(")");
        }
    }
}

fn write_bound_check(
    writer: &mut SqlWriter,
    column: &Column,
    comparison: &'static str,
    bound: Option<Bound>,
) {
    let Some(bound) = bound else { return };
    writer.sql(" CHECK (");
    if column.kind == Kind::Decimal && !writer.dialect().has_decimals() {
        // Rounding keeps the order, so no decimal within the bound is refused. One just beyond it may pass here,
        // but the service compares every digit and refuses it.
        writer.sql("CAST(").identifier(column.name);
        writer
            .sql(" AS REAL)")
            .sql(comparison)
            .real(bound.as_real());
    } else {
        writer.identifier(column.name).sql(comparison);
        // A `CHECK` takes no placeholders, so the bound is a literal.
        match bound {
            Bound::Integer(integer) => writer.integer(integer),
            Bound::Real(real) => writer.real(real),
        };
    }
    writer.sql(")");
}
