use resource_model::schema::{ForeignKey, Identifier, Table};

use super::column::write_column;
use super::index::write_compared_columns;
use super::{Dialect, Statement, Writer};

/// Makes `table` with those of its foreign keys that `points_back` is true of.
pub(super) fn create_table(
    dialect: Dialect,
    table: &Table,
    condition: &'static str,
    points_back: impl Fn(&ForeignKey) -> bool,
) -> Statement {
    let mut writer = Writer::new(dialect);
    writer
        .sql("CREATE TABLE ")
        .sql(condition)
        .identifier(table.name)
        .sql(" (\n  ");
    writer.list(",\n  ", &table.columns, write_column);
    if !dialect.has_indexes_for_unique() {
        for columns in &table.unique {
            writer.sql(",\n  UNIQUE ");
            write_compared_columns(&mut writer, table, columns, |_| "");
        }
    }
    for key in table.foreign_keys.iter().filter(|key| points_back(key)) {
        writer.sql(",\n  ");
        write_foreign_key(&mut writer, key);
    }
    writer.sql("\n)").sql(dialect.table_options());
    writer.finish()
}

/// Adds `key` to a table that is there.
pub fn add_foreign_key(dialect: Dialect, table: &Table, key: &ForeignKey) -> Statement {
    let mut writer = Writer::new(dialect);
    writer.sql("ALTER TABLE ").identifier(table.name);
    write_foreign_key(writer.sql(" ADD "), key);
    writer.finish()
}

fn write_foreign_key(writer: &mut Writer, key: &ForeignKey) {
    writer.sql("FOREIGN KEY ");
    write_columns(writer, &key.columns);
    write_reference(writer, key);
}

/// What a foreign key points at, behind its columns.
pub(super) fn write_reference(writer: &mut Writer, key: &ForeignKey) {
    writer.sql(" REFERENCES ").identifier(key.target).sql(" ");
    write_columns(writer, &key.target_columns);
    writer.sql(" ON DELETE RESTRICT ON UPDATE RESTRICT");
}

fn write_columns(writer: &mut Writer, columns: &[Identifier]) {
    writer
        .sql("(")
        .identifiers(", ", columns.iter().copied())
        .sql(")");
}
