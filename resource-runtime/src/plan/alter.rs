//! What is advised where a table lacks something; never sent.

use super::column::write_column;
use super::table::{write_index, write_reference};
use super::{Dialect, Statement, Writer};
use crate::schema::{Column, Identifier, Table};

/// Adds `column` to a table that is there, with the reference that it alone holds. It may be null
/// whatever the model says, because the rows that are there have no value for it yet.
pub(crate) fn add_column(dialect: Dialect, table: &Table, column: &Column) -> Statement {
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

/// Makes the index on `columns`.
pub(crate) fn create_index(dialect: Dialect, table: &Table, columns: &[Identifier]) -> Statement {
    let mut writer = Writer::new(dialect);
    write_index(writer.sql("CREATE INDEX "), table, columns);
    writer.finish()
}

/// Makes `columns` unique together.
pub(crate) fn create_unique_index(
    dialect: Dialect,
    table: &Table,
    columns: &[Identifier],
) -> Statement {
    let mut writer = Writer::new(dialect);
    write_index(writer.sql("CREATE UNIQUE INDEX "), table, columns);
    writer.finish()
}
