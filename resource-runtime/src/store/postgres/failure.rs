//! What PostgreSQL's errors mean: one decision for every error.

use resource_model::error::{DatabaseFailure, Violation};
use sqlx::postgres::PgDatabaseError;

use super::connect::with_remedy;

/// What an error says of the statement that it ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Decision {
    /// A value does not fit the table.
    Misfit,
    /// A trigger objects.
    Objection,
    /// A value is taken.
    PooledConnection,
    /// A reference is broken.
    BrokenReference,
    /// It was not carried out, because others wrote at the same time.
    Outrun,
    /// It was not carried out, and will not be on a connection of this age.
    Stale,
    /// It was not carried out, because the server only reads; after a failover another one writes.
    ReadOnly,
    /// The connection ended, and what became of the statement is not known.
    Lost,
    /// It was not carried out in time, or the server has no room.
    Unavailable,
    /// A defect.
    Unexpected,
}

/// The function of the server that refuses a statement whose columns were altered; the code alone
/// stands for all that it cannot do, and the message is in its language.
const ALTERED: &str = "RevalidateCachedQuery";

/// The code and the message of PgBouncer to a statement for which it had no connection of the server.
const WAITED: (&str, &str) = ("08P01", "query_wait_timeout");

/// The code of a statement that follows a failed one within a transaction: ours never do.
const ABORTED: &str = "25P02";

/// The failure of a statement that by itself changes nothing that lasts: one that reads, or one
/// within a transaction that is still to be committed.
pub(super) fn of(error: sqlx::Error) -> DatabaseFailure {
    classified(&error).with_source(error)
}

fn classified(error: &sqlx::Error) -> DatabaseFailure {
    match decide(error) {
        Decision::Misfit => DatabaseFailure::constraint_violation(Violation::Check(cause(error))),
        Decision::Objection => {
            DatabaseFailure::constraint_violation(Violation::Trigger(cause(error)))
        }
        Decision::PooledConnection => {
            DatabaseFailure::constraint_violation(Violation::Unique(connection(error)))
        }
        Decision::BrokenReference => DatabaseFailure::constraint_violation(Violation::ForeignKey),
        Decision::Outrun | Decision::Stale | Decision::ReadOnly | Decision::Lost => {
            DatabaseFailure::retryable(cause(error))
        }
        Decision::Unavailable => DatabaseFailure::unavailable(cause(error)),
        Decision::Unexpected => DatabaseFailure::internal(cause(error)),
    }
}

/// The failure of a statement of the developer's, where what the server finds too complex is a defect.
pub(in crate::store) fn of_developer(error: &sqlx::Error) -> DatabaseFailure {
    match database(error).map(PgDatabaseError::code) {
        Some("54001" | "2201B") => DatabaseFailure::internal(cause(error)),
        _ => classified(error),
    }
}

/// The failure of a commit, or of a write that is a transaction by itself.
pub(super) fn of_commit(error: sqlx::Error) -> DatabaseFailure {
    match decide(&error) {
        Decision::Lost => DatabaseFailure::outcome_unknown(cause(&error)).with_source(error),
        _ => of(error),
    }
}

/// The failure to get a connection, over which nothing was sent yet.
pub(super) fn of_acquire(error: sqlx::Error) -> DatabaseFailure {
    let failure = match classified(&error) {
        again @ DatabaseFailure::Retryable(_) => again,
        _ => DatabaseFailure::unavailable(cause(&error)),
    };
    failure.with_source(error)
}

/// Whether the connections of before the error are of no use any more.
pub(super) fn is_fault(error: &sqlx::Error) -> bool {
    matches!(decide(error), Decision::Stale | Decision::Lost)
}

/// Whether a connection may be had a moment later, from a server that refused one with this error.
pub(super) fn is_passing(error: &sqlx::Error) -> bool {
    matches!(
        decide(error),
        Decision::Lost | Decision::Stale | Decision::Unavailable
    )
}

/// Whether the server takes no writes any more, or not yet.
pub(super) fn is_read_only(error: &sqlx::Error) -> bool {
    decide(error) == Decision::ReadOnly
}

/// What the server says of an error, and its code; the driver would add a line of the server's
/// own source.
pub(super) fn cause(error: &sqlx::Error) -> String {
    match database(error) {
        None => with_remedy(error),
        Some(error) if error.code() == ABORTED => {
            "a hook went on after a failed statement of its own; hand errors on by `?`".to_owned()
        }
        Some(error) => format!("{} (code {})", error.message(), error.code()),
    }
}

fn decide(error: &sqlx::Error) -> Decision {
    match error {
        sqlx::Error::Io(_) | sqlx::Error::Tls(_) | sqlx::Error::Protocol(_) => Decision::Lost,
        sqlx::Error::PoolTimedOut | sqlx::Error::PoolClosed => Decision::Unavailable,
        _ => database(error).map_or(Decision::Unexpected, |error| {
            match (error.code(), error.message()) {
                WAITED => Decision::Unavailable,
                _ => of_code(error.code(), error.routine()),
            }
        }),
    }
}

/// The decision for an error that the server reports (appendix A of its manual).
fn of_code(code: &str, routine: Option<&str>) -> Decision {
    match code {
        "23505" | "23P01" => Decision::PooledConnection,
        "23503" | "23001" => Decision::BrokenReference,
        // Too long, out of range, or longer than an index takes.
        "23514" | "23502" | "22001" | "22003" | "22008" | "54000" => Decision::Misfit,
        "P0001" => Decision::Objection,
        "40001" | "40P01" => Decision::Outrun,
        "0A000" if routine == Some(ALTERED) => Decision::Stale,
        // A prepared statement is not where it was; or the server ends the session, which it says
        // only before it commits, never after.
        "26000" | "42P05" | "57P01" | "57P03" | "57P05" | "25P03" => Decision::Stale,
        "25006" => Decision::ReadOnly,
        // The server crashed, or a pooler lost it.
        "57P02" | "08000" | "08001" | "08003" | "08006" | "08007" | "08P01" | "40003" => {
            Decision::Lost
        }
        // A statement, a lock or a transaction took too long, there is no room, or a filter asks for more than
        // the server's stack or its regular expressions can do.
        "57014" | "55P03" | "25P04" | "53100" | "53200" | "53300" | "53400" | "54001" | "2201B" => {
            Decision::Unavailable
        }
        _ => Decision::Unexpected,
    }
}

pub(super) fn database(error: &sqlx::Error) -> Option<&PgDatabaseError> {
    error.as_database_error()?.try_downcast_ref()
}

fn connection(error: &sqlx::Error) -> Vec<String> {
    unique_columns(database(error).and_then(PgDatabaseError::detail))
}

/// The columns in `Key (name, scope)=(…) already exists.`, whatever the server's language.
fn unique_columns(detail: Option<&str>) -> Vec<String> {
    let columns = detail.and_then(|detail| detail.split_once('(')?.1.split_once(")=("));
    let columns = columns.map_or("", |(columns, _)| columns).split(", ");
    let columns = columns.map(|column| column.trim_matches('"').to_owned());
    columns.collect()
}

#[cfg(test)]
mod tests {
    use std::io;

    use super::{
        ALTERED, DatabaseFailure, Decision, decide, is_fault, of, of_acquire, of_code, of_commit,
        unique_columns,
    };

    fn lost() -> sqlx::Error {
        io::Error::from(io::ErrorKind::ConnectionReset).into()
    }

    #[test]
    fn every_code_has_one_decision() {
        for (codes, expected) in [
            ("23505 23P01", Decision::PooledConnection),
            ("23503 23001", Decision::BrokenReference),
            ("23514 23502 22001 22003 22008 54000", Decision::Misfit),
            ("P0001", Decision::Objection),
            ("40001 40P01", Decision::Outrun),
            ("26000 42P05 57P01 57P03 57P05 25P03", Decision::Stale),
            ("25006", Decision::ReadOnly),
            (
                "57P02 08000 08001 08003 08006 08007 08P01 40003",
                Decision::Lost,
            ),
            (
                "57014 55P03 25P04 53100 53200 53300 53400 54001 2201B",
                Decision::Unavailable,
            ),
            ("42P01 42601 XX000 0A000 25P02", Decision::Unexpected),
        ] {
            for code in codes.split(' ') {
                assert_eq!(of_code(code, None), expected, "{code}");
            }
        }
    }

    #[test]
    fn only_an_altered_table_makes_an_unsupported_statement_stale() {
        assert_eq!(of_code("0A000", Some(ALTERED)), Decision::Stale);
        assert_eq!(of_code("0A000", Some("ExecInitExpr")), Decision::Unexpected);
    }

    #[test]
    fn a_lost_connection_leaves_only_a_commit_unknown() {
        assert!(matches!(of(lost()), DatabaseFailure::Retryable(_)));
        assert!(matches!(of_acquire(lost()), DatabaseFailure::Retryable(_)));
        assert!(matches!(
            of_commit(lost()),
            DatabaseFailure::OutcomeUnknown(_)
        ));
        assert!(is_fault(&lost()));
    }

    #[test]
    fn what_keeps_a_connection_from_being_made_is_no_defect_of_the_statement() {
        let wrong_password = sqlx::Error::Configuration("no such user".into());
        assert_eq!(decide(&wrong_password), Decision::Unexpected);
        let failure = of_acquire(wrong_password);
        assert!(matches!(failure, DatabaseFailure::Unavailable(_)));
    }

    #[test]
    fn a_full_pool_is_no_fault_of_its_connections() {
        assert!(!is_fault(&sqlx::Error::PoolTimedOut));
        let failure = of_commit(sqlx::Error::PoolTimedOut);
        assert!(matches!(failure, DatabaseFailure::Unavailable(_)));
    }

    #[test]
    fn the_columns_of_a_unique_violation_are_read_from_its_detail() {
        let detail = "Key (name, \"Scope\")=(a, b) already exists.";
        assert_eq!(unique_columns(Some(detail)), ["name", "Scope"]);
        assert_eq!(unique_columns(None), [""]);
    }
}
