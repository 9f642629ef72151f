//! Writes of one statement each, which are transactions by themselves: those that wait at the same
//! time are committed together, so that they share what a commit waits for. Each is answered for
//! itself, after the commit.

mod commit_group;

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use flume::TrySendError;
use resource_model::error::{DatabaseFailure, DatabaseResult, Error};
use resource_model::schema::ResourceDefinition;
use resource_model::value::Key;
use resource_sql::Statement;
use rusqlite::Connection;
use tokio::sync::oneshot;

use super::connect;
use super::opened_file::OpenedFile;
use super::threads::Threads;
use super::write_lock::{WriteGuard, WriteLock};
use crate::store::{DatabaseOptions, misconfigured};

/// Writes that may wait before further ones are told that we are overloaded.
const QUEUE_LENGTH: usize = 4096;

const TOO_LATE: &str = "the write waited too long for its turn";

const CHECKPOINT: &str = "PRAGMA wal_checkpoint(TRUNCATE)";

/// How long the checkpoint at the end waits for other processes, whose writes wait for it meanwhile.
const OTHERS_WAIT: Duration = Duration::from_secs(1);

const STOPPED: &str = "the writer stopped";

/// One statement that writes, and who waits for it.
#[derive(Debug)]
struct Write {
    statement: Statement,
    /// The resource whose key the statement returns, where it returns one.
    returning: Option<&'static ResourceDefinition>,
    /// By when it is to have its turn.
    deadline: Instant,
    reply: oneshot::Sender<DatabaseResult<Written>>,
}

/// What a statement did.
#[derive(Debug)]
pub(super) struct Written {
    pub(super) rows: u64,
    pub(super) key: Option<Key>,
}

/// The thread that gathers writes. It takes turns with the transactions that hooks are given.
#[derive(Debug)]
pub(super) struct GroupCommitter {
    queue: flume::Sender<Write>,
    acquire_timeout: Duration,
    /// Set where the file takes no writes, however long one waits.
    pub(super) is_read_only: bool,
    _thread: Threads,
}

impl GroupCommitter {
    pub(super) fn start(
        file: &Path,
        is_read_only: bool,
        options: &DatabaseOptions,
        write_lock: WriteLock,
        opened: Arc<OpenedFile>,
    ) -> Result<Self, Error> {
        let cannot_write = |error| misconfigured("cannot write the SQLite file", error);
        let connection = connect(file, options).map_err(cannot_write)?;
        connection
            .pragma_update(None, "query_only", is_read_only)
            .map_err(cannot_write)?;
        // SQLite itself opens what it may not write as if it was told so.
        let is_read_only = is_read_only || connection.is_readonly("main").map_err(cannot_write)?;
        let (queue, writes) = flume::bounded(QUEUE_LENGTH);
        let work = move || {
            work(&connection, &opened, &writes, &write_lock);
            if !is_read_only {
                checkpoint(&connection, &opened);
            }
        };
        let thread = Threads::start("sqlite-writer", [work])
            .map_err(|error| misconfigured("cannot start the writer thread", error))?;
        Ok(Self {
            queue,
            acquire_timeout: options.acquire_timeout,
            is_read_only,
            _thread: thread,
        })
    }

    /// Carries out `statement`, and answers when that is durable.
    pub(super) async fn write(
        &self,
        statement: Statement,
        returning: Option<&'static ResourceDefinition>,
    ) -> DatabaseResult<Written> {
        let (reply, answer) = oneshot::channel();
        let write = Write {
            statement,
            returning,
            deadline: Instant::now() + self.acquire_timeout,
            reply,
        };
        self.queue.try_send(write).map_err(|error| match error {
            TrySendError::Full(_) => unavailable("too many writes wait for their turn"),
            TrySendError::Disconnected(_) => DatabaseFailure::internal(STOPPED),
        })?;
        // The thread keeps to the deadline: a timer of each write's own would cost as much as it.
        let answered = answer.await;
        answered.map_err(|_| DatabaseFailure::internal(STOPPED))?
    }
}

fn unavailable(reason: &str) -> DatabaseFailure {
    DatabaseFailure::unavailable(reason.to_owned())
}

fn connect(file: &Path, options: &DatabaseOptions) -> rusqlite::Result<Connection> {
    let connection = connect::open(file, options)?;
    connection.pragma_update(None, "foreign_keys", true)?;
    connection.pragma_update(None, "synchronous", options.durability.synchronous())?;
    // On macOS alone, a flush otherwise ends in the cache of the drive.
    connection.pragma_update(None, "fullfsync", true)?;
    connection.pragma_update(None, "checkpoint_fullfsync", true)?;
    Ok(connection)
}

fn work(
    connection: &Connection,
    opened: &OpenedFile,
    writes: &flume::Receiver<Write>,
    write_lock: &WriteLock,
) {
    while let Ok(first) = writes.recv() {
        if let Some((_guard, first)) = in_guard(write_lock, first, writes) {
            commit_group::run(connection, opened, first, writes);
        }
    }
}

/// The next turn, and the write that it is for: one that waited too long leaves its place to the next, which
/// would otherwise begin to wait when it has hardly any time left.
fn in_guard(
    write_lock: &WriteLock,
    mut first: Write,
    writes: &flume::Receiver<Write>,
) -> Option<(WriteGuard, Write)> {
    let next = match write_lock.try_lock() {
        Ok(guard) => return Some((guard, first)),
        Err(next) => next,
    };
    loop {
        if let Ok(guard) = next.recv_deadline(first.deadline) {
            return Some((guard, first));
        }
        first.answer(Err(unavailable(TOO_LATE)));
        first = writes.try_recv().ok()?;
    }
}

/// Brings what was committed from the WAL into the file, so that a copy of the file alone is whole.
fn checkpoint(connection: &Connection, opened: &OpenedFile) {
    // The WAL may by now be that of another file.
    if opened.verify().is_err() {
        return;
    }
    let is_blocked = connection
        .busy_timeout(OTHERS_WAIT)
        .and_then(|()| connection.query_row(CHECKPOINT, [], |row| row.get(0)));
    match is_blocked {
        Ok(false) => {}
        Ok(true) => tracing::info!("others use the SQLite file: its newest rows stay in its WAL"),
        Err(error) => tracing::warn!(%error, "the newest rows of the SQLite file stay in its WAL"),
    }
}

#[cfg(test)]
mod tests;
