//! Classification of SQLite's errors, which come from sqlx or from rusqlite.

use std::fmt;

use resource_model::error::{DatabaseFailure, Limit, Violation};
use rusqlite::ErrorCode;
use rusqlite::ffi::{
    SQLITE_BUSY, SQLITE_CANTOPEN, SQLITE_CONSTRAINT_CHECK, SQLITE_CONSTRAINT_NOTNULL,
    SQLITE_CONSTRAINT_TRIGGER, SQLITE_FULL, SQLITE_IOERR, SQLITE_IOERR_WRITE, SQLITE_LOCKED,
    SQLITE_READONLY,
};
use sqlx::error::DatabaseError as _;
use sqlx::sqlite::SqliteError;

/// The message of a foreign key violation. The code is not sufficient: SQLite implements `ON DELETE RESTRICT` by a
/// trigger and reports its code.
const FOREIGN_KEY_FAILED: &str = "FOREIGN KEY constraint failed";

/// The message of a unique violation. The code is not sufficient: a primary key has one of two others, by its type.
const UNIQUE_FAILED: &str = "UNIQUE constraint failed: ";

/// The failure of a statement in a transaction.
pub(super) fn of_statement(error: sqlx::Error) -> DatabaseFailure {
    classify_sqlx(&error).with_source(error)
}

fn classify_sqlx(error: &sqlx::Error) -> DatabaseFailure {
    // Another writer holds the connection or the file: a retry of the request may succeed.
    if matches!(error, sqlx::Error::PoolTimedOut) || is_busy(error) {
        return DatabaseFailure::unavailable(error.to_string());
    }
    // Errors of sqlx itself have no code; zero stands for no failure.
    let code = code(error).unwrap_or_default();
    let refused = error.as_database_error();
    match refused.and_then(|it| violation(code, it.message())) {
        Some(violation) => DatabaseFailure::constraint_violation(violation),
        None => file_failure(code, error).unwrap_or_else(|| DatabaseFailure::internal(error)),
    }
}

/// The failure of the developer's own statement. A file that it cannot open, like that of an `ATTACH`, is a defect.
pub(in crate::store) fn of_developer(error: &sqlx::Error) -> DatabaseFailure {
    match code(error).map(|code| code & 0xff) {
        Some(SQLITE_CANTOPEN) => DatabaseFailure::internal(error),
        _ => classify_sqlx(error),
    }
}

/// The failure of the commit of a transaction.
pub(super) fn of_commit(error: sqlx::Error) -> DatabaseFailure {
    with_outcome(code(&error), of_statement(error))
}

/// The failure of a group commit.
pub(super) fn of_group_commit(error: rusqlite::Error) -> DatabaseFailure {
    let code = error.sqlite_error().map(|it| it.extended_code);
    with_outcome(code, of_group_statement(error))
}

/// The failure of a commit, whose outcome is unknown if the disk fails. If the disk is full or read-only, nothing
/// is committed: the last page of the WAL, which completes a commit, was not written.
fn with_outcome(code: Option<i32>, failure: DatabaseFailure) -> DatabaseFailure {
    let code = code.unwrap_or_default();
    let is_disk_failure = matches!(code & 0xff, SQLITE_IOERR | SQLITE_CANTOPEN);
    match failure {
        // An error of no known class does not tell whether the commit has reached the disk.
        DatabaseFailure::Internal(cause) => DatabaseFailure::OutcomeUnknown(cause),
        // A failed write leaves the commit incomplete in the WAL; a failed sync or mapping may come when the commit
        // is complete.
        DatabaseFailure::Unavailable(cause) if is_disk_failure && code != SQLITE_IOERR_WRITE => {
            DatabaseFailure::OutcomeUnknown(cause)
        }
        failure => failure,
    }
}

/// The failure of a disk or file that cannot be used (full, read-only, failing, not opened), with its fix; none for
/// other errors.
fn file_failure(code: i32, error: impl fmt::Display) -> Option<DatabaseFailure> {
    // The lowest byte is the primary code; the others tell the operation that failed.
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

/// The failure of a statement of a group commit.
pub(super) fn of_group_statement(error: rusqlite::Error) -> DatabaseFailure {
    classify_write(&error).with_source(error)
}

/// Tests whether a constraint refused the statement.
pub(super) fn is_violation(error: &rusqlite::Error) -> bool {
    matches!(
        classify_write(error),
        DatabaseFailure::ConstraintViolation(..)
    )
}

fn classify_write(error: &rusqlite::Error) -> DatabaseFailure {
    // An error of rusqlite itself, like that of a conversion, is no refusal by the database.
    let rusqlite::Error::SqliteFailure(kind, Some(message)) = error else {
        return classify_read(error);
    };
    let code = kind.extended_code;
    match violation(code, message) {
        Some(violation) => DatabaseFailure::constraint_violation(violation),
        None => file_failure(code, error).unwrap_or_else(|| classify_read(error)),
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
            Some(Violation::Check(message.to_owned(), limit(code, message)))
        }
        // A `RAISE` in a trigger of the developer, with the message that it gives.
        SQLITE_CONSTRAINT_TRIGGER => Some(Violation::Trigger(message.to_owned())),
        _ => None,
    }
}

/// The limit in `CHECK constraint failed: in_range` or `NOT NULL constraint failed: settings.name`.
fn limit(code: i32, message: &str) -> Option<Limit> {
    let (_, name) = message.split_once(": ")?;
    let is_word = |it: char| it.is_alphanumeric() || it == '_';
    match code {
        SQLITE_CONSTRAINT_NOTNULL => Some(Limit::NotNull(name.rsplit('.').next()?.to_owned())),
        // A check without a name is told by its expression.
        _ if name.chars().all(is_word) => Some(Limit::Check(name.to_owned())),
        _ => None,
    }
}

/// The failure of a statement of a reader.
pub(super) fn of_reader(error: rusqlite::Error) -> DatabaseFailure {
    classify_read(&error).with_source(error)
}

fn classify_read(error: &rusqlite::Error) -> DatabaseFailure {
    match error.sqlite_error_code() {
        Some(
            // An interrupt ends a read at its time limit, or when its request has left.
            ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked | ErrorCode::OperationInterrupted,
        ) => DatabaseFailure::unavailable(error.to_string()),
        // A sort may need more space for temporary files than the disk has.
        Some(ErrorCode::DiskFull) => {
            file_failure(SQLITE_FULL, error).unwrap_or_else(|| DatabaseFailure::internal(error))
        }
        _ => DatabaseFailure::internal(error),
    }
}

/// Tests whether another connection or process holds a lock.
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
        // SQLite writes the table before each column.
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
    fn outcome_of_a_commit_is_unknown_only_if_the_disk_may_have_it() {
        // Full, read-only, moved, not written; not synced, not mapped, not opened, out of memory.
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
            let is_unavailable = matches!(failure, DatabaseFailure::Unavailable(_));
            assert_eq!(is_unavailable, is_known, "{code}: {failure}");
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
