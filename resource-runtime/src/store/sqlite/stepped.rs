//! Connections that are stepped on the thread that owns them, without a hop to another for each row.

use std::path::Path;

use resource_model::value::compare_decimals;
use resource_sql::{DECIMAL, Statement};
use rusqlite::config::DbConfig;
use rusqlite::{CachedStatement, Connection, OpenFlags};

use super::{DatabaseOptions, functions};

/// Statements that each connection keeps prepared.
const PREPARED_STATEMENTS: usize = 256;

pub(super) fn open(file: &Path, options: &DatabaseOptions) -> rusqlite::Result<Connection> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(file, flags)?;
    connection.busy_timeout(options.acquire_timeout)?;
    connection.set_prepared_statement_cache_capacity(PREPARED_STATEMENTS);
    // Else a column that the table lacks would be read as a text that is its own name.
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_DQS_DML, false)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_DQS_DDL, false)?;
    // Else what is prepared is planned anew for each value of a bound: four times what a page costs.
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)?;
    // What is negative is told in KiB, not in pages.
    let page_cache = i64::from(options.page_cache) * 1024;
    connection.pragma_update(None, "cache_size", -page_cache)?;
    connection.create_collation(DECIMAL, compare_decimals)?;
    functions::add(&connection)?;
    Ok(connection)
}

pub(super) fn prepare<'connection>(
    connection: &'connection Connection,
    statement: &Statement,
) -> rusqlite::Result<CachedStatement<'connection>> {
    connection.prepare_cached(statement.text())
}

/// A command without values, prepared once.
pub(super) fn command(connection: &Connection, text: &'static str) -> rusqlite::Result<()> {
    connection.prepare_cached(text)?.execute([]).map(drop)
}
