//! What SQLite's errors mean, whichever driver reports them.

use rusqlite::ErrorCode;
use sqlx::error::DatabaseError as _;
use sqlx::sqlite::SqliteError;

use crate::error::{DatabaseFailure, Violation};

/// Result codes of SQLite (<https://www.sqlite.org/rescode.html>).
const SQLITE_BUSY: i32 = 5;
const SQLITE_LOCKED: i32 = 6;
const SQLITE_CONSTRAINT_CHECK: i32 = 275;
const SQLITE_CONSTRAINT_NOTNULL: i32 = 1299;
const SQLITE_CONSTRAINT_TRIGGER: i32 = 1811;

/// `ON DELETE RESTRICT` is carried out by a trigger, so its code is that of a trigger; the
/// message is that of any other foreign key.
const FOREIGN_KEY_FAILED: &str = "FOREIGN KEY constraint failed";

/// A primary key that is taken has one of two codes, by its type, and the message of any other
/// unique column.
const UNIQUE_FAILED: &str = "UNIQUE constraint failed: ";

/// The failure of a statement that the writer sent.
pub(super) fn of_writer(error: &sqlx::Error) -> DatabaseFailure {
    if matches!(error, sqlx::Error::PoolTimedOut) || is_busy(error) {
        return DatabaseFailure::Unavailable(error.to_string());
    }
    let refused = error.as_database_error().and_then(|it| {
        let code = code(error).unwrap_or_default();
        violation(code, it.message())
    });
    refused.map_or_else(
        || DatabaseFailure::unexpected(error),
        DatabaseFailure::Refused,
    )
}

/// The failure of a commit: what a disk that fails kept of it is not known.
pub(super) fn of_commit(failure: DatabaseFailure) -> DatabaseFailure {
    match failure {
        DatabaseFailure::Unexpected(cause) => DatabaseFailure::Unknown(cause),
        failure => failure,
    }
}

/// The failure of a statement that was gathered with others.
pub(super) fn of_gathered(error: &rusqlite::Error) -> DatabaseFailure {
    let rusqlite::Error::SqliteFailure(kind, Some(message)) = error else {
        return of_reader(error);
    };
    match violation(kind.extended_code, message) {
        Some(violation) => DatabaseFailure::Refused(violation),
        None => of_reader(error),
    }
}

fn violation(code: i32, message: &str) -> Option<Violation> {
    if message.starts_with(UNIQUE_FAILED) {
        return Some(Violation::Unique(unique_columns(message)));
    }
    if message.contains(FOREIGN_KEY_FAILED) {
        return Some(Violation::ForeignKey);
    }
    match code {
        SQLITE_CONSTRAINT_CHECK | SQLITE_CONSTRAINT_NOTNULL => {
            Some(Violation::Check(message.to_owned()))
        }
        SQLITE_CONSTRAINT_TRIGGER => Some(Violation::Trigger(message.to_owned())),
        _ => None,
    }
}

/// The failure of a statement that a reader stepped.
pub(super) fn of_reader(error: &rusqlite::Error) -> DatabaseFailure {
    match error.sqlite_error_code() {
        Some(
            ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked | ErrorCode::OperationInterrupted,
        ) => DatabaseFailure::Unavailable(error.to_string()),
        _ => DatabaseFailure::unexpected(error),
    }
}

pub(super) fn is_busy(error: &sqlx::Error) -> bool {
    // The extended code holds the primary one in its lowest byte.
    matches!(
        code(error).map(|code| code & 0xff),
        Some(SQLITE_BUSY | SQLITE_LOCKED)
    )
}

fn code(error: &sqlx::Error) -> Option<i32> {
    let error = error.as_database_error()?;
    let error = error.try_downcast_ref::<SqliteError>()?;
    error.code()?.parse().ok()
}

/// The columns in `UNIQUE constraint failed: settings.name, settings.scope`.
fn unique_columns(message: &str) -> Vec<String> {
    let columns = message.rsplit(": ").next().unwrap_or_default();
    columns
        .split(", ")
        .map(|column| column.rsplit('.').next().unwrap_or_default().to_owned())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::unique_columns;

    #[test]
    fn the_columns_of_a_unique_violation_are_read_from_its_message() {
        assert_eq!(
            unique_columns("UNIQUE constraint failed: settings.name, settings.scope"),
            ["name", "scope"]
        );
    }
}
