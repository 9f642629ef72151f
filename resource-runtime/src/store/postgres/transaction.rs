use resource_model::error::DatabaseFailure;
use resource_model::schema::{Attribute, Identifier, ResourceDefinition};
use resource_model::value::{Key, Record};
use resource_sql::Statement;
use sqlx::postgres::PgArguments;
use sqlx::query::Query;
use sqlx::{AssertSqlSafe, PgConnection, Postgres};
use tokio::time::Instant;

use super::PostgresDatabase;
use super::lease::Lease;
use super::places::Purpose;
use super::row::arguments;
use crate::store::Row as _;
use crate::store::state::State;

/// Each statement sees what is committed before it begins. The setting lasts as long as the
/// transaction: [`Lease::verify_open`] asks for it.
const BEGIN_READ_COMMITTED: &str =
    "BEGIN ISOLATION LEVEL READ COMMITTED; SET LOCAL resource_runtime.transaction = 'begun'";

/// What others write meanwhile makes no difference, or the transaction fails.
const BEGIN_SERIALIZABLE: &str =
    "BEGIN ISOLATION LEVEL SERIALIZABLE; SET LOCAL resource_runtime.transaction = 'begun'";

/// The value that the sequence of a column gave this session last, where the column has one.
const LAST_KEY: &str = "SELECT currval(pg_get_serial_sequence(quote_ident($1), $2))";

/// What is done as a whole: a transaction that is begun, or one statement, which is a transaction
/// by itself and saves the server two answers.
#[derive(Debug)]
pub(crate) struct PostgresTransaction {
    pub(super) database: PostgresDatabase,
    state: State<Lease>,
}

impl PostgresDatabase {
    /// A transaction of one statement that writes.
    pub(super) fn single(&self) -> PostgresTransaction {
        PostgresTransaction::of(self, State::Single)
    }

    pub(super) async fn begin_read_committed(
        &self,
    ) -> Result<PostgresTransaction, DatabaseFailure> {
        let begun = self.begun(BEGIN_READ_COMMITTED).await?;
        Ok(PostgresTransaction::of(self, State::Begun(begun)))
    }

    pub(super) async fn begin_serializable(&self) -> Result<PostgresTransaction, DatabaseFailure> {
        let begun = self.begun(BEGIN_SERIALIZABLE).await?;
        Ok(PostgresTransaction::of(self, State::Begun(begun)))
    }

    async fn begun(&self, command: &'static str) -> Result<Lease, DatabaseFailure> {
        let begin = |deadline| async move {
            let lease = self.lease(Purpose::Write, deadline).await?;
            lease.begin(self.limits.begin(command)).await
        };
        self.repeated(begin).await
    }

    async fn insert_once(
        &self,
        deadline: Instant,
        statement: &Statement,
        definition: &ResourceDefinition,
    ) -> Result<Option<Key>, DatabaseFailure> {
        let mut lease = self.lease(Purpose::Write, deadline).await?;
        let row = query(statement)?.fetch_optional(lease.connection()?);
        let row = self.watch.commit(row).await?;
        lease.done();
        let key = row.map(|row| row.key(definition));
        // The row is stored by now.
        let key = key.transpose().map(Option::flatten);
        key.map_err(|failure| DatabaseFailure::unknown(failure.to_string()))
    }

    async fn change_once(
        &self,
        deadline: Instant,
        statement: &Statement,
    ) -> Result<u64, DatabaseFailure> {
        let mut lease = self.lease(Purpose::Write, deadline).await?;
        let done = query(statement)?.execute(lease.connection()?);
        let done = self.watch.commit(done).await?;
        lease.done();
        Ok(done.rows_affected())
    }
}

impl PostgresTransaction {
    fn of(database: &PostgresDatabase, state: State<Lease>) -> Self {
        Self {
            database: database.clone(),
            state,
        }
    }

    /// The connection of a transaction that is begun, for statements of our own.
    pub(super) fn open_connection(&mut self) -> Option<&mut PgConnection> {
        match &mut self.state {
            State::Begun(lease) => lease.connection().ok(),
            State::Single | State::Ended(_) => None,
        }
    }

    /// The connection of a transaction that is begun, for the developer's SQL.
    pub(super) fn lend(&mut self) -> Option<&mut PgConnection> {
        match &mut self.state {
            State::Begun(lease) => lease.lend().ok(),
            State::Single | State::Ended(_) => None,
        }
    }

    pub(super) async fn insert(
        &mut self,
        statement: Statement,
        definition: &ResourceDefinition,
    ) -> Result<Option<Key>, DatabaseFailure> {
        let Some(mut begun) = self.take_limited().await? else {
            let database = &self.database;
            let insert = |deadline| database.insert_once(deadline, &statement, definition);
            return database.repeated(insert).await;
        };
        let row = query(&statement)?.fetch_optional(begun.connection()?);
        let row = self.database.watch.step(row).await;
        let key = row.and_then(|row| {
            let key = row.map(|row| row.key(definition));
            key.transpose().map(Option::flatten)
        });
        self.state.settle(begun, key)
    }

    pub(super) async fn run(&mut self, statement: Statement) -> Result<u64, DatabaseFailure> {
        let Some(mut begun) = self.take_limited().await? else {
            let database = &self.database;
            let change = |deadline| database.change_once(deadline, &statement);
            return database.repeated(change).await;
        };
        let done = query(&statement)?.execute(begun.connection()?);
        let done = self.database.watch.step(done).await;
        let done = self.state.settle(begun, done)?;
        Ok(done.rows_affected())
    }

    /// All rows that `statement` finds, their columns the values of `attributes`.
    pub(super) async fn fetch(
        &mut self,
        statement: Statement,
        attributes: &[Attribute],
    ) -> Result<Vec<Record>, DatabaseFailure> {
        let mut begun = self.begun().await?;
        let rows = query(&statement)?.fetch_all(begun.connection()?);
        let rows = self.database.watch.step(rows).await;
        let rows = rows.and_then(|rows| {
            let records = rows.iter().map(|row| row.record(0, attributes));
            records.collect()
        });
        self.state.settle(begun, rows)
    }

    /// The key that the sequence of `column` gave this session last, where it has one.
    pub(super) async fn last_key(
        &mut self,
        table: Identifier,
        column: Identifier,
    ) -> Result<Option<i64>, DatabaseFailure> {
        let mut begun = self.begun().await?;
        let asked = sqlx::query_scalar(LAST_KEY);
        let asked = asked.bind(table.as_str()).bind(column.as_str());
        let key = asked.fetch_one(begun.connection()?);
        let key = self.database.watch.step(key).await;
        self.state.settle(begun, key)
    }

    /// Rolls back what is begun, because of `failure`.
    pub(super) fn roll_back_by(&mut self, failure: &DatabaseFailure) {
        self.state = State::Ended(Some(failure.clone()));
    }

    pub(super) async fn finds(&mut self, statement: Statement) -> Result<bool, DatabaseFailure> {
        let mut begun = self.begun().await?;
        let row = query(&statement)?.fetch_optional(begun.connection()?);
        let row = self.database.watch.step(row).await;
        Ok(self.state.settle(begun, row)?.is_some())
    }

    /// The transaction, taken for a statement, where one is begun and still is what was begun.
    async fn take(&mut self) -> Result<Option<Lease>, DatabaseFailure> {
        let Some(mut begun) = self.state.take()? else {
            return Ok(None);
        };
        match begun.verify_open().await {
            Ok(()) => Ok(Some(begun)),
            failed => self.state.settle(begun, failed.map(|()| None)),
        }
    }

    /// The same, begun by now where no statement by itself would have its time limits.
    async fn take_limited(&mut self) -> Result<Option<Lease>, DatabaseFailure> {
        if self.database.limits.are_lacking() {
            return self.begun().await.map(Some);
        }
        self.take().await
    }

    /// The transaction, begun by now: whoever asks why one statement was refused asks several.
    async fn begun(&mut self) -> Result<Lease, DatabaseFailure> {
        match self.take().await? {
            Some(begun) => Ok(begun),
            None => self.database.begun(BEGIN_READ_COMMITTED).await,
        }
    }

    pub(super) async fn commit_begun(mut self) -> Result<(), DatabaseFailure> {
        match self.take().await? {
            Some(begun) => begun.commit().await,
            None => Ok(()),
        }
    }
}

/// The one place where text is vouched for towards PostgreSQL's driver: a [`Statement`] is made of
/// keywords, identifiers of a definition and placeholders alone.
pub(super) fn query(
    statement: &Statement,
) -> Result<Query<'static, Postgres, PgArguments>, DatabaseFailure> {
    let arguments = arguments(statement.binds()).map_err(DatabaseFailure::unexpected)?;
    Ok(sqlx::query_with(
        AssertSqlSafe(statement.text().to_owned()),
        arguments,
    ))
}
