//! Statements for tables and their indexes, and names that fit the limits of their database.

use resource_model::schema::{Column, ForeignKey, Identifier, Kind, ReferentialAction, Table};
use resource_model::value::Fnv1a;

use crate::column::{default_of_rows, write_column};
use crate::{Dialect, SqlWriter, Statement};

/// Creates `table` with the foreign keys for which `points_back` is true, and with the defaults of columns for which `has_default`
/// is.
pub(super) fn create_table(
    writer: &mut SqlWriter,
    table: &Table,
    condition: &'static str,
    points_back: impl Fn(&ForeignKey) -> bool,
    has_default: impl Fn(&Column) -> bool,
) {
    let dialect = writer.dialect();
    writer
        .sql("CREATE TABLE ")
        .sql(condition)
        .identifier(table.name)
        .sql(" (\n  ");
    let key = table.key();
    // A line for each column: people read this text in migrations and in advice.
    writer.list(",\n  ", &table.columns, |writer, column| {
        write_column(writer, column, &key);
        if has_default(column)
            && let Some(default) = default_of_rows(dialect, table, column)
        {
            writer.sql(" DEFAULT ").literal(default);
        }
    });
    if key.len() > 1 {
        write_columns(writer.sql(",\n  PRIMARY KEY "), &key);
    }
    // SQLite orders null first in every index, so a constraint serves the order of lists.
    if !has_unique_indexes(dialect, table) {
        for columns in &table.unique {
            writer.sql(",\n  UNIQUE ");
            write_compared_columns(writer, table, columns, |_| "");
        }
    }
    // SQLite can add no foreign key later, so all of its keys are here.
    for key in table.foreign_keys.iter().filter(|key| points_back(key)) {
        writer.sql(",\n  ");
        write_foreign_key(writer, key);
    }
    writer.sql("\n)").sql(dialect.table_options());
}

/// Adds `key` to an existing table.
pub fn add_foreign_key(dialect: Dialect, table: &Table, key: &ForeignKey) -> Statement {
    let mut writer = SqlWriter::new(dialect);
    writer.sql("ALTER TABLE ").identifier(table.name);
    write_foreign_key(writer.sql(" ADD "), key);
    writer.finish()
}

fn write_foreign_key(writer: &mut SqlWriter, key: &ForeignKey) {
    writer.sql("FOREIGN KEY ");
    write_columns(writer, &key.columns);
    write_reference(writer, key);
}

/// The target of a foreign key, behind its columns.
pub(super) fn write_reference(writer: &mut SqlWriter, key: &ForeignKey) {
    writer.sql(" REFERENCES ").identifier(key.target).sql(" ");
    write_columns(writer, &key.target_columns);
    // `RESTRICT` refuses the statement itself; the default, `NO ACTION`, can be deferred to the commit.
    let on_delete = key.on_delete.map_or("RESTRICT", ReferentialAction::sql);
    writer.sql(" ON DELETE ").sql(on_delete);
    writer.sql(" ON UPDATE RESTRICT");
}

fn write_columns(writer: &mut SqlWriter, columns: &[Identifier]) {
    writer
        .sql("(")
        .identifiers(columns.iter().copied())
        .sql(")");
}

/// Creates the index on `columns`.
pub fn create_index(dialect: Dialect, table: &Table, columns: &[Identifier]) -> Statement {
    index(dialect, table, columns, false, "")
}

/// Makes `columns` unique together.
pub fn create_unique_index(dialect: Dialect, table: &Table, columns: &[Identifier]) -> Statement {
    index(dialect, table, columns, true, "")
}

/// Creates an index on one column whose order is by code point.
pub fn create_ordered_index(dialect: Dialect, table: &Table, column: &Column) -> Statement {
    let mut writer = SqlWriter::new(dialect);
    // A point joins the parts of a name, which no index of the table's owner has.
    let parts = [table.name, column.name, Identifier::new("ordered")];
    writer.sql("CREATE INDEX ").joined_identifier(parts);
    writer.sql(" ON ").identifier(table.name);
    writer.sql(" (").identifier(column.name);
    writer.sql(dialect.exact_collation(Kind::Text));
    let nulls = if column.primary_key {
        ""
    } else {
        dialect.nulls(false)
    };
    writer.sql(nulls).sql(")");
    writer.finish()
}

/// Tests whether the unique sets of a table are indexes: a constraint can have no condition.
pub(super) const fn has_unique_indexes(dialect: Dialect, table: &Table) -> bool {
    dialect.has_indexes_for_unique() || table.deleted.is_some()
}

pub(super) fn index(
    dialect: Dialect,
    table: &Table,
    columns: &[Identifier],
    is_unique: bool,
    condition: &'static str,
) -> Statement {
    let mut writer = SqlWriter::new(dialect);
    writer.sql(if is_unique {
        "CREATE UNIQUE INDEX "
    } else {
        "CREATE INDEX "
    });
    writer.sql(condition);
    // Indexes share one namespace. A point joins the parts of a name, which no table or column has in its
    // own, so that no two are alike.
    writer.joined_identifier(std::iter::once(table.name).chain(columns.iter().copied()));
    writer.sql(" ON ").identifier(table.name).sql(" ");
    let nulls = dialect.nulls(false);
    // A column that is never null needs no place for null in its order.
    let nulls = |column: &Column| if column.primary_key { "" } else { nulls };
    write_compared_columns(&mut writer, table, columns, nulls);
    // Values of deleted rows may be given again.
    if let Some(deleted) = table.deleted.filter(|_| is_unique) {
        writer.sql(" WHERE ").identifier(deleted).sql(" IS NULL");
    }
    writer.finish()
}

/// Columns whose values an index compares.
fn write_compared_columns(
    writer: &mut SqlWriter,
    table: &Table,
    columns: &[Identifier],
    nulls: impl Fn(&Column) -> &'static str,
) {
    let columns = columns.iter().filter_map(|name| table.column(*name));
    writer.sql("(").list(", ", columns, |writer, column| {
        // An index serves only comparisons in its own collation, and statements name this one.
        let collation = writer.dialect().index_collation(column);
        writer
            .identifier(column.name)
            .sql(collation)
            .sql(nulls(column));
    });
    writer.sql(")");
}

/// The hexadecimal digits of a hash.
const DIGITS: usize = 16;

/// `name` as it is, where it is at most `longest` bytes long; else its start and a hash of the
/// whole, because a database that truncates names itself would treat all names with that start as one.
pub(super) fn short_name(name: String, longest: usize) -> String {
    if name.len() <= longest {
        return name;
    }
    // One byte more than the hash is for the point between them.
    let start = name.floor_char_boundary(longest.saturating_sub(DIGITS + 1));
    // The end is a boundary of characters, so the slice exists.
    let start = name.get(..start).unwrap_or_default();
    // A name must be the same in every build.
    format!("{start}.{:0DIGITS$x}", Fnv1a::of(&name).value())
}

#[cfg(test)]
mod tests {
    use super::short_name;

    #[test]
    fn a_name_that_fits_stays() {
        let name = "x".repeat(63);
        assert_eq!(short_name(name.clone(), 63), name);
    }

    #[test]
    fn long_names_stay_apart_and_fit() {
        let names = ["a", "b"].map(|end| short_name("é".repeat(40) + end, 63));
        assert_ne!(names[0], names[1]);
        for name in names {
            assert!(name.len() <= 63, "{name}");
            assert!(name.starts_with(&("é".repeat(23) + ".")), "{name}");
        }
    }
}
