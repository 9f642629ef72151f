//! One group commit: savepoints for its writes, the commit, and the results.

use std::time::Instant;

use resource_model::error::{DatabaseFailure, DatabaseResult};
use rusqlite::Connection;

use super::{TOO_LATE, Write, Written, unavailable};
use crate::store::Row as _;
use crate::store::sqlite::connect::command;
use crate::store::sqlite::failure;
use crate::store::sqlite::opened_file::OpenedFile;
use crate::store::sqlite::row::bound;

/// Writes of one group, limited because the first of them waits for the last.
const MAX_GROUP: usize = 64;

type Outcome = DatabaseResult<Written>;

/// Executes and commits `first` with the writes in the queue, and sends each its result.
pub(super) fn run(
    connection: &Connection,
    opened: &OpenedFile,
    first: Write,
    writes: &flume::Receiver<Write>,
) {
    if let Some(first) = first.drop_if_expired() {
        commit_group(connection, opened, first, || writes.try_recv().ok());
    }
}

fn commit_alone(connection: &Connection, opened: &OpenedFile, write: Write) {
    commit_group(connection, opened, write, || None);
}

/// Executes and commits `first` with the writes that `next` returns.
fn commit_group(
    connection: &Connection,
    opened: &OpenedFile,
    first: Write,
    next: impl Fn() -> Option<Write>,
) {
    if let Err(error) = begin(connection, first.deadline) {
        return first.finish(Err(failure::of_group_statement(error)));
    }
    let outcome = first.execute_in_savepoint(connection);
    let mut done = vec![(first, outcome)];
    // Some failures, like `RAISE(ROLLBACK)`, make SQLite end the transaction.
    while !connection.is_autocommit() && done.len() < MAX_GROUP {
        let Some(next) = next() else { break };
        if let Some(next) = next.drop_if_expired() {
            let outcome = next.execute_in_savepoint(connection);
            done.push((next, outcome));
        }
    }
    if !connection.is_autocommit() {
        return commit(connection, opened, done);
    }
    // The last statement rolled back the earlier ones, which are retried one by one.
    let last = done.pop();
    for (write, _) in done {
        commit_alone(connection, opened, write);
    }
    finish_all(last);
}

/// Begins a transaction, and waits until `deadline` for writers of other processes.
fn begin(connection: &Connection, deadline: Instant) -> rusqlite::Result<()> {
    connection.busy_timeout(deadline.saturating_duration_since(Instant::now()))?;
    command(connection, "BEGIN IMMEDIATE")
}

/// Commits a group. A violation of a deferred constraint is the fault of one write, so that each is retried by
/// itself. After a failure of the disk the outcome is unknown. Nothing is committed to a file that was deleted or
/// replaced.
fn commit(connection: &Connection, opened: &OpenedFile, done: Vec<(Write, Outcome)>) {
    // A file deleted between this check and the commit is noticed by the next write.
    if let Err(failure) = opened.verify() {
        roll_back(connection);
        return fail_all(done, &failure);
    }
    let Err(error) = command(connection, "COMMIT") else {
        return finish_all(done);
    };
    roll_back(connection);
    if !failure::is_violation(&error) || done.len() == 1 {
        return fail_all(done, &failure::of_group_commit(error));
    }
    for (write, _) in done {
        commit_alone(connection, opened, write);
    }
}

/// Sends `failure` in place of each success.
fn fail_all(done: Vec<(Write, Outcome)>, failure: &DatabaseFailure) {
    let failed = done.into_iter();
    finish_all(failed.map(|(write, outcome)| (write, outcome.and_then(|_| Err(failure.clone())))));
}

/// Rolls back a transaction that is still open.
fn roll_back(connection: &Connection) {
    if !connection.is_autocommit()
        && let Err(error) = command(connection, "ROLLBACK")
    {
        tracing::error!(%error, "a transaction cannot be rolled back");
    }
}

fn finish_all(done: impl IntoIterator<Item = (Write, Outcome)>) {
    for (write, outcome) in done {
        write.finish(outcome);
    }
}

impl Write {
    /// Drops a write whose deadline has passed or whose client has disconnected.
    fn drop_if_expired(self) -> Option<Self> {
        if self.deadline <= Instant::now() {
            self.finish(Err(unavailable(TOO_LATE)));
            return None;
        }
        (!self.reply.is_closed()).then_some(self)
    }

    /// Executes the write in a savepoint, and undoes all of it unless it stored a row: after `RAISE(FAIL)` in a trigger
    /// SQLite keeps earlier changes of the statement, and a trigger that drops the row may have made changes itself.
    fn execute_in_savepoint(&self, connection: &Connection) -> Outcome {
        let step = |text| command(connection, text).map_err(failure::of_group_statement);
        step("SAVEPOINT write")?;
        let outcome = self.execute(connection);
        if connection.is_autocommit() {
            return outcome;
        }
        let ended = match &outcome {
            Ok(written) if written.rows > 0 => Ok(()),
            Ok(_) | Err(_) => step("ROLLBACK TO write"),
        };
        let ended = ended.and_then(|()| step("RELEASE write"));
        // If even that fails, the rollback makes the other writes of the group be retried without this one.
        ended.inspect_err(|_| roll_back(connection))?;
        outcome
    }

    fn execute(&self, connection: &Connection) -> Outcome {
        let prepared = connection.prepare_cached(self.statement.text());
        let mut prepared = prepared.map_err(failure::of_group_statement)?;
        let binds = bound(self.statement.binds());
        let Some(definition) = self.returning else {
            let rows = prepared.execute(binds);
            let rows = rows.map_err(failure::of_group_statement)?;
            let rows = u64::try_from(rows).map_err(DatabaseFailure::internal)?;
            return Ok(Written { rows, key: None });
        };
        let mut rows = prepared.query(binds).map_err(failure::of_group_statement)?;
        let row = rows.next().map_err(failure::of_group_statement)?;
        // An insert into a view returns null for a key that its trigger does not set.
        let key = row.map(|row| row.key(definition)).transpose()?.flatten();
        Ok(Written {
            rows: key.is_some().into(),
            key,
        })
    }

    /// Sends the outcome, unless the client has disconnected.
    pub(super) fn finish(self, outcome: Outcome) {
        let _ = self.reply.send(outcome);
    }
}
