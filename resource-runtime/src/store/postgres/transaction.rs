//! Transactions on PostgreSQL, and the statements that commit by themselves.

use std::slice;
use std::sync::Arc;

use resource_model::error::{DatabaseFailure, DatabaseResult};
use resource_model::schema::{Identifier, ResourceDefinition, StoredTable, Table};
use resource_model::value::{Key, Value};
use resource_sql::{self, Batch, Bind, Statement};
use sqlx::postgres::PgArguments;
use sqlx::query::Query;
use sqlx::{AssertSqlSafe, Executor as _, PgConnection, Postgres};

use super::arguments::{arguments, array_arguments};
use super::connection_pool::Purpose;
use super::failure::{commit_failure, write_failure};
use super::lease::Lease;
use super::{PostgresDatabase, introspection};
use crate::boxed::BoxFuture;
use crate::store::driver::{BatchFailure, DbFuture, DriverTransaction};
use crate::store::row::{NoValues, lend_all};
use crate::store::transaction_state::TransactionState;
use crate::store::{Row as _, RowVisitor};

type PgQuery = Query<'static, Postgres, PgArguments>;

/// The execution of a query by a method of sqlx.
type Run<T> = for<'a> fn(&'a mut PgConnection, PgQuery) -> BoxFuture<'a, sqlx::Result<T>>;

/// Begins a transaction whose statements each see the latest commits. The setting lasts as long as the
/// transaction: [`Lease::verify_open`] tests for it.
pub(super) const BEGIN_READ_COMMITTED: &str =
    "BEGIN ISOLATION LEVEL READ COMMITTED; SET LOCAL resource_runtime.transaction = 'begun'";

/// Begins a transaction that fails if concurrent writes would change its result.
pub(super) const BEGIN_SERIALIZABLE: &str =
    "BEGIN ISOLATION LEVEL SERIALIZABLE; SET LOCAL resource_runtime.transaction = 'begun'";

/// Begins a transaction that reads one snapshot from its first statement to its end.
pub(super) const BEGIN_REPEATABLE_READ: &str = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY";

/// The same, for a transaction whose connection is lent for the developer's SQL: [`Lease::verify_open`] tests for it.
pub(super) const BEGIN_SNAPSHOT: &str = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; \
    SET LOCAL resource_runtime.transaction = 'begun'";

/// Reads the last value of a column's sequence in this session; null for a column without a sequence.
const LAST_KEY: &str = "SELECT currval(pg_get_serial_sequence($1, $2))";

/// A transaction, or a single statement that commits itself, which saves the round trips of BEGIN and COMMIT.
#[derive(Debug)]
pub(crate) struct PostgresTransaction {
    database: PostgresDatabase,
    state: TransactionState<Lease>,
}

impl PostgresDatabase {
    pub(super) async fn begin_transaction(
        &self,
        command: &'static str,
        purpose: Purpose,
    ) -> DatabaseResult<Lease> {
        // A transaction that has not begun has changed nothing, so every attempt may be repeated.
        let begin = |deadline| async move {
            let lease = self.lease(purpose, deadline).await?;
            lease.begin(self.limits.begin(command)).await
        };
        self.with_retries(begin).await
    }

    /// Inserts the rows of a batch by one statement. A refused one does not tell of which row, so that all are
    /// inserted again one by one, up to the one that is refused.
    async fn insert_batch(
        &self,
        lease: &mut Lease,
        batch: &Batch,
        definition: &ResourceDefinition,
    ) -> Result<Vec<Key>, BatchFailure> {
        let rows = batch.rows();
        // The savepoint keeps what the transaction did before, and the transaction itself, for the second pass.
        self.command(lease, "SAVEPOINT batch").await?;
        match self.insert_rows(lease, batch, rows, definition).await {
            Ok(keys) if keys.len() == rows.len() => {
                self.command(lease, "RELEASE SAVEPOINT batch").await?;
                return Ok(keys);
            }
            Ok(_) | Err(DatabaseFailure::ConstraintViolation(..)) => {}
            Err(failure) => return Err(failure.into()),
        }
        self.command(lease, "ROLLBACK TO SAVEPOINT batch").await?;
        let mut keys = Vec::with_capacity(rows.len());
        for (row, binds) in rows.iter().enumerate() {
            let one = slice::from_ref(binds);
            let key = self.insert_rows(lease, batch, one, definition).await;
            let mut key = key.map_err(|failure| BatchFailure::of_row(row, failure))?;
            keys.push(key.pop().ok_or_else(|| BatchFailure::without_key(row))?);
        }
        Ok(keys)
    }

    async fn command(&self, lease: &mut Lease, text: &'static str) -> DatabaseResult<()> {
        let executed = sqlx::raw_sql(text).execute(lease.connection()?);
        self.timeout.run(executed).await.map(drop)
    }

    /// The keys of the inserted rows, without those that a trigger dropped.
    async fn insert_rows(
        &self,
        lease: &mut Lease,
        batch: &Batch,
        rows: &[Vec<Bind>],
        definition: &ResourceDefinition,
    ) -> DatabaseResult<Vec<Key>> {
        let arguments = array_arguments(rows).map_err(DatabaseFailure::internal)?;
        let returned = safe_query(batch.text(), arguments).fetch_all(lease.connection()?);
        let rows = self.timeout.run_as(write_failure, returned).await?;
        let keys = rows.iter().map(|row| row.key(definition));
        keys.filter_map(Result::transpose).collect()
    }
}

impl PostgresTransaction {
    pub(super) fn boxed(
        database: PostgresDatabase,
        state: TransactionState<Lease>,
    ) -> Box<dyn DriverTransaction> {
        Box::new(Self { database, state })
    }

    /// Executes a write by `run`: in the transaction, or as one that commits itself.
    async fn write<T>(&mut self, statement: &Statement, run: Run<T>) -> DatabaseResult<T> {
        let begun = if self.database.limits.need_transaction() {
            // A single statement would lack its time limits.
            Some(self.ensure_begun().await?)
        } else {
            self.take().await?
        };
        let Some(mut lease) = begun else {
            let database = &self.database;
            let once = |deadline| async move {
                let mut lease = database.lease(Purpose::Write, deadline).await?;
                let written = run(lease.connection()?, query(statement)?);
                // On a failure the lease is dropped unfinished, and its drop waits for the server in the background.
                let written = database.timeout.run_as(commit_failure, written).await?;
                lease.mark_idle();
                Ok(written)
            };
            // A retryable failure has changed nothing.
            return database.with_retries(once).await;
        };
        let written = run(lease.connection()?, query(statement)?);
        // The commit comes later, so that a lost connection leaves no outcome unknown here.
        let written = self.database.timeout.run_as(write_failure, written);
        let written = written.await;
        self.state.settle(lease, written)
    }

    /// The last key that the sequence of `column` assigned in this session, if the column has a sequence.
    async fn last_key(
        &mut self,
        table: Identifier,
        column: Identifier,
    ) -> DatabaseResult<Option<Key>> {
        let mut lease = self.ensure_begun().await?;
        let query = sqlx::query_scalar(LAST_KEY).bind(table.quoted());
        let key = query.bind(column.as_str()).fetch_one(lease.connection()?);
        let key = self.database.timeout.run(key).await;
        let key: Option<i64> = self.state.settle(lease, key)?;
        Ok(key.map(|key| Key::from(Value::Integer(key))))
    }

    /// Takes the begun transaction out for a statement, and verifies that it is still open.
    async fn take(&mut self) -> DatabaseResult<Option<Lease>> {
        // While the lease is out, the state is `Ended`: a cancelled request leaves no open transaction.
        let Some(mut lease) = self.state.take()? else {
            return Ok(None);
        };
        match lease.verify_open().await {
            Ok(()) => Ok(Some(lease)),
            // The failure ends the transaction; the inner value only gives the result its type.
            failed => self.state.settle(lease, failed.map(|()| None)),
        }
    }

    /// Takes the transaction out, begun now if necessary: queries about a refused statement come in groups.
    async fn ensure_begun(&mut self) -> DatabaseResult<Lease> {
        if let Some(lease) = self.take().await? {
            return Ok(lease);
        }
        let (command, purpose) = (BEGIN_READ_COMMITTED, Purpose::Write);
        self.database.begin_transaction(command, purpose).await
    }
}

impl DriverTransaction for PostgresTransaction {
    fn insert(
        &mut self,
        statement: Statement,
        definition: &'static ResourceDefinition,
    ) -> DbFuture<'_, Option<Key>> {
        Box::pin(async move {
            let row = self.write(&statement, |session, query| session.fetch_optional(query));
            let key = row.await?.map_or(Ok(None), |row| row.key(definition));
            key.map_err(|failure| {
                if matches!(self.state, TransactionState::Single) {
                    // The row is committed, so a key that cannot be read must not cause a retry.
                    return DatabaseFailure::outcome_unknown(failure.to_string());
                }
                self.roll_back(&failure);
                failure
            })
        })
    }

    fn insert_batch<'a>(
        &'a mut self,
        batch: &Arc<Batch>,
        definition: &'static ResourceDefinition,
    ) -> BoxFuture<'a, Result<Vec<Key>, BatchFailure>> {
        let batch = Arc::clone(batch);
        Box::pin(async move {
            let mut lease = self.ensure_begun().await?;
            let insert = self.database.insert_batch(&mut lease, &batch, definition);
            let keys = insert.await;
            self.state.settle(lease, keys)
        })
    }

    fn execute(&mut self, statement: Statement) -> DbFuture<'_, u64> {
        Box::pin(async move {
            let result = self.write(&statement, |session, query| session.execute(query));
            Ok(result.await?.rows_affected())
        })
    }

    fn rows<'a>(
        &'a mut self,
        statement: Statement,
        visitor: &'a mut dyn RowVisitor,
    ) -> DbFuture<'a, usize> {
        Box::pin(async move {
            let mut lease = self.ensure_begun().await?;
            let rows = query(&statement)?.fetch_all(lease.connection()?);
            let rows = self.database.timeout.run(rows).await;
            let visited = rows.and_then(|rows| lend_all(&rows, visitor));
            self.state.settle(lease, visited)
        })
    }

    fn key_stored_elsewhere<'a>(
        &'a mut self,
        definition: &'a ResourceDefinition,
        chosen: Option<Key>,
    ) -> DbFuture<'a, Option<Key>> {
        Box::pin(async move {
            let key = match (chosen, definition.only_key()) {
                // A default is evaluated before the trigger, so this session has used the sequence.
                (None, Some(attribute)) => {
                    let table = definition.table_identifier();
                    self.last_key(table, attribute.identifier()).await?
                }
                // A key of the client or the model is known without a query; of several parts, the database assigns none.
                (known, _) => known,
            };
            let Some(key) = key else { return Ok(None) };
            // The row at this key may be that of another transaction.
            let is_ours = resource_sql::item_stored_by_this_transaction(definition, &key);
            Ok((self.rows(is_ours, &mut NoValues).await? > 0).then_some(key))
        })
    }

    fn stored_tables<'a>(
        &'a mut self,
        tables: &'a [Table],
    ) -> DbFuture<'a, Vec<Option<StoredTable>>> {
        Box::pin(async move {
            // In the transaction, whose lock keeps other processes from creating tables meanwhile.
            if let TransactionState::Begun(lease) = &mut self.state
                && let Ok(connection) = lease.connection()
            {
                let timeout = &self.database.timeout;
                return introspection::stored_tables(timeout, connection, tables).await;
            }
            self.database.read_stored_tables(tables).await
        })
    }

    fn roll_back(&mut self, failure: &DatabaseFailure) {
        // The replaced state drops its lease, which rolls back.
        self.state = TransactionState::Ended(Some(failure.clone()));
    }

    fn commit(mut self: Box<Self>) -> DbFuture<'static, ()> {
        // The single statement has committed itself.
        if matches!(self.state, TransactionState::Single) {
            return Box::pin(async { Ok(()) });
        }
        Box::pin(async move {
            // The last check of the transaction: the COMMIT of a failed one rolls back without an error.
            match self.take().await? {
                Some(lease) => lease.commit().await,
                None => Ok(()),
            }
        })
    }

    fn postgres(&mut self) -> Option<&mut PgConnection> {
        match &mut self.state {
            TransactionState::Begun(lease) => lease.connection_for_developer().ok(),
            // On a bare connection the developer's statements would each commit by themselves.
            TransactionState::Single | TransactionState::Ended(_) => None,
        }
    }
}

pub(super) fn query(statement: &Statement) -> DatabaseResult<PgQuery> {
    let arguments = arguments(statement.binds()).map_err(DatabaseFailure::internal)?;
    Ok(safe_query(statement.text(), arguments))
}

/// Declares SQL text safe to PostgreSQL's driver, as only `TransactionLimits::begin` does besides: a [`Statement`] and
/// a [`Batch`] consist of keywords, quoted identifiers, numbers and placeholders.
fn safe_query(text: &str, arguments: PgArguments) -> PgQuery {
    sqlx::query_with(AssertSqlSafe(text.to_owned()), arguments)
}
