//! What SQLite's errors mean, whichever driver reports them.

use rusqlite::ErrorCode;
use sqlx::error::{DatabaseError as _, ErrorKind};
use sqlx::sqlite::SqliteError;

use crate::error::{DatabaseFailure, Violation};

/// Primary result codes of SQLite (<https://www.sqlite.org/rescode.html>).
const SQLITE_BUSY: i32 = 5;
const SQLITE_LOCKED: i32 = 6;

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
    let Some(database) = error.as_database_error() else {
        return DatabaseFailure::unexpected(error);
    };
    match database.kind() {
        _ if database.message().starts_with(UNIQUE_FAILED) => {
            DatabaseFailure::Refused(Violation::Unique(unique_columns(database.message())))
        }
        _ if database.message().contains(FOREIGN_KEY_FAILED) => {
            DatabaseFailure::Refused(Violation::ForeignKey)
        }
        ErrorKind::CheckViolation | ErrorKind::NotNullViolation => {
            DatabaseFailure::Refused(Violation::Check(database.message().to_owned()))
        }
        _ => DatabaseFailure::unexpected(error),
    }
}

/// The failure of a commit: what a disk that fails kept of it is not known.
pub(super) fn of_commit(error: &sqlx::Error) -> DatabaseFailure {
    match of_writer(error) {
        DatabaseFailure::Unexpected(cause) => DatabaseFailure::Unknown(cause),
        failure => failure,
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
    let code = error
        .as_database_error()
        .and_then(|error| error.try_downcast_ref::<SqliteError>())
        .and_then(|error| error.code()?.parse::<i32>().ok());
    // The extended code holds the primary one in its lowest byte.
    matches!(
        code.map(|code| code & 0xff),
        Some(SQLITE_BUSY | SQLITE_LOCKED)
    )
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
