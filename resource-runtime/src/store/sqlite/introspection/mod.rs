//! Introspection of SQLite. Most properties of tables come from pragmas; collations and checks are only in the text
//! of the `CREATE TABLE` statement, which SQLite stores.

mod columns;
mod conflict;
mod declaration;
mod indexes;
#[cfg(test)]
mod tests;

use resource_model::error::DatabaseResult;
use resource_model::schema::{
    Identifier, Privilege, ReferentialAction, StoredColumn, StoredConflict, StoredForeignKey,
    StoredTable, Table,
};
use resource_sql::Dialect;
use rusqlite::{Connection, ErrorCode, OptionalExtension as _, Params};

use super::failure::of_reader;
use super::readers::{Readers, Snapshot};
use crate::store::driver::ReadKind;
use crate::store::index::{Index, lookup_columns, ordered_columns};
use declaration::Declaration;

/// Reads the text of the statement that created a table or a view.
const DECLARATION: &str = r#"
    SELECT "sql", "type" = 'table' FROM "sqlite_schema"
    WHERE "type" IN ('table', 'view') AND "name" = ?1 COLLATE NOCASE"#;

/// Reads the names of a table's triggers.
const TRIGGERS: &str = r#"
    SELECT "name" FROM "sqlite_schema"
    WHERE "type" = 'trigger' AND "tbl_name" = ?1 COLLATE NOCASE ORDER BY "name""#;

/// Reads the statements of a table's indexes and triggers; indexes of constraints have none.
const PARTS: &str = r#"
    SELECT "sql" FROM "sqlite_schema" WHERE "type" IN ('index', 'trigger') AND "sql" IS NOT NULL
    AND "tbl_name" = ?1 COLLATE NOCASE ORDER BY "type", "name""#;

/// Reads the names of all tables and views but those of SQLite itself, and those within virtual tables.
#[cfg(feature = "catalogue")]
const TABLES: &str = r#"
    SELECT "name" FROM pragma_table_list
    WHERE "schema" = 'main' AND "type" IN ('table', 'view') AND "name" NOT LIKE 'sqlite\_%' ESCAPE '\'
    ORDER BY "name""#;

impl Readers {
    /// The names of all tables and views.
    #[cfg(feature = "catalogue")]
    pub(in crate::store) async fn table_names(&self) -> DatabaseResult<Vec<String>> {
        self.run(ReadKind::Item, |reader| {
            names_of(&reader.connection, TABLES, []).map_err(of_reader)
        })
        .await
    }

    /// The stored table for each of the needed ones, read in one snapshot; none where it is missing.
    pub(in crate::store) async fn stored_tables(
        &self,
        needed: Vec<Table>,
    ) -> DatabaseResult<Vec<Option<StoredTable>>> {
        self.run(ReadKind::Item, move |reader| {
            // A reader is lent by a shared reference, and has no other transaction open. The drop rolls back.
            let _snapshot = Snapshot::begin(&reader.connection).map_err(of_reader)?;
            let tables = needed.iter();
            let tables = tables.map(|table| read(&reader.connection, table, &needed));
            tables.collect::<Result<_, _>>().map_err(of_reader)
        })
        .await
    }
}

/// The stored table for `needed`, one of `all` needed tables.
fn read(
    connection: &Connection,
    needed: &Table,
    all: &[Table],
) -> rusqlite::Result<Option<StoredTable>> {
    let name = needed.name.as_str();
    let found: Option<(String, bool)> = connection
        .query_row(DECLARATION, [name], |row| Ok((row.get(0)?, row.get(1)?)))
        .optional()?;
    // A table that is missing is no failure: the comparison reports it.
    let Some((statement, is_table)) = found else {
        return Ok(None);
    };
    let declaration = Declaration::read(&statement);
    // Indexes are compared with the collations of the columns, so the columns are read first.
    let (columns, primary_key) = columns::read(connection, needed, &declaration)?;
    let indexes = indexes::read(connection, needed, &columns)?;
    let unique = indexes.iter().filter(|index| index.is_unique);
    // A single key column without an index is the rowid, which SQLite assigns.
    let assigns_key = primary_key.len() == 1 && !indexes.iter().any(|index| index.is_primary_key);
    Ok(Some(StoredTable {
        name: name.to_owned(),
        is_table,
        triggers: names_of(connection, TRIGGERS, [name])?,
        parts: names_of(connection, PARTS, [name])?,
        assigns_key,
        assigns_key_again: assigns_key && !declaration.is_autoincrement,
        unique: unique.map(Index::unique).collect(),
        indexes: lookup_columns(&indexes),
        ordered: ordered_columns(&indexes),
        foreign_keys: foreign_keys(connection, needed, all, &columns)?,
        broken: broken(connection, needed, is_table, &columns)?,
        conflicts: conflicts(declaration, needed),
        // A view has no key.
        null_key: null_key(connection, needed, &columns, &primary_key)?,
        primary_key,
        columns,
        // SQLite keeps no comments, and lets everybody who opens the file see every row: a file has neither roles nor
        // tables that inherit. It assigns a key greater than all stored ones, so there is no sequence to fall behind.
        ..StoredTable::default()
    }))
}

/// The writes that SQLite does not even prepare, as with a foreign key whose target is missing or not unique.
fn broken(
    connection: &Connection,
    needed: &Table,
    is_table: bool,
    columns: &[StoredColumn],
) -> rusqlite::Result<Vec<(Privilege, Option<String>, String)>> {
    // The tables of the service itself may refer to some that are not made yet.
    if !needed.existing || !is_table {
        return Ok(Vec::new());
    }
    // A reader of the catalogue names no columns, and wants all; such names live as long as the program.
    let all = needed.columns.is_empty();
    let stored = columns.iter().filter(|it| !it.is_generated);
    let updates = stored.filter_map(|stored| {
        let mut needed = needed.columns.iter().map(|it| it.name);
        let found = needed.find(|it| it.as_str() == stored.name);
        found.or_else(|| all.then(|| Identifier::new(stored.name.clone().leak())))
    });
    let updates = updates.map(|it| (Privilege::Update, Some(it)));
    let writes = [(Privilege::Insert, None), (Privilege::Delete, None)];
    let mut broken = Vec::new();
    for (write, column) in writes.into_iter().chain(updates) {
        let statement = resource_sql::probe_write(needed.name, write, column);
        match connection.prepare(statement.text()) {
            Err(error) if error.sqlite_error_code() == Some(ErrorCode::Unknown) => {
                let words = format!("SQLite refuses every such statement: {error}");
                broken.push((write, column.map(|it| it.as_str().to_owned()), words));
            }
            prepared => drop(prepared?),
        }
    }
    Ok(broken)
}

/// The names that a query finds.
fn names_of(
    connection: &Connection,
    query: &str,
    values: impl Params,
) -> rusqlite::Result<Vec<String>> {
    let mut prepared = connection.prepare(query)?;
    let names = prepared.query_map(values, |row| row.get(0))?;
    names.collect()
}

/// The column of the key in which a row has null, as it may be in tables that are not strict.
fn null_key(
    connection: &Connection,
    needed: &Table,
    columns: &[StoredColumn],
    primary_key: &[String],
) -> rusqlite::Result<Option<String>> {
    // Only the columns of the key, which has an index.
    let nullable = || {
        columns
            .iter()
            .filter(|it| it.nullable && primary_key.contains(&it.name))
    };
    for key in names(needed).filter(|key| nullable().any(|it| it.name == key.as_str())) {
        let statement = resource_sql::has_null(Dialect::Sqlite, needed.name, key);
        if connection.query_row(statement.text(), [], |row| row.get(0))? {
            return Ok(Some(key.as_str().to_owned()));
        }
    }
    Ok(None)
}

/// The conflict clauses, with columns in the case of the definition.
fn conflicts(declaration: Declaration, needed: &Table) -> Vec<StoredConflict> {
    let mut conflicts = declaration.conflicts;
    for column in conflicts.iter_mut().flat_map(|it| &mut it.columns) {
        *column = in_definition_case(std::mem::take(column), names(needed));
    }
    conflicts
}

/// The name in the case of the definition: SQLite ignores the case of ASCII letters in names.
fn in_definition_case(name: String, known: impl IntoIterator<Item = Identifier>) -> String {
    let mut known = known.into_iter().map(Identifier::as_str);
    let known = known.find(|known| known.eq_ignore_ascii_case(&name));
    // A name that no definition has is kept for messages.
    known.map_or(name, String::from)
}

/// The names of a table's columns.
fn names(table: &Table) -> impl Iterator<Item = Identifier> {
    table.columns.iter().map(|column| column.name)
}

/// Reads the foreign keys of a table. One without target columns refers to the primary key.
const FOREIGN_KEYS: &str = r#"
    SELECT "key"."id", "key"."table", "key"."from", coalesce("key"."to", (
        SELECT "name" FROM pragma_table_xinfo("key"."table") WHERE "pk" = "key"."seq" + 1
    ), ''), "key"."on_delete", "key"."on_update", "key"."to" IS NULL OR EXISTS (
        SELECT 1 FROM pragma_table_xinfo("key"."table") WHERE "name" = "key"."to" COLLATE NOCASE AND "pk" > 0)
    FROM pragma_foreign_key_list(?1) AS "key" ORDER BY "key"."id", "key"."seq""#;

fn foreign_keys(
    connection: &Connection,
    needed: &Table,
    all: &[Table],
    columns: &[StoredColumn],
) -> rusqlite::Result<Vec<StoredForeignKey>> {
    let mut prepared = connection.prepare(FOREIGN_KEYS)?;
    let mut rows = prepared.query([needed.name.as_str()])?;
    let mut keys: Vec<(i64, StoredForeignKey)> = Vec::new();
    while let Some(row) = rows.next()? {
        let id: i64 = row.get(0)?;
        let target = in_definition_case(row.get(1)?, all.iter().map(|table| table.name));
        // A key may refer to a table that no definition has.
        let target_table = all.iter().find(|table| table.name.as_str() == target);
        // Each column of a key is a row; those with the same id follow one another.
        if keys.last().is_none_or(|(last, _)| *last != id) {
            let key = StoredForeignKey {
                target,
                is_target_visible: true,
                on_delete: ReferentialAction::of_sql(row.get_ref(4)?.as_str()?),
                on_update: ReferentialAction::of_sql(row.get_ref(5)?.as_str()?),
                is_to_primary_key: row.get(6)?,
                // No pragma tells whether a foreign key is deferred.
                ..StoredForeignKey::default()
            };
            keys.push((id, key));
        }
        if let Some((_, key)) = keys.last_mut() {
            let known = target_table.into_iter().flat_map(names);
            key.columns
                .push(in_definition_case(row.get(2)?, names(needed)));
            key.target_columns
                .push(in_definition_case(row.get(3)?, known));
        }
    }
    let mut keys: Vec<_> = keys.into_iter().map(|(_, key)| key).collect();
    // A row keeps what is `NOT NULL`, so that `SET NULL` refuses the delete.
    let sets_null = Some(ReferentialAction::SetNull);
    for key in keys.iter_mut().filter(|it| it.on_delete == sets_null) {
        let mut own = columns.iter().filter(|it| key.columns.contains(&it.name));
        key.on_delete = key.on_delete.filter(|_| own.all(|it| it.nullable));
    }
    Ok(keys)
}
