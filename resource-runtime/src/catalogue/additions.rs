use resource_model::schema::{StoredTable, Table};
use resource_sql::{self, Dialect, Statement};

use super::sides::Sides;
use super::unique;

/// The statements that add what is missing: tables, columns, indexes, and what makes rows unique.
/// Each can be run after those before it.
pub(crate) fn additions(
    dialect: Dialect,
    tables: &[(&Table, Option<&StoredTable>)],
) -> Vec<Statement> {
    let stored = tables
        .iter()
        .filter_map(|(needed, stored)| Some((*needed, (*stored)?)));
    let altered = stored.filter(|(_, stored)| stored.is_table);
    let sides = altered.map(|(needed, stored)| Sides {
        dialect,
        definitions: &[],
        needed,
        stored,
    });
    let columns = sides.clone().flat_map(columns);
    let created = resource_sql::create_missing_now(dialect, tables).into_iter();
    columns
        .chain(created)
        .chain(sides.flat_map(indexes))
        .collect()
}

/// A primary key cannot be added by a statement of its own.
fn columns(sides: Sides<'_>) -> impl Iterator<Item = Statement> {
    let needed = sides.needed.columns.iter();
    let missing =
        needed.filter(move |it| sides.stored.column(it.name).is_none() && !it.primary_key);
    missing.map(move |column| resource_sql::add_column(sides.dialect, sides.needed, column))
}

/// Those on columns that are added just before, and those that rows are unique by.
fn indexes(sides: Sides<'_>) -> impl Iterator<Item = Statement> {
    let needed = sides.needed.indexes.iter();
    let on_added = needed.filter(move |columns| !sides.stored.has(columns));
    let on_added = on_added
        .map(move |columns| resource_sql::create_index(sides.dialect, sides.needed, columns));
    let unique = unique::missing_sets(sides);
    on_added.chain(
        unique.map(move |set| resource_sql::create_unique_index(sides.dialect, sides.needed, set)),
    )
}
