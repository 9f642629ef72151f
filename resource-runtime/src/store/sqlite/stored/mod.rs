//! What the tables in a file are like. SQLite tells most of it through pragmas; collations and
//! checks only stand in the statement that made the table, which it keeps as text.

mod affinity;
mod columns;
mod conflict;
mod declaration;
mod foreign_keys;
mod indexes;

use resource_model::error::DatabaseFailure;
use resource_model::schema::{Identifier, StoredConflict, StoredTable, Table};
use rusqlite::{Connection, OptionalExtension as _};

use super::failure::of_reader;
use super::readers::{Lane, Readers};
use declaration::Declaration;

const DECLARATION: &str = r#"
    SELECT "sql", "type" = 'table' FROM "sqlite_schema"
    WHERE "type" IN ('table', 'view') AND "name" = ?1 COLLATE NOCASE"#;

impl Readers {
    /// Each of these tables as the file has it, all in one snapshot.
    pub(in crate::store) async fn stored_tables(
        &self,
        needed: Vec<Table>,
    ) -> Result<Vec<Option<StoredTable>>, DatabaseFailure> {
        self.run(Lane::ByKey, move |reader| {
            let stored = reader
                .connection
                .unchecked_transaction()
                .and_then(|snapshot| {
                    let tables = needed.iter();
                    tables
                        .map(|table| read(&snapshot, table, &needed))
                        .collect()
                });
            stored.map_err(|error| of_reader(&error))
        })
        .await
    }
}

/// The table in the file that `needed` is stored in, one of all that are needed.
fn read(
    connection: &Connection,
    needed: &Table,
    all: &[Table],
) -> rusqlite::Result<Option<StoredTable>> {
    let name = needed.name.as_str();
    let found: Option<(String, bool)> = connection
        .query_row(DECLARATION, [name], |row| Ok((row.get(0)?, row.get(1)?)))
        .optional()?;
    let Some((statement, is_table)) = found else {
        return Ok(None);
    };
    let declaration = Declaration::read(&statement);
    let (columns, primary_key) = columns::read(connection, needed, &declaration)?;
    let indexes = indexes::read(connection, needed, &columns)?;
    // The one column that is the row's number needs no index.
    let assigns_key = primary_key.len() == 1 && !indexes.iter().any(|index| index.is_primary_key);
    Ok(Some(StoredTable {
        is_table,
        assigns_key,
        assigns_key_again: assigns_key && !declaration.is_autoincrement,
        // A key is greater than any that a row has, whatever was noted of deleted ones.
        behind: None,
        unique: indexes::unique(&indexes),
        indexes: indexes::finding(&indexes),
        foreign_keys: foreign_keys::read(connection, needed, all)?,
        conflicts: conflicts(declaration, needed),
        primary_key,
        columns,
    }))
}

fn conflicts(declaration: Declaration, needed: &Table) -> Vec<StoredConflict> {
    let conflicts = declaration.conflicts.into_iter();
    let spelled_as_needed = |column| spelled(column, names(needed));
    conflicts
        .map(|conflict| StoredConflict {
            columns: conflict
                .columns
                .into_iter()
                .map(spelled_as_needed)
                .collect(),
            ..conflict
        })
        .collect()
}

/// SQLite takes names for one that differ in the case of ASCII letters alone.
fn spelled(name: String, known: impl IntoIterator<Item = Identifier>) -> String {
    let mut known = known.into_iter().map(Identifier::as_str);
    let known = known.find(|known| known.eq_ignore_ascii_case(&name));
    known.map_or(name, String::from)
}

/// The names of a table's columns.
fn names(table: &Table) -> impl Iterator<Item = Identifier> {
    table.columns.iter().map(|column| column.name)
}

#[cfg(test)]
mod tests;
