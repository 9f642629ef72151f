use resource_model::error::{DatabaseFailure, DatabaseResult};
use resource_model::schema::{Attribute, Identifier, ResourceDefinition, StoredTable, Table};
use resource_model::value::{Key, Record, Value};
use resource_sql::{self, Statement};
use sqlx::postgres::PgArguments;
use sqlx::query::Query;
use sqlx::{AssertSqlSafe, PgConnection, Postgres};
use tokio::time::Instant;

use super::idle_pool::Purpose;
use super::lease::Lease;
use super::row::arguments;
use super::{PostgresDatabase, introspection};
use crate::store::Row as _;
use crate::store::driver::{Asked, DriverTransaction};
use crate::store::state::State;

/// Each statement sees what is committed before it begins. The setting lasts as long as the
/// transaction: [`Lease::verify_open`] asks for it.
pub(super) const BEGIN_READ_COMMITTED: &str =
    "BEGIN ISOLATION LEVEL READ COMMITTED; SET LOCAL resource_runtime.transaction = 'begun'";

/// What others write meanwhile makes no difference, or the transaction fails.
pub(super) const BEGIN_SERIALIZABLE: &str =
    "BEGIN ISOLATION LEVEL SERIALIZABLE; SET LOCAL resource_runtime.transaction = 'begun'";

/// The value that the sequence of a column gave this session last, where the column has one.
const LAST_KEY: &str = "SELECT currval(pg_get_serial_sequence(quote_ident($1), $2))";

/// What is done as a whole: a transaction that is begun, or one statement, which is a transaction
/// by itself and saves the server two answers.
#[derive(Debug)]
pub(crate) struct PostgresTransaction {
    database: PostgresDatabase,
    state: State<Lease>,
}

impl PostgresDatabase {
    pub(super) async fn begun(&self, command: &'static str) -> DatabaseResult<Lease> {
        let begin = |deadline| async move {
            let lease = self.lease(Purpose::Write, deadline).await?;
            lease.begin(self.limits.begin(command)).await
        };
        self.with_retries(begin).await
    }

    async fn insert_once(
        &self,
        deadline: Instant,
        statement: &Statement,
        definition: &ResourceDefinition,
    ) -> DatabaseResult<Option<Key>> {
        let mut lease = self.lease(Purpose::Write, deadline).await?;
        let row = query(statement)?.fetch_optional(lease.connection()?);
        let row = self.timeout.run_commit(row).await?;
        lease.mark_idle();
        let key = row.map_or(Ok(None), |row| row.key(definition));
        // The row is stored by now.
        key.map_err(|failure| DatabaseFailure::outcome_unknown(failure.to_string()))
    }

    async fn change_once(&self, deadline: Instant, statement: &Statement) -> DatabaseResult<u64> {
        let mut lease = self.lease(Purpose::Write, deadline).await?;
        let done = query(statement)?.execute(lease.connection()?);
        let done = self.timeout.run_commit(done).await?;
        lease.mark_idle();
        Ok(done.rows_affected())
    }
}

impl PostgresTransaction {
    pub(super) fn boxed(
        database: PostgresDatabase,
        state: State<Lease>,
    ) -> Box<dyn DriverTransaction> {
        Box::new(Self { database, state })
    }

    /// The key that the sequence of `column` gave this session last, where it has one.
    async fn last_key(
        &mut self,
        table: Identifier,
        column: Identifier,
    ) -> DatabaseResult<Option<i64>> {
        let mut begun = self.begun().await?;
        let asked = sqlx::query_scalar(LAST_KEY);
        let asked = asked.bind(table.as_str()).bind(column.as_str());
        let key = asked.fetch_one(begun.connection()?);
        let key = self.database.timeout.run(key).await;
        self.state.settle(begun, key)
    }

    /// The transaction, taken for a statement, where one is begun and still is what was begun.
    async fn take(&mut self) -> DatabaseResult<Option<Lease>> {
        let Some(mut begun) = self.state.take()? else {
            return Ok(None);
        };
        match begun.verify_open().await {
            Ok(()) => Ok(Some(begun)),
            failed => self.state.settle(begun, failed.map(|()| None)),
        }
    }

    /// The same, begun by now where no statement by itself would have its time limits.
    async fn take_limited(&mut self) -> DatabaseResult<Option<Lease>> {
        if self.database.limits.are_lacking() {
            return self.begun().await.map(Some);
        }
        self.take().await
    }

    /// The transaction, begun by now: whoever asks why one statement was refused asks several.
    async fn begun(&mut self) -> DatabaseResult<Lease> {
        match self.take().await? {
            Some(begun) => Ok(begun),
            None => self.database.begun(BEGIN_READ_COMMITTED).await,
        }
    }
}

impl DriverTransaction for PostgresTransaction {
    fn insert(
        &mut self,
        statement: Statement,
        definition: &'static ResourceDefinition,
    ) -> Asked<'_, Option<Key>> {
        Box::pin(async move {
            let Some(mut begun) = self.take_limited().await? else {
                let database = &self.database;
                let insert = |deadline| database.insert_once(deadline, &statement, definition);
                return database.with_retries(insert).await;
            };
            let row = query(&statement)?.fetch_optional(begun.connection()?);
            let row = self.database.timeout.run(row).await;
            let key = row.and_then(|row| row.map_or(Ok(None), |row| row.key(definition)));
            self.state.settle(begun, key)
        })
    }

    fn execute(&mut self, statement: Statement) -> Asked<'_, u64> {
        Box::pin(async move {
            let Some(mut begun) = self.take_limited().await? else {
                let database = &self.database;
                let change = |deadline| database.change_once(deadline, &statement);
                return database.with_retries(change).await;
            };
            let done = query(&statement)?.execute(begun.connection()?);
            let done = self.database.timeout.run(done).await;
            Ok(self.state.settle(begun, done)?.rows_affected())
        })
    }

    fn rows<'a>(
        &'a mut self,
        statement: Statement,
        attributes: &'a [Attribute],
    ) -> Asked<'a, Vec<Record>> {
        Box::pin(async move {
            let mut begun = self.begun().await?;
            let rows = query(&statement)?.fetch_all(begun.connection()?);
            let rows = self.database.timeout.run(rows).await;
            let rows = rows.and_then(|rows| {
                let records = rows.iter().map(|row| row.record(0, attributes));
                records.collect()
            });
            self.state.settle(begun, rows)
        })
    }

    fn exists(&mut self, statement: Statement) -> Asked<'_, bool> {
        Box::pin(async move {
            let mut begun = self.begun().await?;
            let row = query(&statement)?.fetch_optional(begun.connection()?);
            let row = self.database.timeout.run(row).await;
            Ok(self.state.settle(begun, row)?.is_some())
        })
    }

    fn key_stored_elsewhere<'a>(
        &'a mut self,
        definition: &'a ResourceDefinition,
        chosen: Option<Key>,
    ) -> Asked<'a, Option<Key>> {
        Box::pin(async move {
            let key = match (chosen, definition.primary_key()) {
                (Some(chosen), _) => Some(chosen),
                (None, Some(attribute)) => {
                    let table = definition.table_identifier();
                    let last = self.last_key(table, attribute.identifier()).await?;
                    last.map(|last| Key::from(Value::Integer(last)))
                }
                (None, None) => None,
            };
            let Some(key) = key else { return Ok(None) };
            let is_ours = resource_sql::item_stored_here(definition, &key);
            Ok(self.exists(is_ours).await?.then_some(key))
        })
    }

    fn stored_tables<'a>(&'a mut self, tables: &'a [Table]) -> Asked<'a, Vec<Option<StoredTable>>> {
        Box::pin(async move {
            if let State::Begun(lease) = &mut self.state
                && let Ok(connection) = lease.connection()
            {
                return introspection::stored_tables(connection, tables).await;
            }
            self.database.read_stored_tables(tables).await
        })
    }

    fn end_by(&mut self, failure: &DatabaseFailure) {
        self.state = State::Ended(Some(failure.clone()));
    }

    fn commit(mut self: Box<Self>) -> Asked<'static, ()> {
        Box::pin(async move {
            match self.take().await? {
                Some(begun) => begun.commit().await,
                None => Ok(()),
            }
        })
    }

    fn postgres(&mut self) -> Option<&mut PgConnection> {
        match &mut self.state {
            State::Begun(lease) => lease.lend().ok(),
            State::Single | State::Ended(_) => None,
        }
    }
}

/// The one place where text is vouched for towards PostgreSQL's driver: a [`Statement`] is made of
/// keywords, identifiers of a definition and placeholders alone.
pub(super) fn query(
    statement: &Statement,
) -> DatabaseResult<Query<'static, Postgres, PgArguments>> {
    let arguments = arguments(statement.binds()).map_err(DatabaseFailure::internal)?;
    Ok(sqlx::query_with(
        AssertSqlSafe(statement.text().to_owned()),
        arguments,
    ))
}
