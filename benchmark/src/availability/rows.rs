//! The rows of the attacked service: settings, which others ask for, and documents, which are attacked.

use std::fs::File;
use std::time::{Duration, Instant};

use nix::fcntl::{PosixFadviseAdvice, posix_fadvise};
use rusqlite::Connection;
use sqlx::{AssertSqlSafe, Connection as _, PgConnection};
use tokio::runtime::Runtime;

use crate::Outcome;
use crate::stores::{Backend, Store};
use crate::subjects::attacked;

pub(super) const SETTINGS: u64 = 1000;

/// Documents that one statement writes at most.
const AT_ONCE: u64 = 250_000;

/// Bytes of texts that are written at most.
const MOST: u64 = 4 << 30;

/// Documents to write, for as long as that may take.
#[derive(Debug, Clone, Copy)]
pub(super) struct Documents {
    rows: u64,
    length: u64,
    time: Duration,
}

impl Documents {
    /// This number of documents, with texts of this many letters.
    pub(super) const fn of(rows: u64, length: u64) -> Self {
        Self {
            rows,
            length,
            time: Duration::MAX,
        }
    }

    /// Documents with texts of this many letters, as many as are written in that time.
    pub(super) const fn in_time(length: u64, time: Duration) -> Self {
        Self {
            rows: MOST / length,
            length,
            time,
        }
    }

    /// Writes the documents to the database at `url`; returns their number.
    pub(super) fn write(self, backend: Backend, url: &str) -> Outcome<u64> {
        let mut database = Database::open(backend, url)?;
        let text = match backend {
            Backend::Sqlite => format!("printf('%.*c', {}, 'a')", self.length),
            Backend::Postgres => format!("repeat('a', {})", self.length),
        };
        let start = Instant::now();
        let mut written = 0;
        while written < self.rows && start.elapsed() < self.time {
            let up_to = self.rows.min(written + AT_ONCE);
            database.execute(&format!(
                "INSERT INTO documents (title, text) WITH RECURSIVE numbers (number) AS (\
                 SELECT {} UNION ALL SELECT number + 1 FROM numbers WHERE number < {up_to}) \
                 SELECT 'document ' || number, {text} FROM numbers",
                written + 1
            ))?;
            written = up_to;
        }
        database.finish()?;
        Ok(written)
    }
}

/// A new database with the tables of the attacked service, and its settings.
pub(super) fn database(store: &mut Store) -> Outcome<String> {
    let url = store.copy("attacked")?;
    Runtime::new()?.block_on(attacked::create_tables(&url))?;
    Ok(url)
}

/// Makes each total of the documents, and each page of them, take this long.
pub(super) fn slow_down(url: &str, seconds: f64) -> Outcome {
    let mut database = Database::open(Backend::Postgres, url)?;
    database.execute(&format!(
        "ALTER TABLE documents RENAME TO stored_documents; \
         CREATE VIEW documents AS SELECT stored_documents.* \
         FROM stored_documents, (SELECT pg_sleep({seconds})) AS pause"
    ))
}

/// Has all commits of the server wait for a standby that is not there.
pub(super) fn await_a_standby(url: &str) -> Outcome {
    let mut database = Database::open(Backend::Postgres, url)?;
    database.execute("ALTER SYSTEM SET synchronous_standby_names = 'nobody'")?;
    database.execute("SELECT pg_reload_conf()")
}

/// A connection beside the service.
enum Database {
    Sqlite(Connection),
    Postgres(Runtime, PgConnection),
}

impl Database {
    fn open(backend: Backend, url: &str) -> Outcome<Self> {
        if backend == Backend::Postgres {
            let runtime = Runtime::new()?;
            let connection = runtime.block_on(PgConnection::connect(url))?;
            return Ok(Self::Postgres(runtime, connection));
        }
        let connection = Connection::open(file(url))?;
        // The rows of a benchmark need not survive a power cut.
        connection.execute_batch("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF")?;
        Ok(Self::Sqlite(connection))
    }

    fn execute(&mut self, statements: &str) -> Outcome {
        match self {
            Self::Sqlite(connection) => connection.execute_batch(statements)?,
            Self::Postgres(runtime, connection) => {
                let statements = sqlx::raw_sql(AssertSqlSafe(statements.to_owned()));
                runtime.block_on(statements.execute(connection))?;
            }
        }
        Ok(())
    }

    /// Leaves the statistics that a planner needs, and nothing of a file in memory.
    fn finish(mut self) -> Outcome {
        if let Self::Sqlite(connection) = self {
            let path = connection.path().unwrap_or_default().to_owned();
            connection.execute_batch("PRAGMA journal_mode = WAL")?;
            drop(connection);
            let file = File::open(path)?;
            file.sync_all()?;
            return Ok(posix_fadvise(
                &file,
                0,
                0,
                PosixFadviseAdvice::POSIX_FADV_DONTNEED,
            )?);
        }
        self.execute("VACUUM ANALYZE")
    }
}

fn file(url: &str) -> &str {
    url.trim_start_matches("sqlite://")
}
