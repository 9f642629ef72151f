//! What SQLite's errors mean, whichever driver reports them.

use std::fmt;

use resource_model::error::{DatabaseFailure, Violation};
use rusqlite::ErrorCode;
use rusqlite::ffi::{
    SQLITE_BUSY, SQLITE_CANTOPEN, SQLITE_CONSTRAINT_CHECK, SQLITE_CONSTRAINT_NOTNULL,
    SQLITE_CONSTRAINT_TRIGGER, SQLITE_FULL, SQLITE_IOERR, SQLITE_IOERR_WRITE, SQLITE_LOCKED,
    SQLITE_READONLY,
};
use sqlx::error::DatabaseError as _;
use sqlx::sqlite::SqliteError;

/// `ON DELETE RESTRICT` is carried out by a trigger, so its code is that of a trigger; the
/// message is that of any other foreign key.
const FOREIGN_KEY_FAILED: &str = "FOREIGN KEY constraint failed";

/// A primary key that is taken has one of two codes, by its type, and the message of any other
/// unique column.
const UNIQUE_FAILED: &str = "UNIQUE constraint failed: ";

/// The failure of a statement that the writer sent.
pub(super) fn of_statement(error: sqlx::Error) -> DatabaseFailure {
    written(&error).with_source(error)
}

fn written(error: &sqlx::Error) -> DatabaseFailure {
    if matches!(error, sqlx::Error::PoolTimedOut) || is_busy(error) {
        return DatabaseFailure::unavailable(error.to_string());
    }
    let code = code(error).unwrap_or_default();
    let refused = error.as_database_error();
    match refused.and_then(|it| violation(code, it.message())) {
        Some(violation) => DatabaseFailure::constraint_violation(violation),
        None => unwritten(code, error).unwrap_or_else(|| DatabaseFailure::internal(error)),
    }
}

/// The failure of a statement of the developer's, which may name a file that is not there.
pub(in crate::store) fn of_developer(error: &sqlx::Error) -> DatabaseFailure {
    match code(error).map(|code| code & 0xff) {
        Some(SQLITE_CANTOPEN) => DatabaseFailure::internal(error),
        _ => written(error),
    }
}

/// The failure of a commit that the writer sent.
pub(super) fn of_commit(error: sqlx::Error) -> DatabaseFailure {
    unless_kept(code(&error), of_statement(error))
}

/// The failure of a commit of what was gathered.
pub(super) fn of_group_commit(error: rusqlite::Error) -> DatabaseFailure {
    let code = error.sqlite_error().map(|it| it.extended_code);
    unless_kept(code, of_group_statement(error))
}

/// What a disk that fails kept of a commit is not known. Where it is full or takes no writes, that is known:
/// the last page of the WAL, which makes the commit whole, was not written.
fn unless_kept(code: Option<i32>, failure: DatabaseFailure) -> DatabaseFailure {
    let code = code.unwrap_or_default();
    let is_open = matches!(code & 0xff, SQLITE_IOERR | SQLITE_CANTOPEN);
    match failure {
        DatabaseFailure::Internal(cause) => DatabaseFailure::OutcomeUnknown(cause),
        DatabaseFailure::Unavailable(cause) if is_open && code != SQLITE_IOERR_WRITE => {
            DatabaseFailure::OutcomeUnknown(cause)
        }
        failure => failure,
    }
}

/// The failure of a file that takes no writes for now, with what mends it.
fn unwritten(code: i32, error: impl fmt::Display) -> Option<DatabaseFailure> {
    let remedy = match code & 0xff {
        SQLITE_FULL => "free space on the disk of the SQLite file and on that of temporary files",
        SQLITE_READONLY => {
            "the SQLite file, its folder or their file system is read-only: let the service write to them"
        }
        SQLITE_IOERR => {
            "the disk of the SQLite file is full, failing or limited: free space on it, and see what the \
             operating system logs of it"
        }
        SQLITE_CANTOPEN => {
            "a file beside the SQLite file cannot be opened: the folder may be read-only, or the service \
             may have too many files open"
        }
        _ => return None,
    };
    Some(DatabaseFailure::unavailable(format!(
        "{error} (code {code}); {remedy}"
    )))
}

/// The failure of a statement that was gathered with others.
pub(super) fn of_group_statement(error: rusqlite::Error) -> DatabaseFailure {
    grouped(&error).with_source(error)
}

/// Tells that a constraint refused the statement.
pub(super) fn is_refused(error: &rusqlite::Error) -> bool {
    matches!(grouped(error), DatabaseFailure::ConstraintViolation(..))
}

fn grouped(error: &rusqlite::Error) -> DatabaseFailure {
    let rusqlite::Error::SqliteFailure(kind, Some(message)) = error else {
        return read(error);
    };
    let code = kind.extended_code;
    match violation(code, message) {
        Some(violation) => DatabaseFailure::constraint_violation(violation),
        None => unwritten(code, error).unwrap_or_else(|| read(error)),
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
pub(super) fn of_reader(error: rusqlite::Error) -> DatabaseFailure {
    read(&error).with_source(error)
}

fn read(error: &rusqlite::Error) -> DatabaseFailure {
    match error.sqlite_error_code() {
        Some(
            ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked | ErrorCode::OperationInterrupted,
        ) => DatabaseFailure::unavailable(error.to_string()),
        // Of temporary files, where what is sorted takes more room than there is.
        Some(ErrorCode::DiskFull) => {
            unwritten(SQLITE_FULL, error).unwrap_or_else(|| DatabaseFailure::internal(error))
        }
        _ => DatabaseFailure::internal(error),
    }
}

pub(super) fn is_busy(error: &sqlx::Error) -> bool {
    // The extended code holds the primary one in its lowest byte.
    let code = code(error).map(|code| code & 0xff);
    matches!(code, Some(SQLITE_BUSY | SQLITE_LOCKED))
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
    use rusqlite::ffi::Error;

    use super::{DatabaseFailure, of_group_commit, of_group_statement, unique_columns};

    fn error(code: i32) -> rusqlite::Error {
        rusqlite::Error::SqliteFailure(Error::new(code), Some("no".to_owned()))
    }

    #[test]
    fn a_commit_is_unknown_only_where_a_disk_may_have_kept_it() {
        // Full, read-only (and moved), not written; not synced, not mapped, not opened, no memory.
        for (code, is_known) in [
            (13, true),
            (8, true),
            (1032, true),
            (778, true),
            (1034, false),
            (5386, false),
            (14, false),
            (7, false),
        ] {
            let failure = of_group_commit(error(code));
            let is_told = matches!(failure, DatabaseFailure::Unavailable(_));
            assert_eq!(is_told, is_known, "{code}: {failure}");
            let is_unknown = matches!(failure, DatabaseFailure::OutcomeUnknown(_));
            assert_eq!(is_unknown, !is_known, "{code}: {failure}");
            let statement = of_group_statement(error(code));
            let is_unavailable = matches!(statement, DatabaseFailure::Unavailable(_));
            assert_eq!(is_unavailable, code != 7, "{code}: {statement}");
        }
    }

    #[test]
    fn the_columns_of_a_unique_violation_are_read_from_its_message() {
        assert_eq!(
            unique_columns("UNIQUE constraint failed: settings.name, settings.scope"),
            ["name", "scope"]
        );
    }
}
