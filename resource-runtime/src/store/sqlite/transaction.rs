//! Transactions on SQLite, and the single statements that go to the group committer.

use std::sync::Arc;

use futures_util::TryStreamExt as _;
use resource_model::error::{DatabaseFailure, DatabaseResult};
use resource_model::schema::{ResourceDefinition, StoredTable, Table};
use resource_model::value::{Key, Value};
use resource_sql::{Batch, Bind, Statement};
use sqlx::query::Query;
use sqlx::sqlite::SqliteArguments;
use sqlx::{Arguments as _, AssertSqlSafe, Either, Executor as _, Sqlite, SqliteConnection};

use super::SqliteDatabase;
use super::failure::of_statement;
use super::open_transaction::{Endings, OpenTransaction};
use crate::boxed::BoxFuture;
use crate::store::driver::{BatchFailure, DbFuture, DriverTransaction};
use crate::store::row::lend_all;
use crate::store::transaction_state::TransactionState;
use crate::store::{Row as _, RowVisitor};

/// A transaction, or a single statement for the next group commit.
#[derive(Debug)]
pub(crate) struct SqliteTransaction {
    state: TransactionState<OpenTransaction>,
    /// Dropped after the open transaction: the last clone waits until all writes have ended.
    database: SqliteDatabase,
}

impl SqliteDatabase {
    pub(super) async fn begin_transaction(&self) -> DatabaseResult<OpenTransaction> {
        // The lock comes before the connection: its queue is fair and shared with the group committer.
        let guard = self.write_lock.lock(self.acquire_timeout).await;
        let others = || DatabaseFailure::unavailable(String::from("others write for too long"));
        let guard = guard.ok_or_else(others)?;
        // The pool may have to open a new connection, which must not open another file.
        self.opened.verify()?;
        // The last holder of the lock has returned the only connection, or is about to.
        let connection = self.transaction_pool.acquire().await;
        let connection = connection.map_err(of_statement)?;
        OpenTransaction::begin(connection, Some(guard), &self.endings).await
    }

    pub(super) async fn begin_snapshot(&self) -> DatabaseResult<OpenTransaction> {
        self.opened.verify()?;
        let connection = self.snapshot_pool.acquire().await;
        let connection = connection.map_err(of_statement)?;
        // SQLite's hooks do not tell of the end of reads, so nothing counts endings.
        OpenTransaction::begin(connection, None, &Endings::default()).await
    }
}

impl SqliteTransaction {
    pub(super) fn boxed(
        database: &SqliteDatabase,
        state: TransactionState<OpenTransaction>,
    ) -> Box<dyn DriverTransaction> {
        let database = database.clone();
        Box::new(Self { state, database })
    }

    /// Takes the begun transaction out for a statement, and verifies that it is still open.
    async fn take(&mut self) -> DatabaseResult<Option<OpenTransaction>> {
        let Some(mut begun) = self.state.take()? else {
            return Ok(None);
        };
        match begun.verify_open().await {
            Ok(()) => Ok(Some(begun)),
            // Later statements report the same failure, instead of being committed one by one.
            failed => self.state.settle(begun, failed.map(|()| None)),
        }
    }

    /// Takes the transaction out, and begins one after a single statement: several queries explain a refusal, and
    /// share one transaction.
    async fn ensure_begun(&mut self) -> DatabaseResult<OpenTransaction> {
        match self.take().await? {
            Some(begun) => Ok(begun),
            None => Box::pin(self.database.begin_transaction()).await,
        }
    }
}

impl DriverTransaction for SqliteTransaction {
    fn insert(
        &mut self,
        statement: Statement,
        definition: &'static ResourceDefinition,
    ) -> DbFuture<'_, Option<Key>> {
        Box::pin(async move {
            let Some(mut begun) = self.take().await? else {
                // Without a transaction, the insertion commits by itself, in the next group.
                let committer = &self.database.group_committer;
                let batch = Arc::new(statement.into());
                return Ok(committer.write(batch, Some(definition)).await?.keys.pop());
            };
            let key = insert(&mut begun, statement, definition).await;
            self.state.settle(begun, key)
        })
    }

    fn insert_batch<'a>(
        &'a mut self,
        batch: &Arc<Batch>,
        definition: &'static ResourceDefinition,
    ) -> BoxFuture<'a, Result<Vec<Key>, BatchFailure>> {
        let batch = Arc::clone(batch);
        Box::pin(async move {
            let Some(mut begun) = self.take().await? else {
                let committer = &self.database.group_committer;
                let rows = batch.rows().len();
                let keys = committer.write(batch, Some(definition)).await?.keys;
                // The savepoint has undone the rows before one without a key.
                return match keys.len() {
                    stored if stored < rows => Err(BatchFailure::without_key(stored)),
                    _ => Ok(keys),
                };
            };
            let keys = insert_each(&mut begun, &batch, definition).await;
            self.state.settle(begun, keys)
        })
    }

    fn execute(&mut self, statement: Statement) -> DbFuture<'_, u64> {
        Box::pin(async move {
            let Some(mut begun) = self.take().await? else {
                let batch = Arc::new(statement.into());
                return Ok(self.database.group_committer.write(batch, None).await?.rows);
            };
            let result = query(statement)?.execute(begun.connection()?).await;
            let result = self.state.settle(begun, result.map_err(of_statement))?;
            Ok(result.rows_affected())
        })
    }

    fn rows<'a>(
        &'a mut self,
        statement: Statement,
        visitor: &'a mut dyn RowVisitor,
    ) -> DbFuture<'a, usize> {
        Box::pin(async move {
            let mut begun = self.ensure_begun().await?;
            let rows = query(statement)?.fetch_all(begun.connection()?).await;
            // A value that cannot be read ends the transaction like a failed statement.
            let rows = rows.map_err(of_statement);
            let visited = rows.and_then(|rows| lend_all(&rows, visitor));
            self.state.settle(begun, visited)
        })
    }

    /// SQLite does not report where a trigger stored a row, so there is no key.
    fn key_stored_elsewhere<'a>(
        &'a mut self,
        _: &'a ResourceDefinition,
        _: Option<Key>,
    ) -> DbFuture<'a, Option<Key>> {
        Box::pin(async { Ok(None) })
    }

    /// Other connections see the tables as the transaction found them, since it holds the write lock.
    fn stored_tables<'a>(
        &'a mut self,
        tables: &'a [Table],
    ) -> DbFuture<'a, Vec<Option<StoredTable>>> {
        Box::pin(self.database.readers.stored_tables(tables.to_vec()))
    }

    fn roll_back(&mut self, failure: &DatabaseFailure) {
        // This drops a transaction that is open, which rolls it back.
        self.state = TransactionState::Ended(Some(failure.clone()));
    }

    fn commit(mut self: Box<Self>) -> DbFuture<'static, ()> {
        Box::pin(async move {
            // A single write has been committed with its group, so nothing is left to do for it.
            if let Some(begun) = self.take().await? {
                // A commit to a deleted file would succeed and be lost; the early return rolls back.
                self.database.opened.verify()?;
                begun.commit().await?;
            }
            Ok(())
        })
    }

    fn sqlite(&mut self) -> Option<&mut SqliteConnection> {
        match &mut self.state {
            TransactionState::Begun(begun) => begun.lend(),
            TransactionState::Single | TransactionState::Ended(_) => None,
        }
    }
}

/// Executes an insertion in a transaction, and returns its key: what the statement returns, or the id of the row; none where its condition did not hold, or a trigger
/// dropped the row.
async fn insert(
    begun: &mut OpenTransaction,
    mut statement: Statement,
    definition: &ResourceDefinition,
) -> DatabaseResult<Option<Key>> {
    let next = statement.take_next();
    let key = {
        let mut results = begun.connection()?.fetch_many(query(statement)?);
        match results.try_next().await.map_err(of_statement)? {
            Some(Either::Right(row)) => row.key(definition)?,
            // Where a trigger has dropped the row, the last id is that of another one.
            Some(Either::Left(done)) if done.rows_affected() > 0 => {
                Some(Value::Integer(done.last_insert_rowid()).into())
            }
            _ => return Ok(None),
        }
    };
    if let Some(next) = next {
        let executed = query(next)?.execute(begun.connection()?).await;
        executed.map_err(of_statement)?;
    }
    Ok(key)
}

/// Inserts the rows of a batch in a transaction, which ends with the first failure.
async fn insert_each(
    begun: &mut OpenTransaction,
    batch: &Batch,
    definition: &ResourceDefinition,
) -> Result<Vec<Key>, BatchFailure> {
    let mut keys = Vec::with_capacity(batch.rows().len());
    for (row, statement) in batch.statements().enumerate() {
        let key = insert(begun, statement, definition).await;
        let key = key.map_err(|failure| BatchFailure::of_row(row, failure))?;
        keys.push(key.ok_or_else(|| BatchFailure::without_key(row))?);
    }
    Ok(keys)
}

/// The only function of this driver that declares SQL text safe to sqlx: only `SqlWriter` writes a [`Statement`],
/// and it takes no text of a client.
fn query(statement: Statement) -> DatabaseResult<Query<'static, Sqlite, SqliteArguments>> {
    let (text, binds) = statement.into_parts();
    let arguments = arguments(binds).map_err(DatabaseFailure::internal)?;
    Ok(sqlx::query_with(AssertSqlSafe(text), arguments))
}

fn arguments(binds: Vec<Bind>) -> Result<SqliteArguments, sqlx::error::BoxDynError> {
    let mut arguments = SqliteArguments::default();
    for bind in binds {
        match bind.stored().unwrap_or(bind.value) {
            // A null has no type in SQLite, so any type will do here.
            Value::Null => arguments.add(None::<i64>)?,
            Value::Boolean(boolean) => arguments.add(boolean)?,
            Value::Integer(integer) => arguments.add(integer)?,
            Value::Real(real) => arguments.add(real)?,
            Value::Text(text) => arguments.add(text)?,
            Value::Bytes(bytes) => arguments.add(bytes)?,
        }
    }
    Ok(arguments)
}
