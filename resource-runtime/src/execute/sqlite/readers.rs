use std::path::Path;
use std::time::{Duration, Instant};

use rusqlite::config::DbConfig;
use rusqlite::{CachedStatement, Connection, OpenFlags, params_from_iter};
use tokio::sync::oneshot;

use super::failure::of_reader;
#[cfg(feature = "metrics")]
use super::usage::Usage;
use super::{DatabaseOptions, functions};
use crate::error::{DatabaseFailure, Error, panic_text};
#[cfg(feature = "metrics")]
use crate::execute::PoolUse;
use crate::execute::RowVisitor;
use crate::plan::{DECIMAL, PageRead, Statement};
use crate::value::compare_decimals;

/// Requests that may wait for a reader before further ones are told that we are overloaded.
const QUEUE_LENGTH: usize = 4096;

/// Statements that each reader keeps prepared.
const PREPARED_STATEMENTS: usize = 256;

/// Instructions of SQLite's machine between two looks at the clock: microseconds as a rule, more
/// where they match patterns in long texts.
const INSTRUCTIONS_BETWEEN_LOOKS: i32 = 1000;

type Job = Box<dyn FnOnce(&mut Connection) + Send>;

/// Threads that read, each with a connection of its own. A request is one job: its statements
/// are stepped where the rows are, without a hop between threads for each of them.
#[derive(Debug)]
pub(in crate::execute) struct Readers {
    queue: flume::Sender<Job>,
    patience: Duration,
    /// How long a read may run; zero is no limit of its own.
    limit: Duration,
    #[cfg(feature = "metrics")]
    usage: Usage,
}

impl Readers {
    pub(super) fn start(file: &Path, options: &DatabaseOptions) -> Result<Self, Error> {
        let (queue, jobs) = flume::bounded(QUEUE_LENGTH);
        for _ in 0..options.readers {
            let connection = connect(file, options.acquire_timeout)
                .map_err(|error| Error::new(format!("cannot read the SQLite file: {error}")))?;
            let jobs = jobs.clone();
            std::thread::Builder::new()
                .name(String::from("sqlite-reader"))
                .spawn(move || work(connection, &jobs))
                .map_err(|error| Error::new(format!("cannot start a reader thread: {error}")))?;
        }
        Ok(Self {
            queue,
            patience: options.acquire_timeout,
            limit: options.statement_timeout,
            #[cfg(feature = "metrics")]
            usage: Usage::of(options.readers),
        })
    }

    #[cfg(feature = "metrics")]
    pub(super) fn pool_use(&self) -> PoolUse {
        self.usage.told(self.queue.len())
    }

    pub(in crate::execute) async fn item<V: RowVisitor>(
        &self,
        statement: Statement,
        mut visitor: V,
    ) -> Result<Option<V>, DatabaseFailure> {
        self.run(move |connection| {
            let rows = step(connection, &statement, &mut visitor)?;
            Ok((rows > 0).then_some(visitor))
        })
        .await
    }

    pub(in crate::execute) async fn page<V: RowVisitor>(
        &self,
        read: PageRead,
        visitor: V,
    ) -> Result<(V, u64), DatabaseFailure> {
        self.run(move |connection| page(connection, &read, visitor))
            .await
    }

    pub(in crate::execute) async fn finds(
        &self,
        statement: Statement,
    ) -> Result<bool, DatabaseFailure> {
        self.run(move |connection| {
            let mut prepared = prepare(connection, &statement)?;
            prepared
                .exists(params_from_iter(statement.binds()))
                .map_err(|error| of_reader(&error))
        })
        .await
    }

    pub(super) async fn run<T: Send + 'static>(
        &self,
        read: impl FnOnce(&mut Connection) -> Result<T, DatabaseFailure> + Send + 'static,
    ) -> Result<T, DatabaseFailure> {
        let (reply, answer) = oneshot::channel();
        let (deadline, limit) = (Instant::now() + self.patience, self.limit);
        #[cfg(feature = "metrics")]
        let usage = self.usage.clone();
        let job: Job = Box::new(move |connection| {
            #[cfg(feature = "metrics")]
            let _used = usage.begin();
            let deadline = if limit.is_zero() {
                deadline
            } else {
                deadline.min(Instant::now() + limit)
            };
            // A client that has gone needs no answer.
            if !reply.is_closed() {
                let _ = reply.send(caught(|| before(deadline, connection, read)));
            }
        });
        self.queue.try_send(job).map_err(|_| {
            DatabaseFailure::Unavailable(String::from("too many requests wait for a reader"))
        })?;
        tokio::time::timeout(self.patience, answer)
            .await
            .map_err(|_| overdue())?
            .map_err(|_| {
                DatabaseFailure::unexpected("a reader stopped in the midst of a request")
            })?
    }
}

/// A read runs the format hooks of the developer, whose panics must not end the thread.
fn caught<T>(read: impl FnOnce() -> Result<T, DatabaseFailure>) -> Result<T, DatabaseFailure> {
    let read = std::panic::AssertUnwindSafe(read);
    std::panic::catch_unwind(read).unwrap_or_else(|cause| {
        let cause = panic_text(&*cause);
        Err(DatabaseFailure::Unexpected(format!(
            "a read panicked: {cause}"
        )))
    })
}

/// Reads until `deadline` at the most: SQLite is interrupted where it would go on.
fn before<T>(
    deadline: Instant,
    connection: &mut Connection,
    read: impl FnOnce(&mut Connection) -> Result<T, DatabaseFailure>,
) -> Result<T, DatabaseFailure> {
    let is_late = move || Instant::now() > deadline;
    if is_late() {
        return Err(overdue());
    }
    connection
        .progress_handler(INSTRUCTIONS_BETWEEN_LOOKS, Some(is_late))
        .map_err(|error| of_reader(&error))?;
    read(connection)
}

fn overdue() -> DatabaseFailure {
    DatabaseFailure::Unavailable(String::from("the read took too long"))
}

fn connect(file: &Path, busy_timeout: Duration) -> rusqlite::Result<Connection> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(file, flags)?;
    connection.busy_timeout(busy_timeout)?;
    connection.set_prepared_statement_cache_capacity(PREPARED_STATEMENTS);
    // Else a column that the table lacks would be read as a text that is its own name.
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_DQS_DML, false)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_DQS_DDL, false)?;
    connection.pragma_update(None, "query_only", true)?;
    // 64 MiB at most: with the default of 2 MiB a count of 100,000 rows costs 25 times as much.
    connection.pragma_update(None, "cache_size", -65_536)?;
    connection.create_collation(DECIMAL, compare_decimals)?;
    functions::add(&connection)?;
    Ok(connection)
}

fn work(mut connection: Connection, jobs: &flume::Receiver<Job>) {
    while let Ok(job) = jobs.recv() {
        job(&mut connection);
    }
}

fn page<V: RowVisitor>(
    connection: &mut Connection,
    read: &PageRead,
    mut visitor: V,
) -> Result<(V, u64), DatabaseFailure> {
    let snapshot = connection
        .transaction()
        .map_err(|error| of_reader(&error))?;
    let rows = match &read.rows {
        Some(statement) => step(&snapshot, statement, &mut visitor)?,
        None => 0,
    };
    let total = match read.total_told_by(rows) {
        Some(total) => total,
        None => count(&snapshot, &read.count)?,
    };
    Ok((visitor, total))
}

fn prepare<'connection>(
    connection: &'connection Connection,
    statement: &Statement,
) -> Result<CachedStatement<'connection>, DatabaseFailure> {
    connection
        .prepare_cached(statement.text())
        .map_err(|error| of_reader(&error))
}

fn step(
    connection: &Connection,
    statement: &Statement,
    visitor: &mut impl RowVisitor,
) -> Result<u64, DatabaseFailure> {
    let mut prepared = prepare(connection, statement)?;
    let mut rows = prepared
        .query(params_from_iter(statement.binds()))
        .map_err(|error| of_reader(&error))?;
    let mut visited = 0;
    while let Some(row) = rows.next().map_err(|error| of_reader(&error))? {
        visitor.visit(row)?;
        visited += 1;
    }
    Ok(visited)
}

fn count(connection: &Connection, statement: &Statement) -> Result<u64, DatabaseFailure> {
    let mut prepared = prepare(connection, statement)?;
    let count: i64 = prepared
        .query_row(params_from_iter(statement.binds()), |row| row.get(0))
        .map_err(|error| of_reader(&error))?;
    u64::try_from(count).map_err(DatabaseFailure::unexpected)
}
