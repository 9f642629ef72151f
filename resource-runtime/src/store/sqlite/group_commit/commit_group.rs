use std::time::Instant;

use resource_model::error::{DatabaseFailure, DatabaseResult};
use rusqlite::Connection;

use super::{TOO_LATE, Write, Written, unavailable};
use crate::store::Row as _;
use crate::store::sqlite::connect::command;
use crate::store::sqlite::failure;
use crate::store::sqlite::opened_file::OpenedFile;
use crate::store::sqlite::row::bound;

/// How many writes are committed together at most, as the first of them waits for the last.
const MOST: usize = 64;

type Outcome = DatabaseResult<Written>;

/// Carries out `first` and what waits behind it, commits, and answers each.
pub(super) fn run(
    connection: &Connection,
    opened: &OpenedFile,
    first: Write,
    writes: &flume::Receiver<Write>,
) {
    if let Some(first) = first.unless_expired() {
        commit_group(connection, opened, first, || writes.try_recv().ok());
    }
}

fn commit_alone(connection: &Connection, opened: &OpenedFile, write: Write) {
    commit_group(connection, opened, write, || None);
}

fn commit_group(
    connection: &Connection,
    opened: &OpenedFile,
    first: Write,
    next: impl Fn() -> Option<Write>,
) {
    if let Err(error) = begin(connection, first.deadline) {
        return first.answer(Err(failure::of_group_statement(error)));
    }
    let outcome = first.execute_in_savepoint(connection);
    let mut done = vec![(first, outcome)];
    // SQLite itself ends a transaction of which some statement failed in a way of its own.
    while !connection.is_autocommit() && done.len() < MOST {
        let Some(next) = next() else { break };
        if let Some(next) = next.unless_expired() {
            let outcome = next.execute_in_savepoint(connection);
            done.push((next, outcome));
        }
    }
    if !connection.is_autocommit() {
        return commit(connection, opened, done);
    }
    // The last statement undid all before it: those are done again, each by itself.
    let last = done.pop();
    for (write, _) in done {
        commit_alone(connection, opened, write);
    }
    answer(last);
}

/// Waits until `deadline` for those of other processes who write.
fn begin(connection: &Connection, deadline: Instant) -> rusqlite::Result<()> {
    connection.busy_timeout(deadline.saturating_duration_since(Instant::now()))?;
    command(connection, "BEGIN IMMEDIATE")
}

/// Makes a round durable. What a constraint refuses at its end is somebody's own fault, so that each
/// is done again by itself; what a failing disk kept of it nobody knows. Nothing is written to a file
/// that was deleted or replaced before.
fn commit(connection: &Connection, opened: &OpenedFile, done: Vec<(Write, Outcome)>) {
    // A file that goes between this look and the commit is noticed by the next write.
    if let Err(failure) = opened.verify() {
        roll_back(connection);
        return fail(done, &failure);
    }
    let Err(error) = command(connection, "COMMIT") else {
        return answer(done);
    };
    roll_back(connection);
    if !failure::is_refused(&error) || done.len() == 1 {
        return fail(done, &failure::of_group_commit(error));
    }
    for (write, _) in done {
        commit_alone(connection, opened, write);
    }
}

/// Answers that what seemed done is not.
fn fail(done: Vec<(Write, Outcome)>, failure: &DatabaseFailure) {
    let failed = done.into_iter();
    answer(failed.map(|(write, outcome)| (write, outcome.and_then(|_| Err(failure.clone())))));
}

/// Ends what is still begun.
fn roll_back(connection: &Connection) {
    if !connection.is_autocommit()
        && let Err(error) = command(connection, "ROLLBACK")
    {
        tracing::error!(%error, "a transaction cannot be rolled back");
    }
}

fn answer(done: impl IntoIterator<Item = (Write, Outcome)>) {
    for (write, outcome) in done {
        write.answer(outcome);
    }
}

impl Write {
    /// Nothing is done for who has gone, nor for who is told that it took too long.
    fn unless_expired(self) -> Option<Self> {
        if self.deadline <= Instant::now() {
            self.answer(Err(unavailable(TOO_LATE)));
            return None;
        }
        (!self.reply.is_closed()).then_some(self)
    }

    /// All of it or, where it is refused, nothing: a trigger may have it that what a statement did
    /// before it failed stays (`RAISE(FAIL)`), or drop the row and leave what it did itself.
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
        // Where even that fails, the others are done again without it.
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
        // A view tells null of a key that its trigger does not name.
        let key = row.map(|row| row.key(definition)).transpose()?.flatten();
        Ok(Written {
            rows: key.is_some().into(),
            key,
        })
    }

    pub(super) fn answer(self, outcome: Outcome) {
        // Whoever has gone needs no answer.
        let _ = self.reply.send(outcome);
    }
}
