//! Statements that alter a table, which messages suggest as remedies; they are never sent.

use resource_model::schema::{Column, Table};

use crate::column::{default_of_rows, write_column, write_type};
use crate::form::write_column_type;
use crate::table::write_reference;
use crate::{Dialect, SqlWriter, Statement};

/// Adds `column` to an existing table, with the foreign key of this column alone. Rows get the default that each new item
/// gets, also those that an older instance writes. Without one the column is nullable whatever the model says, since there is
/// no value for them.
pub fn add_column(dialect: Dialect, table: &Table, column: &Column) -> Statement {
    let mut writer = SqlWriter::new(dialect);
    writer.sql("ALTER TABLE ").identifier(table.name);
    let nullable = Column {
        nullable: column.default.is_none(),
        ..column.clone()
    };
    write_column(writer.sql(" ADD COLUMN "), &nullable, &table.key());
    if let Some(default) = default_of_rows(dialect, table, column) {
        writer.sql(" NOT NULL DEFAULT ").literal(default);
    }
    // A foreign key of several columns cannot be a part of one column's declaration.
    let mut keys = table.foreign_keys.iter();
    if let Some(key) = keys.find(|key| key.columns == [column.name]) {
        write_reference(&mut writer, key);
    }
    writer.finish()
}

/// Changes the length and the collation of a column to those of `column`, whose type holds its values as
/// they are.
pub fn widen_column(dialect: Dialect, table: &Table, column: &Column) -> Statement {
    retyped(dialect, table, column).finish()
}

/// Changes the type of a column to that of `column`, and converts its values.
pub fn convert_column(dialect: Dialect, table: &Table, column: &Column) -> Statement {
    let mut writer = retyped(dialect, table, column);
    writer.sql(" USING ").identifier(column.name);
    // The cast has no length, since it would cut a value that is too long.
    write_column_type(writer.sql("::"), column);
    writer.finish()
}

/// Adds an offset to a column of instants, or removes it, independent of the session's time zone.
pub fn convert_instant(dialect: Dialect, table: &Table, column: &Column) -> Statement {
    let mut writer = retyped(dialect, table, column);
    writer.sql(" USING ").identifier(column.name);
    // The clause turns each of the two types into the other, so it serves both directions.
    writer.sql(" AT TIME ZONE 'UTC'");
    writer.finish()
}

/// Allows null in a column, or forbids it, as `column` does.
pub fn change_null(dialect: Dialect, table: &Table, column: &Column) -> Statement {
    let mut writer = altered(dialect, table, column);
    let change = if column.nullable {
        " DROP NOT NULL"
    } else {
        " SET NOT NULL"
    };
    writer.sql(change);
    writer.finish()
}

fn retyped(dialect: Dialect, table: &Table, column: &Column) -> SqlWriter {
    let mut writer = altered(dialect, table, column);
    // The type comes with its collation, so that both change in one statement.
    write_type(writer.sql(" TYPE "), column);
    writer
}

fn altered(dialect: Dialect, table: &Table, column: &Column) -> SqlWriter {
    let mut writer = SqlWriter::new(dialect);
    writer.sql("ALTER TABLE ").identifier(table.name);
    writer.sql(" ALTER COLUMN ").identifier(column.name);
    writer
}
