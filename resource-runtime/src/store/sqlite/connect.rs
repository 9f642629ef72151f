//! Opening of a SQLite file, and the setup of its connections.

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

/// Prefix of names that SQLite reads as URIs, which may name a database in memory.
const URI_PREFIX: &str = "file:";

/// The `mode` of a URL that creates a missing file; `Database::connect` does so without a `mode`, too.
pub(super) const MODE_CREATE: &str = "rwc";

/// The `mode` of a URL that opens a file read-only.
pub(super) const MODE_READ_ONLY: &str = "ro";

/// A connection opens the WAL at its first read.
const FIRST_READ: &str = "SELECT 1 FROM sqlite_schema";

/// Transactions that only read, at the same time.
const SNAPSHOTS: u32 = 4;

/// Pause between attempts to switch the file to WAL mode.
const RETRY_AFTER: Duration = Duration::from_millis(20);

/// The options that a URL stands for; fails for a database without a file.
pub(in crate::store) fn parse(url: &str) -> Result<SqliteConnectOptions, Error> {
    let file = SqliteConnectOptions::from_str(url)
        .map_err(|error| misconfigured("the URL of the SQLite file is invalid", error))?;
    let name = file.get_filename().to_string_lossy();
    // Without a name SQLite uses a temporary file, which ends with the connection.
    if name.is_empty() {
        return Err(Error::configuration(
            "the URL of the SQLite file names no file; write `sqlite://<path>`",
        ));
    }
    // `mode=memory` may stand beside a plain file name, so it is looked for in the URL itself.
    if name == ":memory:" || name.starts_with(URI_PREFIX) || url.contains("mode=memory") {
        return Err(Error::configuration(
            "a database in memory is not supported, as each connection would see one of its own; \
             name a file: `sqlite://<path>`, or open `Database::temporary()` in a test",
        ));
    }
    // The process may change its working directory, after which a new connection would open another file.
    let path = file.get_filename();
    let path = std::path::absolute(path).map_err(|error| cannot_open(path, error))?;
    // SQLite enforces foreign keys only on connections that ask for it, and fails each statement that names a
    // collation which its connection does not know.
    let file = file.filename(path).foreign_keys(true);
    Ok(file.collation(DECIMAL, compare_decimals))
}

/// The parameter `mode` of a URL.
pub(super) fn mode(url: &str) -> Option<&str> {
    let (_, parameters) = url.split_once('?')?;
    let mut parameters = parameters.split('&');
    parameters.find_map(|parameter| parameter.strip_prefix("mode="))
}

pub(super) fn create_missing(file: &SqliteConnectOptions) -> Result<(), Error> {
    let path = file.get_filename();
    opened_file::create_missing(path).map_err(|error| cannot_open(path, error))
}

/// The options for the application's own connections. Creates a missing file if the URL says so, since the
/// application's connection would create it readable by everybody.
pub(in crate::store) fn options_for_application(url: &str) -> Result<SqliteConnectOptions, Error> {
    let file = parse(url)?;
    // Without `mode=rwc`, sqlx creates no file that would have to be protected.
    if mode(url) == Some(MODE_CREATE) {
        create_missing(&file)?;
    }
    Ok(file)
}

/// The pool with the one connection for transactions. Single-statement writes have another connection; both take
/// the write lock.
pub(super) async fn transaction_pool(
    file: &SqliteConnectOptions,
    is_read_only: bool,
    options: &DatabaseOptions,
    endings: &Endings,
) -> Result<SqlitePool, Error> {
    let endings = endings.clone();
    // A file that takes no writes keeps its journal.
    let file = if is_read_only {
        file.clone()
    } else {
        file.clone().journal_mode(SqliteJournalMode::Wal)
    };
    let connection = file
        .clone()
        // A file that was deleted must not be replaced by an empty one.
        .create_if_missing(false)
        .pragma("synchronous", options.durability.synchronous())
        // Writers of other processes are waited for here; those of this one queue at the write lock.
        .busy_timeout(options.acquire_timeout)
        // On macOS, a flush otherwise reaches only the cache of the drive.
        .pragma("fullfsync", "ON")
        .pragma("checkpoint_fullfsync", "ON");
    let pool = SqlitePoolOptions::new()
        // SQLite has one writer at a time, so a second connection could only wait.
        .max_connections(1)
        .acquire_timeout(options.acquire_timeout)
        // A connection to a local file does not become stale: it is neither replaced by age nor tested.
        .idle_timeout(None)
        .max_lifetime(None)
        .test_before_acquire(false)
        // SQLite's commit and rollback hooks belong to the connection, so one that replaces another gets them, too.
        .after_connect(move |connection, _| Box::pin(endings.clone().count(connection)))
        // SQLite ends some transactions by itself, for instance when the disk is full. sqlx still
        // counts such a connection as within a transaction, so it is replaced.
        .before_acquire(|connection, _| {
            let is_free = !connection.is_in_transaction();
            Box::pin(async move { Ok(is_free) })
        });
    // The busy timeout does not apply when two processes switch a new file to WAL mode at the same time:
    // the later one gets SQLITE_BUSY at once and must retry.
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

/// The pool of connections for transactions that only read. They are opened when they are needed.
pub(super) fn snapshot_pool(file: &SqliteConnectOptions, options: &DatabaseOptions) -> SqlitePool {
    let connection = file
        .clone()
        .create_if_missing(false)
        .busy_timeout(options.acquire_timeout)
        .pragma("query_only", "ON");
    SqlitePoolOptions::new()
        .max_connections(SNAPSHOTS)
        .acquire_timeout(options.acquire_timeout)
        .max_lifetime(None)
        .test_before_acquire(false)
        .connect_lazy_with(connection)
}

/// The error of a file that cannot be opened.
pub(super) fn cannot_open(path: &Path, error: impl StdError + Send + Sync + 'static) -> Error {
    let problem = format!("cannot open the SQLite file `{}`: {error}", path.display());
    // SQLite creates files, and no folders; its own error tells neither.
    let folder = path.parent().filter(|it| !it.exists());
    let remedy = folder.map(|folder| {
        let folder = folder.display();
        format!("; there is no folder `{folder}`: create it with `mkdir -p {folder}`")
    });
    Error::configuration(problem + &remedy.unwrap_or_default()).with_source(error)
}

/// Statements that each connection keeps prepared.
const PREPARED_STATEMENTS: usize = 256;

/// Opens a connection of rusqlite, for a reader or the group committer.
pub(super) fn open(file: &Path, options: &DatabaseOptions) -> rusqlite::Result<Connection> {
    // Without CREATE, a file that was deleted is not replaced by an empty one. Readers open for writes, too,
    // since every connection writes to the index of the WAL. NO_MUTEX: one thread at a time uses a
    // connection.
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(file, flags)?;
    connection.busy_timeout(options.acquire_timeout)?;
    connection.set_prepared_statement_cache_capacity(PREPARED_STATEMENTS);
    // Otherwise SQLite would read a missing column in double quotes as a string of its name.
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_DQS_DML, false)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_DQS_DDL, false)?;
    // Otherwise a prepared statement is planned again for each bound value, which costs four times as much as reading
    // a page of a list.
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)?;
    // A negative size is in KiB, a positive one in pages.
    let page_cache = i64::from(options.page_cache) * 1024;
    connection.pragma_update(None, "cache_size", -page_cache)?;
    connection.create_collation(DECIMAL, compare_decimals)?;
    functions::add(&connection)?;
    Ok(connection)
}

/// Executes a command without values, which stays prepared.
pub(super) fn command(connection: &Connection, text: &'static str) -> rusqlite::Result<()> {
    connection.prepare_cached(text)?.execute([]).map(drop)
}

#[cfg(test)]
mod tests {
    use super::parse;

    #[test]
    fn relative_path_is_resolved_once() {
        let folder = std::env::current_dir().unwrap();
        for (url, file) in [
            ("sqlite://items.db", "items.db"),
            ("sqlite:data/items.db?mode=rwc", "data/items.db"),
        ] {
            assert_eq!(parse(url).unwrap().get_filename(), folder.join(file));
        }
    }
}
