//! Classification of PostgreSQL's errors.

use resource_model::error::{DatabaseFailure, Limit, Violation};
use sqlx::postgres::PgDatabaseError;

use super::remedy::with_remedy;

/// The class of an error, which decides about retries and about the response.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Class {
    /// A value that the table does not accept.
    CheckViolation,
    /// An exception that a trigger raised.
    TriggerException,
    UniqueViolation,
    ForeignKeyViolation,
    /// A serialization failure or a deadlock: the statement had no effect.
    Conflict,
    /// A session that the server has ended or not accepted, or whose prepared statement no longer fits: the statement
    /// had no effect and needs a new connection.
    Stale,
    /// A read-only server, where the statement had no effect; after a failover another server takes writes.
    ReadOnly,
    /// A lost connection: the outcome of the statement is unknown.
    Lost,
    /// A timeout, or a server without resources.
    Unavailable,
    /// An expression or a function of PL/pgSQL that fails for a value, as one that divides by zero: in a write that of an
    /// index or a trigger, in a read a defect.
    Evaluation,
    /// A defect.
    Internal,
}

/// The server's function that reports a prepared statement whose result columns have changed. The code alone
/// means any unsupported feature, and the message depends on the server's language.
const RESULT_CHANGED: &str = "RevalidateCachedQuery";

/// The server's function that refuses the isolation level `SERIALIZABLE` on a standby.
const REFUSES_LEVEL: &str = "call_enum_check_hook";

/// The server's function that reports a row which a policy of its table refuses.
const REFUSED_BY_POLICY: &str = "ExecWithCheckOptions";

/// The server's function of `RAISE`.
const RAISED: &str = "exec_stmt_raise";

/// The error of PgBouncer for a statement that waited too long for a server connection.
const POOLER_TIMEOUT: (&str, &str) = ("08P01", "query_wait_timeout");

/// The code of any statement after a failed one in the same transaction. Only the developer's SQL can have failed
/// unnoticed.
const IN_FAILED_TRANSACTION: &str = "25P02";

/// The failure of a statement that commits nothing: a read, or a statement in an open transaction.
pub(super) fn statement_failure(error: sqlx::Error) -> DatabaseFailure {
    classify(&error).with_source(error)
}

/// The failure of a statement that writes: what the database evaluates for it may fail for its values.
pub(super) fn write_failure(error: sqlx::Error) -> DatabaseFailure {
    if class_of(&error) != Class::Evaluation {
        return statement_failure(error);
    }
    let violation = Violation::Trigger(cause(&error));
    DatabaseFailure::constraint_violation(violation).with_source(error)
}

fn classify(error: &sqlx::Error) -> DatabaseFailure {
    let violation = DatabaseFailure::constraint_violation;
    match class_of(error) {
        Class::CheckViolation => violation(Violation::Check(cause(error), limit(error))),
        Class::TriggerException => violation(Violation::Trigger(cause(error))),
        Class::UniqueViolation => {
            let detail = database(error).and_then(PgDatabaseError::detail);
            violation(Violation::Unique(unique_columns(detail)))
        }
        Class::ForeignKeyViolation => violation(Violation::ForeignKey),
        // Even a lost connection is safe to retry here: the server rolls back what was not committed.
        Class::Conflict | Class::Stale | Class::ReadOnly | Class::Lost => {
            DatabaseFailure::retryable(cause(error))
        }
        Class::Unavailable => DatabaseFailure::unavailable(cause(error)),
        Class::Evaluation | Class::Internal => DatabaseFailure::internal(cause(error)),
    }
}

/// The check or the column that the server names.
fn limit(error: &sqlx::Error) -> Option<Limit> {
    let error = database(error)?;
    match error.code() {
        "23514" => Some(Limit::Check(error.constraint()?.to_owned())),
        "23502" => Some(Limit::NotNull(error.column()?.to_owned())),
        _ => None,
    }
}

/// The failure of the developer's own statement: one too complex for the server is a defect, not a client's.
pub(in crate::store) fn of_developer(error: &sqlx::Error) -> DatabaseFailure {
    match database(error).map(PgDatabaseError::code) {
        Some("54001" | "2201B") => DatabaseFailure::internal(cause(error)),
        _ => classify(error),
    }
}

/// The failure of a commit, or of a single statement that commits itself.
pub(super) fn commit_failure(error: sqlx::Error) -> DatabaseFailure {
    match class_of(&error) {
        // The COMMIT may have reached the server before the connection was lost.
        Class::Lost => DatabaseFailure::outcome_unknown(cause(&error)).with_source(error),
        // All other errors are reported instead of a commit.
        _ => write_failure(error),
    }
}

/// The failure to acquire a connection, before any statement was sent.
pub(super) fn acquire_failure(error: sqlx::Error) -> DatabaseFailure {
    let failure = match classify(&error) {
        // A new connection may be all that is needed.
        retryable @ DatabaseFailure::Retryable(_) => retryable,
        // Even a wrong password is no defect of the request, which may succeed once the server is mended.
        _ => DatabaseFailure::unavailable(cause(&error)),
    };
    failure.with_source(error)
}

/// Tests whether the error has probably made all older connections useless.
pub(super) fn is_fault(error: &sqlx::Error) -> bool {
    matches!(class_of(error), Class::Stale | Class::Lost)
}

/// Tests whether a server that refused a connection with this error may accept one a moment later.
pub(super) fn is_transient(error: &sqlx::Error) -> bool {
    is_fault(error) || class_of(error) == Class::Unavailable
}

/// Tests whether the server takes no writes, as a standby does.
pub(super) fn is_read_only(error: &sqlx::Error) -> bool {
    class_of(error) == Class::ReadOnly
}

/// The server's message and code. The text of sqlx would add a line of the server's source code.
pub(super) fn cause(error: &sqlx::Error) -> String {
    match database(error) {
        None => with_remedy(error),
        // The server's own message tells nothing about the statement that failed first.
        Some(error) if error.code() == IN_FAILED_TRANSACTION => {
            "a hook went on in its transaction after a statement of the developer's SQL had failed; hand \
             errors on by `?`"
                .to_owned()
        }
        Some(error) => {
            let is_of_policy = error.routine() == Some(REFUSED_BY_POLICY);
            let remedy = match error.code() {
                "42501" if !is_of_policy => "; have it granted to the role of the service",
                _ => "",
            };
            format!("{} (code {}){remedy}", error.message(), error.code())
        }
    }
}

fn class_of(error: &sqlx::Error) -> Class {
    match error {
        // After any of these nobody knows which bytes the server has received.
        sqlx::Error::Io(_) | sqlx::Error::Tls(_) | sqlx::Error::Protocol(_) => Class::Lost,
        // No statement was sent, and the connections that others use may be sound.
        sqlx::Error::PoolTimedOut | sqlx::Error::PoolClosed => Class::Unavailable,
        _ => database(error).map_or(Class::Internal, |error| {
            match (error.code(), error.message()) {
                // Checked first: the code alone has the class of a lost connection, but the statement never
                // left the pooler.
                POOLER_TIMEOUT => Class::Unavailable,
                // A type may call its texts' syntax so, as `ltree` does; that of a statement has a position.
                ("42601", _) if error.position().is_none() => Class::Evaluation,
                _ => of_code(error.code(), error.routine()),
            }
        }),
    }
}

/// The class of an error that the server reports (appendix A of its manual).
fn of_code(code: &str, routine: Option<&str>) -> Class {
    match code {
        // An exclusion constraint counts as a unique one: another row stands in the way.
        "23505" | "23P01" => Class::UniqueViolation,
        // The second is the refusal by `ON DELETE RESTRICT`.
        "23503" | "23001" => Class::ForeignKeyViolation,
        // Check and not-null violations, and values too long, out of range, too long for an index, or none of the type
        // of a column that others made.
        "23514" | "23502" | "22001" | "22003" | "22008" | "54000" | "22P02" | "22007" | "22015"
        | "22026" | "2200M" | "2200N" => Class::CheckViolation,
        // The code of `RAISE EXCEPTION` where the trigger names none.
        "P0001" => Class::TriggerException,
        "40001" | "40P01" => Class::Conflict,
        "0A000" if routine == Some(RESULT_CHANGED) => Class::Stale,
        "0A000" if routine == Some(REFUSES_LEVEL) => Class::ReadOnly,
        // A prepared statement is missing or exists already; or the server ends the session, which it
        // reports only before a commit, never after it.
        "26000" | "42P05" | "57P01" | "57P03" | "57P05" | "25P03" => Class::Stale,
        "25006" => Class::ReadOnly,
        // A policy of the table; the role is refused other things by the same code.
        "42501" if routine == Some(REFUSED_BY_POLICY) => Class::CheckViolation,
        // The server crashed, or a pooler lost its connection to the server.
        "57P02" | "08000" | "08001" | "08003" | "08006" | "08007" | "08P01" | "40003" => {
            Class::Lost
        }
        // A statement, lock or transaction timeout; a lack of resources; or a filter that is too
        // complex for the server's stack or regular expression engine.
        "57014" | "55P03" | "25P04" | "53100" | "53200" | "53300" | "53400" | "54001" | "2201B" => {
            Class::Unavailable
        }
        // A trigger raises any code that it likes.
        _ if routine == Some(RAISED) => Class::TriggerException,
        // The first is a `CASE` of PL/pgSQL without a branch for the value.
        "20000" => Class::Evaluation,
        _ if code.starts_with("22") || code.starts_with("P0") => Class::Evaluation,
        _ => Class::Internal,
    }
}

/// The error as the server reported it; none for errors of sqlx itself.
pub(super) fn database(error: &sqlx::Error) -> Option<&PgDatabaseError> {
    error.as_database_error()?.try_downcast_ref()
}

/// The columns in `Key (name, scope)=(…) already exists.`, a form that every language of the server has.
fn unique_columns(detail: Option<&str>) -> Vec<String> {
    // A server leaves the detail out where the role may not read the columns; no column has the empty name.
    let mut rest = detail
        .and_then(|it| it.split_once('('))
        .unwrap_or_default()
        .1;
    let mut columns = vec![String::new()];
    // The server quotes names that are no plain words in lower case, and writes each quote within them twice.
    let mut is_quoted = false;
    // The first `)=(` outside of quotes ends the columns; the values after it may contain anything.
    while is_quoted || !rest.starts_with(")=(") {
        let mut characters = rest.chars();
        let Some(character) = characters.next() else {
            break;
        };
        rest = characters.as_str();
        match (character, columns.last_mut()) {
            ('"', Some(column)) if is_quoted && rest.starts_with('"') => {
                column.push('"');
                rest = rest.get(1..).unwrap_or_default();
            }
            ('"', _) => is_quoted = !is_quoted,
            (',', _) if !is_quoted => {
                columns.push(String::new());
                rest = rest.trim_start();
            }
            (other, Some(column)) => column.push(other),
            (_, None) => {}
        }
    }
    columns
}

#[cfg(test)]
mod tests {
    use std::io;

    use super::{
        Class, DatabaseFailure, RAISED, REFUSED_BY_POLICY, REFUSES_LEVEL, RESULT_CHANGED,
        acquire_failure, class_of, commit_failure, is_fault, of_code, statement_failure,
        unique_columns,
    };

    fn lost() -> sqlx::Error {
        io::Error::from(io::ErrorKind::ConnectionReset).into()
    }

    #[test]
    fn every_code_has_one_class() {
        for (codes, expected) in [
            ("23505 23P01", Class::UniqueViolation),
            ("23503 23001", Class::ForeignKeyViolation),
            (
                "23514 23502 22001 22003 22008 54000 22P02 22007 22015 22026 2200M 2200N",
                Class::CheckViolation,
            ),
            ("P0001", Class::TriggerException),
            ("40001 40P01", Class::Conflict),
            ("26000 42P05 57P01 57P03 57P05 25P03", Class::Stale),
            ("25006", Class::ReadOnly),
            (
                "57P02 08000 08001 08003 08006 08007 08P01 40003",
                Class::Lost,
            ),
            (
                "57014 55P03 25P04 53100 53200 53300 53400 54001 2201B",
                Class::Unavailable,
            ),
            ("22012 22023 P0002 P0004 20000", Class::Evaluation),
            ("42P01 42601 42883 XX000 0A000 25P02", Class::Internal),
        ] {
            for code in codes.split(' ') {
                assert_eq!(of_code(code, None), expected, "{code}");
            }
        }
    }

    #[test]
    fn unsupported_statements_differ_by_the_function_that_reports_them() {
        assert_eq!(of_code("0A000", Some(RESULT_CHANGED)), Class::Stale);
        assert_eq!(of_code("0A000", Some(REFUSES_LEVEL)), Class::ReadOnly);
        assert_eq!(of_code("0A000", Some("ExecInitExpr")), Class::Internal);
    }

    #[test]
    fn policies_and_triggers_refuse_by_codes_of_other_meanings() {
        assert_eq!(
            of_code("42501", Some(REFUSED_BY_POLICY)),
            Class::CheckViolation
        );
        assert_eq!(of_code("42501", Some("aclcheck_error")), Class::Internal);
        assert_eq!(of_code("ZX001", Some(RAISED)), Class::TriggerException);
        assert_eq!(of_code("40001", Some(RAISED)), Class::Conflict);
    }

    #[test]
    fn a_lost_connection_leaves_only_a_commit_unknown() {
        assert!(matches!(
            statement_failure(lost()),
            DatabaseFailure::Retryable(_)
        ));
        assert!(matches!(
            acquire_failure(lost()),
            DatabaseFailure::Retryable(_)
        ));
        assert!(matches!(
            commit_failure(lost()),
            DatabaseFailure::OutcomeUnknown(_)
        ));
        assert!(is_fault(&lost()));
    }

    #[test]
    fn failure_to_connect_is_no_defect_of_the_statement() {
        let wrong_password = sqlx::Error::Configuration("no such user".into());
        assert_eq!(class_of(&wrong_password), Class::Internal);
        let failure = acquire_failure(wrong_password);
        assert!(matches!(failure, DatabaseFailure::Unavailable(_)));
    }

    #[test]
    fn a_full_pool_is_no_fault_of_its_connections() {
        assert!(!is_fault(&sqlx::Error::PoolTimedOut));
        let failure = commit_failure(sqlx::Error::PoolTimedOut);
        assert!(matches!(failure, DatabaseFailure::Unavailable(_)));
    }

    #[test]
    fn the_columns_of_a_unique_violation_are_read_from_its_detail() {
        let detail = "Key (name, \"Scope\")=(a, b) already exists.";
        assert_eq!(unique_columns(Some(detail)), ["name", "Scope"]);
        let odd = "Key (\"a, b\", \"c\"\")=(d\", e)=(1, 2, 3) already exists.";
        assert_eq!(unique_columns(Some(odd)), ["a, b", "c\")=(d", "e"]);
        assert_eq!(unique_columns(None), [""]);
    }
}
