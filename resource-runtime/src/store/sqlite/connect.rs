//! Connections to a file, and how they are set up.

use std::error::Error as StdError;
use std::path::Path;
use std::str::FromStr;
use std::time::Duration;

use resource_model::error::Error;
use resource_model::value::compare_decimals;
use resource_sql::DECIMAL;
use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags};
use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePoolOptions};
use sqlx::{Connection as _, SqlitePool};
use tokio::time::{Instant, sleep};

use super::failure::is_busy;
use super::open_transaction::Endings;
use super::{DatabaseOptions, functions, opened_file};
use crate::store::misconfigured;

/// How names start that SQLite reads as URIs, those of databases in memory among them.
const URI: &str = "file:";

/// The `mode` of a URL by which a file that is missing is created, as it is without any.
pub(super) const CREATING: &str = "rwc";

/// The `mode` of a URL by which a file is read alone.
pub(super) const READING: &str = "ro";

/// A connection opens the WAL when it reads.
const FIRST_READ: &str = "SELECT 1 FROM sqlite_schema";

/// How long a process that starts waits before it tries again to put the file into WAL mode.
const RETRY_AFTER: Duration = Duration::from_millis(20);

pub(in crate::store) fn parse(url: &str) -> Result<SqliteConnectOptions, Error> {
    let file = SqliteConnectOptions::from_str(url)
        .map_err(|error| misconfigured("the URL of the SQLite file is none", error))?;
    let name = file.get_filename().to_string_lossy();
    // SQLite takes no name for a file of its own that it removes when the connection ends.
    if name.is_empty() {
        return Err(Error::configuration(
            "the URL of the SQLite file names no file; write `sqlite://<path>`",
        ));
    }
    if name == ":memory:" || name.starts_with(URI) || url.contains("mode=memory") {
        return Err(Error::configuration(
            "a database in memory is not supported, as each connection would see one of its own; \
             name a file: `sqlite://<path>`",
        ));
    }
    Ok(file.foreign_keys(true).collation(DECIMAL, compare_decimals))
}

/// The parameter `mode` of a URL: how its file is opened.
pub(super) fn mode(url: &str) -> Option<&str> {
    let (_, parameters) = url.split_once('?')?;
    let mut parameters = parameters.split('&');
    parameters.find_map(|parameter| parameter.strip_prefix("mode="))
}

pub(super) fn create_missing(file: &SqliteConnectOptions) -> Result<(), Error> {
    let path = file.get_filename();
    opened_file::create_missing(path).map_err(|error| cannot_open(path, error))
}

/// The settings of a connection of somebody's own, and the file, where the URL says to create it:
/// else whoever connects would create it for everybody to read.
pub(in crate::store) fn for_others(url: &str) -> Result<SqliteConnectOptions, Error> {
    let file = parse(url)?;
    if mode(url) == Some(CREATING) {
        create_missing(&file)?;
    }
    Ok(file)
}

/// The one connection of transactions that write. What is one statement is gathered on another; who
/// of the two writes is told by the turn that both take.
pub(super) async fn writer(
    file: &SqliteConnectOptions,
    options: &DatabaseOptions,
    endings: &Endings,
) -> Result<SqlitePool, Error> {
    let endings = endings.clone();
    let connection = file
        .clone()
        // Never another in the place of one that was deleted.
        .create_if_missing(false)
        .journal_mode(SqliteJournalMode::Wal)
        .pragma("synchronous", options.durability.synchronous())
        .busy_timeout(options.acquire_timeout)
        // On macOS alone, a flush otherwise ends in the cache of the drive.
        .pragma("fullfsync", "ON")
        .pragma("checkpoint_fullfsync", "ON");
    let pool = SqlitePoolOptions::new()
        .max_connections(1)
        .acquire_timeout(options.acquire_timeout)
        .idle_timeout(None)
        .max_lifetime(None)
        .test_before_acquire(false)
        .after_connect(move |connection, _| Box::pin(endings.clone().count(connection)))
        // SQLite ends some transactions by itself, for instance when the disk is full, and the driver
        // then takes the connection for one that is still within: it is replaced.
        .before_acquire(|connection, _| {
            let is_free = !connection.is_in_transaction();
            Box::pin(async move { Ok(is_free) })
        });
    // SQLite does not wait when two processes switch a new file to WAL at the same moment: the
    // later one is told that it is busy, and must ask again.
    let deadline = Instant::now() + options.acquire_timeout;
    loop {
        let opened = async {
            let pool = pool.clone().connect_with(connection.clone()).await?;
            sqlx::query(FIRST_READ).fetch_optional(&pool).await?;
            Ok(pool)
        };
        match opened.await {
            Err(error) if is_busy(&error) && Instant::now() < deadline => {
                sleep(RETRY_AFTER).await;
            }
            Err(error) => return Err(cannot_open(file.get_filename(), error)),
            Ok(pool) => return Ok(pool),
        }
    }
}

pub(super) fn cannot_open(path: &Path, error: impl StdError + Send + Sync + 'static) -> Error {
    let problem = format!("cannot open the SQLite file `{}`", path.display());
    misconfigured(&problem, error)
}

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

/// A command without values, prepared once.
pub(super) fn command(connection: &Connection, text: &'static str) -> rusqlite::Result<()> {
    connection.prepare_cached(text)?.execute([]).map(drop)
}
