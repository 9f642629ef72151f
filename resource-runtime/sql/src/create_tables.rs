//! The statements that create missing tables and indexes.

use std::time::Duration;

use resource_model::schema::{ForeignKey, Identifier, StoredTable, Table};

use crate::table::{add_foreign_key, create_table, has_unique_indexes, index};
use crate::{Dialect, SqlWriter, Statement};

/// The clause that skips a table or an index that exists already.
const IF_MISSING: &str = "IF NOT EXISTS ";

/// The advisory lock of all instances of services that start together; it spells `resource`.
const LOCK: i64 = 0x7265_736f_7572_6365;

/// The first statements of a transaction that creates tables. It has no timeouts: those are for requests, and
/// an index on a large table needs more time. On PostgreSQL, an advisory lock lets one transaction at a time
/// create tables: two that create the same table at once fail, in spite of `IF NOT EXISTS`.
pub fn begin_creation(dialect: Dialect) -> Vec<Statement> {
    match dialect {
        // On SQLite, the write lock lets one transaction at a time create tables.
        Dialect::Sqlite => Vec::new(),
        Dialect::Postgres => {
            let [mut statement_timeout, mut lock_timeout, mut lock] =
                [(); 3].map(|()| SqlWriter::new(dialect));
            // `SET LOCAL` ends with the transaction, so the session keeps its timeouts for requests.
            statement_timeout.sql("SET LOCAL statement_timeout = 0");
            lock_timeout.sql("SET LOCAL lock_timeout = 0");
            lock.sql("SELECT pg_advisory_xact_lock(")
                .integer(LOCK)
                .sql(")");
            // The lock is last, as its wait must have no timeout either.
            vec![
                statement_timeout.finish(),
                lock_timeout.finish(),
                lock.finish(),
            ]
        }
    }
}

/// The statement that sets timeouts for a transaction whose session lacks them; `None` if it lacks none.
pub fn limits(limits: &[(&'static str, Duration)]) -> Option<Statement> {
    let mut writer = SqlWriter::new(Dialect::Postgres);
    for (index, (name, limit)) in limits.iter().enumerate() {
        // A limit beyond the range is none in practice.
        let milliseconds = i64::try_from(limit.as_millis()).unwrap_or(i64::MAX);
        // One text for all of them costs one round trip.
        writer.sql(if index == 0 {
            "SET LOCAL "
        } else {
            "; SET LOCAL "
        });
        // `SET` takes no placeholders, so the number is written.
        writer.sql(name).sql(" = ").integer(milliseconds);
    }
    (!limits.is_empty()).then(|| writer.finish())
}

/// The statements that create those of `tables` that are not `stored`, and the indexes that any of them
/// lacks.
pub fn create_missing(
    dialect: Dialect,
    tables: &[Table],
    stored: &[Option<StoredTable>],
) -> Vec<Statement> {
    let stored = stored.iter().map(Option::as_ref);
    // A table that was not looked up counts as missing; `IF NOT EXISTS` skips it if it is there.
    let stored = stored.chain(std::iter::repeat(None));
    statements(dialect, tables.iter().zip(stored), IF_MISSING)
}

/// The same statements for people to run, without `IF NOT EXISTS`, as nothing else creates tables meanwhile.
pub fn create_missing_now(
    dialect: Dialect,
    tables: &[(&Table, Option<&StoredTable>)],
) -> Vec<Statement> {
    statements(dialect, tables.iter().copied(), "")
}

/// The statements that create all `tables` in an empty database, as the text of a migration; tables of others are
/// named in comments.
pub fn schema_sql(dialect: Dialect, tables: &[Table]) -> String {
    let left_out = tables.iter().filter(|table| table.existing);
    let comments = left_out.map(|table| {
        // Escaped, since a line feed in the name would end the comment.
        let name = table.name.as_str().escape_debug();
        format!("-- Others make the table {name}.\n")
    });
    let missing = tables.iter().map(|table| (table, None));
    let statements = statements(dialect, missing, "").into_iter();
    statements.fold(comments.collect(), |text: String, statement| {
        text + statement.text() + ";\n"
    })
}

fn statements<'tables>(
    dialect: Dialect,
    tables: impl Iterator<Item = (&'tables Table, Option<&'tables StoredTable>)>,
    condition: &'static str,
) -> Vec<Statement> {
    let mut statements = Vec::new();
    // Foreign keys to tables that come later, or in a cycle, are added when all tables exist.
    let mut forwards = Vec::new();
    let mut made: Vec<&Table> = Vec::new();
    for (table, stored) in tables {
        // Nothing is changed of it, but others may refer to it.
        if table.existing {
            made.push(table);
            continue;
        }
        if stored.is_none() {
            // A reference of a table to itself counts as one that points forwards: it may need the unique index
            // that is created after the table.
            let points_back = |key: &ForeignKey| {
                dialect.references_forwards() || made.iter().any(|made| made.name == key.target)
            };
            let mut writer = SqlWriter::new(dialect);
            create_table(&mut writer, table, condition, points_back, |_| false);
            statements.push(writer.finish());
            // Only for a new table: in an older one, rows may share values, and the statement would fail.
            let unique = table
                .unique
                .iter()
                .filter(|_| has_unique_indexes(dialect, table));
            statements.extend(unique.map(|set| index(dialect, table, set, true, condition)));
            let keys = table.foreign_keys.iter().filter(|key| !points_back(key));
            forwards.extend(keys.map(|key| add_foreign_key(dialect, table, key)));
        }
        // A table that exists gets its missing indexes as well: they need nothing of its rows.
        statements.extend(indexes(dialect, table, stored, condition));
        // A table that existed before can be referred to as well.
        made.push(table);
    }
    statements.extend(forwards);
    statements
}

/// The indexes that no existing index replaces, whatever its name. `IF NOT EXISTS` is not enough: even to find
/// an existing index, it waits for all writers of the table and blocks new ones. An index on a column that an
/// older table lacks is left out; a check of the schema reports the column.
fn indexes(
    dialect: Dialect,
    table: &Table,
    stored: Option<&StoredTable>,
    condition: &'static str,
) -> impl Iterator<Item = Statement> {
    let indexes = table.indexes.iter();
    let is_missing = move |columns: &&Vec<Identifier>| {
        // A new table has no index yet.
        stored.is_none_or(|stored| stored.has(columns) && !stored.finds_by(columns))
    };
    let missing = indexes.filter(is_missing);
    missing.map(move |columns| index(dialect, table, columns, false, condition))
}

#[cfg(test)]
mod tests;
