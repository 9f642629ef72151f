use resource_model::schema::{Column, Identifier, Table};

use super::{Dialect, Statement, Writer};

/// Makes the index on `columns`.
pub fn create_index(dialect: Dialect, table: &Table, columns: &[Identifier]) -> Statement {
    index(dialect, table, columns, "CREATE INDEX ", "")
}

/// Makes `columns` unique together.
pub fn create_unique_index(dialect: Dialect, table: &Table, columns: &[Identifier]) -> Statement {
    index(dialect, table, columns, "CREATE UNIQUE INDEX ", "")
}

pub(super) fn index(
    dialect: Dialect,
    table: &Table,
    columns: &[Identifier],
    create: &'static str,
    condition: &'static str,
) -> Statement {
    let mut writer = Writer::new(dialect);
    writer.sql(create).sql(condition);
    write_index(&mut writer, table, columns);
    writer.finish()
}

/// The name of an index on `columns`, and what it is on. Indexes share one space of names.
/// A point joins the parts, which no table or column has in its name, so that no two are alike.
fn write_index(writer: &mut Writer, table: &Table, columns: &[Identifier]) {
    writer.joined_identifier(std::iter::once(table.name).chain(columns.iter().copied()));
    writer.sql(" ON ").identifier(table.name).sql(" ");
    let nulls = writer.dialect().nulls(false);
    // An order on a column that is never null asks for no place of theirs.
    let nulls = |column: &Column| if column.primary_key { "" } else { nulls };
    write_compared_columns(writer, table, columns, nulls);
}

/// Columns whose values an index compares.
pub(super) fn write_compared_columns(
    writer: &mut Writer,
    table: &Table,
    columns: &[Identifier],
    nulls: impl Fn(&Column) -> &'static str,
) {
    let columns = columns.iter().filter_map(|name| table.column(*name));
    writer.sql("(").list(", ", columns, |writer, column| {
        let collation = writer.dialect().collation(column.kind);
        writer
            .identifier(column.name)
            .sql(collation)
            .sql(nulls(column));
    });
    writer.sql(")");
}
