//! What is advised where a table lacks something or has it otherwise; never sent.

use resource_model::schema::{Column, Table};

use crate::column::{write_column, write_type};
use crate::table::write_reference;
use crate::{Dialect, Statement, Writer};

/// Adds `column` to a table that is there, with the reference that it alone holds. It may be null
/// whatever the model says, because the rows that are there have no value for it yet.
pub fn add_column(dialect: Dialect, table: &Table, column: &Column) -> Statement {
    let mut writer = Writer::new(dialect);
    writer.sql("ALTER TABLE ").identifier(table.name);
    let nullable = Column {
        nullable: true,
        ..column.clone()
    };
    write_column(writer.sql(" ADD COLUMN "), &nullable);
    let mut keys = table.foreign_keys.iter();
    if let Some(key) = keys.find(|key| key.columns == [column.name]) {
        write_reference(&mut writer, key);
    }
    writer.finish()
}

/// Gives a column of a type that its values fit into the length and the collation of `column`.
pub fn widen_column(dialect: Dialect, table: &Table, column: &Column) -> Statement {
    let mut writer = altered(dialect, table, column);
    write_type(writer.sql(" TYPE "), column);
    writer.finish()
}

/// Gives a column of whatever type the type of `column`, its values converted.
pub fn convert_column(dialect: Dialect, table: &Table, column: &Column) -> Statement {
    let mut writer = altered(dialect, table, column);
    write_type(writer.sql(" TYPE "), column);
    writer.sql(" USING ").identifier(column.name);
    // Without the length: a cast to that would cut what is too long for it.
    writer.sql("::").sql(dialect.column_type(column.kind));
    writer.finish()
}

/// Gives a column that holds instants an offset, or takes it away, whatever zone the session is in.
pub fn convert_instant(dialect: Dialect, table: &Table, column: &Column) -> Statement {
    let mut writer = altered(dialect, table, column);
    write_type(writer.sql(" TYPE "), column);
    writer.sql(" USING ").identifier(column.name);
    writer.sql(" AT TIME ZONE 'UTC'");
    writer.finish()
}

/// Lets a column be null, or not, as `column` may.
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

fn altered(dialect: Dialect, table: &Table, column: &Column) -> Writer {
    let mut writer = Writer::new(dialect);
    writer.sql("ALTER TABLE ").identifier(table.name);
    writer.sql(" ALTER COLUMN ").identifier(column.name);
    writer
}
