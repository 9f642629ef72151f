//! The statements that add to a database the parts that it lacks.

use resource_model::schema::{StoredTable, Table};
use resource_sql::{self, Dialect, Statement};

use super::table_comparison::TableComparison;
use super::unique;

/// The statements that add missing tables, columns, indexes and unique indexes. Each can be run after those
/// before it. Without those that `forbid`, which rows and older instances may break, each succeeds.
pub(crate) fn additions(
    dialect: Dialect,
    tables: &[(&Table, Option<&StoredTable>)],
    forbid: bool,
) -> Vec<Statement> {
    // Missing tables have nothing stored, and are created as a whole.
    let sides = tables.iter().filter_map(|(needed, stored)| {
        // A view cannot be altered, and what others made is left to them.
        let stored = stored.filter(|stored| stored.is_table && !needed.existing)?;
        Some(TableComparison {
            dialect,
            // Only messages name versions.
            definitions: &[],
            needed,
            stored,
        })
    });
    let columns = sides.clone().flat_map(columns);
    let created = resource_sql::create_missing_now(dialect, tables).into_iter();
    columns
        // New tables may refer to the added columns, and indexes may cover them.
        .chain(created)
        .chain(sides.flat_map(move |sides| indexes(sides, forbid)))
        .collect()
}

/// The statements that add columns; a primary key cannot be added by a statement of its own.
fn columns(sides: TableComparison<'_>) -> impl Iterator<Item = Statement> {
    let needed = sides.needed.columns.iter();
    let missing =
        needed.filter(move |it| sides.stored.column(it.name).is_none() && !it.primary_key);
    missing.map(move |column| resource_sql::add_column(sides.dialect, sides.needed, column))
}

/// The statements for indexes on columns that are added just before, and for missing unique sets.
fn indexes(sides: TableComparison<'_>, forbid: bool) -> impl Iterator<Item = Statement> {
    let needed = sides.needed.indexes.iter();
    // On columns that the table has already, `create_missing_now` makes them.
    let on_added = needed.filter(move |columns| !sides.stored.has(columns));
    let on_added = on_added
        .map(move |columns| resource_sql::create_index(sides.dialect, sides.needed, columns));
    // Unique sets come last, since they may cover the columns that were just added.
    let unique = unique::missing_sets(sides).filter(move |_| forbid);
    on_added.chain(
        unique.map(move |set| resource_sql::create_unique_index(sides.dialect, sides.needed, set)),
    )
}
