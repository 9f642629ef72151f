//! What PostgreSQL's errors mean.

use sqlx::postgres::PgDatabaseError;

use crate::error::{DatabaseFailure, Violation};

/// What becomes of a failed statement: one decision for every error.
pub(super) fn of(error: &sqlx::Error) -> DatabaseFailure {
    let Some(database) = error
        .as_database_error()
        .and_then(|error| error.try_downcast_ref::<PgDatabaseError>())
    else {
        return of_connection(error);
    };
    match database.code() {
        "23505" => DatabaseFailure::Refused(Violation::Unique(unique_columns(database))),
        "23503" | "23001" => DatabaseFailure::Refused(Violation::ForeignKey),
        "23514" | "23502" | "22001" => {
            DatabaseFailure::Refused(Violation::Check(database.message().to_owned()))
        }
        // A statement or a lock that took too long, a server that stops or has no room.
        "57014" | "55P03" | "57P01" | "57P02" | "57P03" | "53300" | "40001" | "40P01" => {
            DatabaseFailure::Unavailable(error.to_string())
        }
        _ => DatabaseFailure::unexpected(error),
    }
}

fn of_connection(error: &sqlx::Error) -> DatabaseFailure {
    match error {
        sqlx::Error::PoolTimedOut | sqlx::Error::Io(_) | sqlx::Error::PoolClosed => {
            DatabaseFailure::Unavailable(error.to_string())
        }
        _ => DatabaseFailure::unexpected(error),
    }
}

/// The columns in `Key (name, scope)=(…) already exists.`, whatever the server's language.
fn unique_columns(error: &PgDatabaseError) -> Vec<String> {
    let detail = error.detail().unwrap_or_default();
    let columns = detail
        .split_once('(')
        .and_then(|(_, rest)| rest.split_once(")=("));
    let columns = columns.map_or("", |(columns, _)| columns);
    columns
        .split(", ")
        .map(|column| column.trim_matches('"').to_owned())
        .collect()
}
