//! Another program on the database of a service, with which tests read and write the tables themselves.

use std::fmt;
use std::path::Path;

use resource_runtime::sqlx::{
    self, AssertSqlSafe, ConnectOptions as _, PgConnection, error::ErrorKind,
    postgres::PgConnectOptions,
};
use rusqlite::ErrorCode;

use crate::block_on;

/// Another program on the same database, which knows nothing of the service.
#[derive(Debug)]
pub struct OtherProgram(Connection);

#[derive(Debug)]
enum Connection {
    Sqlite(rusqlite::Connection),
    Postgres(Box<PgConnection>),
}

/// The reason for which a statement was not carried out.
#[derive(Debug, PartialEq, Eq)]
pub enum Refusal {
    /// A constraint or a type of the table refused it.
    Constraint,
    /// Another reason, in the database's words.
    Other(String),
}

impl OtherProgram {
    pub(super) fn on_sqlite(file: &Path) -> Self {
        let connection = rusqlite::Connection::open(file).expect("the service's file");
        connection
            .pragma_update(None, "foreign_keys", true)
            .expect("foreign keys");
        Self(Connection::Sqlite(connection))
    }

    pub(super) fn on_postgres(url: &str) -> Self {
        let options = url.parse::<PgConnectOptions>().expect("a URL");
        // A statement of the test may name secrets, which in the log would look like a leak of the service.
        let options = options.disable_statement_logging();
        let connection = block_on(options.connect()).expect("the server answers");
        Self(Connection::Postgres(Box::new(connection)))
    }

    /// Number of sessions of the PostgreSQL server that wait for a lock.
    pub fn sessions_behind_locks(&mut self) -> usize {
        let waiting = "SELECT count(*)::text FROM pg_stat_activity WHERE wait_event_type = 'Lock'";
        self.text(waiting).parse().expect("a number")
    }

    /// Carries out statements.
    pub fn try_execute(&mut self, statements: &str) -> Result<(), Refusal> {
        match &mut self.0 {
            Connection::Sqlite(connection) => connection
                .execute_batch(statements)
                .map_err(|error| refusal_by_sqlite(&error)),
            Connection::Postgres(connection) => {
                let statements = sqlx::raw_sql(AssertSqlSafe(statements.to_owned()));
                let done = block_on(statements.execute(&mut **connection));
                done.map(drop).map_err(|error| refusal_by_postgres(&error))
            }
        }
    }

    /// Carries out statements that must succeed.
    #[track_caller]
    pub fn execute(&mut self, statements: &str) {
        let done = self.try_execute(statements);
        assert_eq!(done, Ok(()), "{statements}");
    }

    /// Carries out a statement that a table must refuse.
    #[track_caller]
    pub fn assert_refused(&mut self, statement: &str) {
        let done = self.try_execute(statement);
        assert_eq!(done, Err(Refusal::Constraint), "{statement}");
    }

    /// The only value of a query, cast to text by the query itself.
    #[track_caller]
    pub fn text(&mut self, query: &str) -> String {
        match &mut self.0 {
            Connection::Sqlite(connection) => connection
                .query_row(query, [], |row| row.get(0))
                .expect(query),
            Connection::Postgres(connection) => {
                let text = sqlx::query_scalar(AssertSqlSafe(query.to_owned()));
                block_on(text.fetch_one(&mut **connection)).expect(query)
            }
        }
    }
}

fn refusal_by_sqlite(error: &rusqlite::Error) -> Refusal {
    match error.sqlite_error_code() {
        Some(ErrorCode::ConstraintViolation) => Refusal::Constraint,
        _ => Refusal::other(error),
    }
}

fn refusal_by_postgres(error: &sqlx::Error) -> Refusal {
    let Some(database) = error.as_database_error() else {
        return Refusal::other(error);
    };
    // A value that its type refuses: too long, out of range, or nothing of the kind.
    let is_misfit = database.code().is_some_and(|code| code.starts_with("22"));
    if is_misfit || !matches!(database.kind(), ErrorKind::Other) {
        Refusal::Constraint
    } else {
        Refusal::other(error)
    }
}

impl Refusal {
    fn other(error: impl fmt::Display) -> Self {
        Self::Other(error.to_string())
    }
}
