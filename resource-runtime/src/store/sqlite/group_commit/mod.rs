//! Group commit: single-statement writes that wait at the same time are committed together, so that they share
//! one flush of the disk. Each gets its own result after the commit.

mod commit_group;

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use flume::TrySendError;
use resource_model::error::{DatabaseFailure, Error};
use resource_model::schema::ResourceDefinition;
use resource_model::value::Key;
use resource_sql::Batch;
use rusqlite::Connection;
use tokio::sync::oneshot;

use super::connect;
use super::followed_totals::FollowedTotals;
use super::opened_file::OpenedFile;
use super::threads::Threads;
use super::write_lock::{WriteGuard, WriteLock};
use crate::locked::locked;
use crate::store::{BatchFailure, DatabaseOptions, misconfigured};
use commit_group::Committer;

/// Writes that may wait before further ones are refused as overload.
const QUEUE_LENGTH: usize = 4096;

const TOO_LATE: &str = "the write waited too long for the write lock";

const CHECKPOINT: &str = "PRAGMA wal_checkpoint(TRUNCATE)";

/// Longest wait of the final checkpoint for other processes, whose writes it blocks meanwhile.
const CHECKPOINT_TIMEOUT: Duration = Duration::from_secs(1);

const STOPPED: &str = "the writer stopped";

/// A statement that writes, once for each row of its values, and the channel for its result.
#[derive(Debug)]
struct Write {
    batch: Arc<Batch>,
    /// The resource whose key the statement returns; none where it returns no key.
    returning: Option<&'static ResourceDefinition>,
    /// The latest time at which the statement may begin.
    deadline: Instant,
    reply: oneshot::Sender<Outcome>,
}

/// The result of a statement.
#[derive(Debug, Default)]
pub(super) struct Written {
    /// The number of changed rows; zero where a row returned no key, for which all are undone.
    pub(super) rows: u64,
    /// The keys of the rows before that one, in the order of the values.
    pub(super) keys: Vec<Key>,
}

type Outcome = Result<Written, BatchFailure>;

/// The thread of group commits. It shares the write lock with transactions.
#[derive(Debug)]
pub(super) struct GroupCommitter {
    queue: flume::Sender<Write>,
    acquire_timeout: Duration,
    /// True if no write can ever succeed.
    pub(super) is_read_only: bool,
    pub(super) totals: Arc<FollowedTotals>,
    // Dropped after the queue, whose end ends the thread.
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
        // The connection is opened here, so that the start of the service fails if it cannot be.
        let connection = connect(file, options).map_err(cannot_write)?;
        connection
            // Connections are opened for writes whatever the URL says.
            .pragma_update(None, "query_only", is_read_only)
            .map_err(cannot_write)?;
        // SQLite silently opens a file without write permission as read-only.
        let is_read_only = is_read_only || connection.is_readonly("main").map_err(cannot_write)?;
        let totals = FollowedTotals::open(connection, file, options).map_err(cannot_write)?;
        let totals = Arc::new(totals);
        let committer = Committer {
            opened,
            totals: Arc::clone(&totals),
        };
        let (queue, writes) = flume::bounded(QUEUE_LENGTH);
        // The thread that wrote makes the final checkpoint, once the last clone of the database is dropped.
        let body = move || {
            run(&committer, &writes, &write_lock);
            if !is_read_only {
                checkpoint(&committer);
            }
        };
        let thread = Threads::start("sqlite-writer", [body])
            .map_err(|error| misconfigured("cannot start the writer thread", error))?;
        Ok(Self {
            queue,
            acquire_timeout: options.acquire_timeout,
            is_read_only,
            totals,
            _thread: thread,
        })
    }

    /// Executes the statement for each row of a batch, all or none, and resolves when the changes are durable.
    pub(super) async fn write(
        &self,
        batch: Arc<Batch>,
        returning: Option<&'static ResourceDefinition>,
    ) -> Outcome {
        let (reply, result) = oneshot::channel();
        let write = Write {
            batch,
            returning,
            deadline: Instant::now() + self.acquire_timeout,
            reply,
        };
        // A full queue is overload: a wait for a place would only precede the wait for the lock.
        self.queue.try_send(write).map_err(|error| match error {
            TrySendError::Full(_) => unavailable("too many writes wait for the write lock"),
            TrySendError::Disconnected(_) => DatabaseFailure::internal(STOPPED),
        })?;
        // The thread checks the deadline: a timer here would cost as much as the write itself.
        result
            .await
            // While a request waits, its reply is dropped unanswered only if the thread panics.
            .map_err(|_| DatabaseFailure::internal(STOPPED))?
    }
}

fn unavailable(reason: &str) -> DatabaseFailure {
    DatabaseFailure::unavailable(reason.to_owned())
}

fn connect(file: &Path, options: &DatabaseOptions) -> rusqlite::Result<Connection> {
    let connection = connect::open(file, options)?;
    // SQLite does not enforce foreign keys unless the connection asks for it.
    connection.pragma_update(None, "foreign_keys", true)?;
    connection.pragma_update(None, "synchronous", options.durability.synchronous())?;
    // On macOS, a flush otherwise reaches only the cache of the drive.
    connection.pragma_update(None, "fullfsync", true)?;
    connection.pragma_update(None, "checkpoint_fullfsync", true)?;
    Ok(connection)
}

/// Commits groups until the queue ends.
fn run(committer: &Committer, writes: &flume::Receiver<Write>, write_lock: &WriteLock) {
    while let Ok(first) = writes.recv() {
        // The lock is held for one group at a time, so that the transactions of hooks come between groups.
        if let Some((_guard, first)) = acquire_lock(write_lock, first, writes) {
            committer.run(first, writes);
        }
    }
}

/// Acquires the write lock for `first`. If `first` expires while it waits, its place in the lock's queue passes to the
/// next write, which would otherwise queue anew with hardly any time left. None if no write is left. If the lock is free
/// at once, `first` is returned even if its deadline has passed; `commit_group::run` drops it.
fn acquire_lock(
    write_lock: &WriteLock,
    mut first: Write,
    writes: &flume::Receiver<Write>,
) -> Option<(WriteGuard, Write)> {
    let queued = match write_lock.try_lock() {
        Ok(guard) => return Some((guard, first)),
        Err(queued) => queued,
    };
    loop {
        // This blocks the thread. Writes that arrive meanwhile will share the next commit.
        if let Ok(guard) = queued.recv_deadline(first.deadline) {
            return Some((guard, first));
        }
        first.finish(Err(unavailable(TOO_LATE).into()));
        // Without a further write, the receiver is dropped, which leaves the queue of the lock.
        first = writes.try_recv().ok()?;
    }
}

/// Moves all commits from the WAL into the file, so that a copy of the file alone is complete.
fn checkpoint(committer: &Committer) {
    // The WAL at the path may belong to another file by now.
    if committer.opened.verify().is_err() {
        return;
    }
    // The first column is 1 if another connection kept the checkpoint from reaching the end of the WAL.
    let connection = locked(&committer.totals.writer);
    let is_blocked = connection
        .busy_timeout(CHECKPOINT_TIMEOUT)
        .and_then(|()| connection.query_row(CHECKPOINT, [], |row| row.get(0)));
    match is_blocked {
        Ok(false) => {}
        Ok(true) => {
            tracing::info!("another connection uses the SQLite file: new rows stay in its WAL");
        }
        Err(error) => tracing::warn!(%error, "the newest rows of the SQLite file stay in its WAL"),
    }
}

#[cfg(test)]
mod tests;
