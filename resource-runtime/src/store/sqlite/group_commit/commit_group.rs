//! One group commit: savepoints for its writes, the commit, and the results.

use std::sync::Arc;
use std::time::Instant;

use resource_model::error::{DatabaseFailure, DatabaseResult};
use resource_model::schema::ResourceDefinition;
use resource_model::value::{Key, Value};
use resource_sql::Bind;
use rusqlite::{CachedStatement, Connection};

use super::{Outcome, TOO_LATE, Write, Written, unavailable};
use crate::locked::locked;
use crate::store::sqlite::connect::command;
use crate::store::sqlite::failure;
use crate::store::sqlite::followed_totals::FollowedTotals;
use crate::store::sqlite::opened_file::OpenedFile;
use crate::store::sqlite::row::bound;
use crate::store::{BatchFailure, Row as _};

/// Executions of statements in one group, limited because the first write waits for the last. A write of many rows
/// is over the limit by itself, so that the group ends with it.
const MAX_GROUP: usize = 64;

/// The writes of a group, and their results.
type Done = Vec<(Write, Outcome)>;

/// The committer of groups.
pub(super) struct Committer {
    pub(super) opened: Arc<OpenedFile>,
    pub(super) totals: Arc<FollowedTotals>,
}

impl Committer {
    /// Executes and commits `first` with the writes in the queue, and sends each its result; if `first` has expired or its
    /// client has left, it only drops that one.
    pub(super) fn run(&self, first: Write, writes: &flume::Receiver<Write>) {
        if let Some(first) = first.drop_if_expired() {
            let next = || writes.try_recv().ok();
            let done = self.commit_group(&locked(&self.totals.writer), first, next);
            // Once the connection is free: the next request of a client may ask it for a total.
            for (write, outcome) in done {
                write.finish(outcome);
            }
        }
    }

    /// Executes and commits `first` with the writes that `next` returns; returns the result of each.
    fn commit_group(
        &self,
        connection: &Connection,
        first: Write,
        next: impl Fn() -> Option<Write>,
    ) -> Done {
        if let Err(error) = begin(connection, first.deadline) {
            // Usually another process writes. The writes still in the queue have deadlines of their own.
            return vec![(first, Err(failure::of_group_statement(error).into()))];
        }
        self.totals.begin();
        let outcome = self.execute(connection, &first);
        let mut executions = first.batch.rows().len();
        let mut done = vec![(first, outcome)];
        // Some failures, like `RAISE(ROLLBACK)`, make SQLite end the transaction.
        while !connection.is_autocommit() && executions < MAX_GROUP {
            // The group is what waits already: to wait for more writes would delay those that are done.
            let Some(next) = next() else { break };
            if let Some(next) = next.drop_if_expired() {
                let outcome = self.execute(connection, &next);
                executions += next.batch.rows().len();
                done.push((next, outcome));
            }
        }
        if !connection.is_autocommit() {
            return self.commit(connection, done);
        }
        // The last statement rolled back the earlier ones, which are retried one by one.
        let last = done.pop();
        let mut done = self.retry(connection, done);
        // The last write has its result: the failure that ended the transaction.
        done.extend(last);
        done
    }

    fn retry(&self, connection: &Connection, done: Done) -> Done {
        let alone = |(write, _)| self.commit_group(connection, write, || None);
        done.into_iter().flat_map(alone).collect()
    }

    fn execute(&self, connection: &Connection, write: &Write) -> Outcome {
        let execute = || write.execute_in_savepoint(connection);
        self.totals.execute(execute, is_kept)
    }

    /// Commits a group. Which writes violate a deferred constraint is not known, so each is retried by itself. Whether
    /// the outcome of a failed commit is known, `failure::of_group_commit` decides. Nothing is committed to a file that
    /// is found deleted or replaced just before.
    fn commit(&self, connection: &Connection, done: Done) -> Done {
        // A file deleted between this check and the commit is noticed by the next write.
        if let Err(failure) = self.opened.verify() {
            roll_back(connection);
            return fail_all(done, &failure);
        }
        let Err(error) = command(connection, "COMMIT") else {
            self.totals.committed(connection);
            return done;
        };
        self.totals.record_unknown();
        // SQLite may keep a transaction open whose COMMIT failed.
        roll_back(connection);
        // In a group of one, the fault is found; a retry would never end.
        if !failure::is_violation(&error) || done.len() == 1 {
            return fail_all(done, &failure::of_group_commit(error));
        }
        self.retry(connection, done)
    }
}

/// Tests whether the rows of a write stay: one that changes none is undone.
fn is_kept(outcome: &Outcome) -> bool {
    outcome.as_ref().is_ok_and(|written| written.rows > 0)
}

/// Begins a transaction, and waits until `deadline` for writers of other processes.
fn begin(connection: &Connection, deadline: Instant) -> rusqlite::Result<()> {
    // With no time left, the timeout is zero, by which SQLite tries once.
    connection.busy_timeout(deadline.saturating_duration_since(Instant::now()))?;
    // IMMEDIATE takes the lock of the file now, so that no statement of the group has to wait for it.
    command(connection, "BEGIN IMMEDIATE")
}

/// `failure` in place of each success.
fn fail_all(done: Done, failure: &DatabaseFailure) -> Done {
    // A write that was refused by itself keeps its own failure.
    let failed = done.into_iter().map(|(write, outcome)| {
        let outcome = outcome.and_then(|_| Err(failure.clone().into()));
        (write, outcome)
    });
    failed.collect()
}

/// Rolls back a transaction that is still open.
fn roll_back(connection: &Connection) {
    // A transaction that stays open makes the next BEGIN fail, so no later write can be lost in it.
    if !connection.is_autocommit()
        && let Err(error) = command(connection, "ROLLBACK")
    {
        tracing::error!(%error, "a transaction cannot be rolled back");
    }
}

impl Write {
    /// Drops a write whose deadline has passed or whose client has disconnected.
    fn drop_if_expired(self) -> Option<Self> {
        // The statement has not begun, so the client can safely repeat its request.
        if self.deadline <= Instant::now() {
            self.finish(Err(unavailable(TOO_LATE).into()));
            return None;
        }
        (!self.reply.is_closed()).then_some(self)
    }

    /// Executes the write in a savepoint, and undoes all of it unless it changed a row: after `RAISE(FAIL)` in a
    /// trigger SQLite keeps earlier changes of the statement, and a trigger that drops the row may have made changes
    /// itself.
    fn execute_in_savepoint(&self, connection: &Connection) -> Outcome {
        let step = |text| command(connection, text).map_err(failure::of_group_statement);
        step("SAVEPOINT write")?;
        let outcome = self.execute(connection);
        // SQLite has ended the whole transaction, and the savepoint with it.
        if connection.is_autocommit() {
            return outcome;
        }
        let ended = if is_kept(&outcome) {
            Ok(())
        } else {
            step("ROLLBACK TO write")
        };
        // ROLLBACK TO keeps its savepoint, so both ways end with a release.
        let ended = ended.and_then(|()| step("RELEASE write"));
        // If even that fails, the rollback makes the other writes of the group be retried without this one.
        ended.inspect_err(|_| roll_back(connection))?;
        outcome
    }

    fn execute(&self, connection: &Connection) -> Outcome {
        let prepared = connection.prepare_cached(self.batch.text());
        let mut prepared = prepared.map_err(failure::of_group_statement)?;
        let mut written = Written::default();
        for (row, binds) in self.batch.rows().iter().enumerate() {
            let of_row = |failure| BatchFailure::of_row(row, failure);
            let Some(definition) = self.returning else {
                let rows = prepared.execute(bound(binds));
                let rows = rows.map_err(failure::of_group_statement).map_err(of_row)?;
                written.rows += u64::try_from(rows).map_err(DatabaseFailure::internal)?;
                continue;
            };
            let Some(key) = insert(connection, &mut prepared, binds, definition).map_err(of_row)?
            else {
                // Without a key nothing counts as stored, so the savepoint is rolled back.
                return Ok(Written { rows: 0, ..written });
            };
            written.rows += 1;
            written.keys.push(key);
        }
        if let Some(next) = self.batch.next() {
            let prepared = connection.prepare_cached(next.text());
            let executed = prepared.and_then(|mut it| it.execute(bound(next.binds())));
            executed.map_err(failure::of_group_statement)?;
        }
        Ok(written)
    }

    /// Sends the outcome, unless the client has disconnected.
    pub(super) fn finish(self, outcome: Outcome) {
        // The write stands, whether or not anybody still waits for its result.
        let _ = self.reply.send(outcome);
    }
}

/// Executes an insertion, and returns its key: what the statement returns, or the id of the row.
fn insert(
    connection: &Connection,
    prepared: &mut CachedStatement<'_>,
    binds: &[Bind],
    definition: &ResourceDefinition,
) -> DatabaseResult<Option<Key>> {
    let rows = prepared.query(bound(binds));
    let mut rows = rows.map_err(failure::of_group_statement)?;
    // One step is enough: SQLite makes all changes before it returns the first row of RETURNING.
    if let Some(row) = rows.next().map_err(failure::of_group_statement)? {
        // An insert into a view returns null for a key that its trigger does not set.
        return row.key(definition);
    }
    // Where a trigger has dropped the row, the last id is that of another one.
    let id = || Value::Integer(connection.last_insert_rowid()).into();
    Ok((connection.changes() > 0).then(id))
}
