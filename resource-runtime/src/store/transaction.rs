//! A transaction of whichever database.

use resource_model::error::{DatabaseFailure, DatabaseResult};
use resource_model::query::{LockMode, Lookup, RowChange, RowQuery};
use resource_model::schema::{Attribute, ResourceDefinition, StoredTable, Table};
use resource_model::value::{Key, Record};
use resource_sql::{self, Dialect, Statement};
use sqlx::Error;

use super::driver::DriverTransaction;

/// All that one write does, or nothing of it: dropped before it is committed, it is rolled back.
///
/// Validators and hooks get the one of their write from
/// [`WriteContext::database`](crate::WriteContext::database); code that serves no request begins
/// one by [`Database::begin`](crate::Database::begin).
#[derive(Debug)]
pub struct Transaction {
    dialect: Dialect,
    transaction: Box<dyn DriverTransaction>,
}

impl Transaction {
    pub(super) fn new(dialect: Dialect, transaction: Box<dyn DriverTransaction>) -> Self {
        Self {
            dialect,
            transaction,
        }
    }

    /// The connection of a transaction on SQLite, for SQL of one's own; `None` on another database.
    ///
    /// It belongs to the write, which commits and rolls back by itself: where SQL of yours does, or
    /// makes the database do so, nothing else is carried out and the commit fails. The connection is
    /// closed afterwards (on PostgreSQL its session is reset), so no setting of yours reaches another
    /// request. `None` once a statement has ended the transaction.
    ///
    /// ```
    /// use resource_runtime::{HookError, Transaction, sqlx};
    ///
    /// async fn notes(transaction: &mut Transaction) -> Result<i64, HookError> {
    ///     let connection = transaction.sqlite().ok_or_else(|| HookError::failed("no SQLite"))?;
    ///     let count = sqlx::query_scalar("SELECT COUNT(*) FROM notes");
    ///     Ok(count.fetch_one(connection).await?)
    /// }
    /// ```
    #[cfg(feature = "sqlite")]
    pub fn sqlite(&mut self) -> Option<&mut sqlx::SqliteConnection> {
        self.transaction.sqlite()
    }

    /// The connection of a transaction on PostgreSQL, as [`sqlite`](Self::sqlite) is on SQLite.
    #[cfg(feature = "postgres")]
    pub fn postgres(&mut self) -> Option<&mut sqlx::PgConnection> {
        self.transaction.postgres()
    }

    /// Changes a row; returns its key, or none where no row was found, a target was missing, or a trigger
    /// dropped the row or stored it where its key is not told.
    pub(crate) async fn change(&mut self, change: RowChange<'_>) -> DatabaseResult<Option<Key>> {
        match change {
            RowChange::Insert { definition, .. } => {
                let statement = resource_sql::change(self.dialect, change);
                self.transaction.insert(statement, definition).await
            }
            RowChange::Update { key, .. } | RowChange::Delete { key, .. } => {
                let statement = resource_sql::change(self.dialect, change);
                let is_done = self.execute(statement).await? > 0;
                Ok(is_done.then(|| key.clone()))
            }
        }
    }

    /// Carries out a statement of the schema, or one of the authorization server's; returns the number of
    /// rows that it changed.
    pub(crate) async fn execute(&mut self, statement: Statement) -> DatabaseResult<u64> {
        self.transaction.execute(statement).await
    }

    /// The row that is found by its key, its columns the values of `attributes`.
    pub(crate) async fn row(
        &mut self,
        query: RowQuery<'_>,
        attributes: &[Attribute],
    ) -> DatabaseResult<Option<Record>> {
        let mut rows = self.rows(query, attributes).await?;
        match rows.len() {
            0 | 1 => Ok(rows.pop()),
            several => Err(self.ended_by(DatabaseFailure::ambiguous(several))),
        }
    }

    /// All rows that are found, their columns the values of `attributes`.
    pub(crate) async fn rows(
        &mut self,
        query: RowQuery<'_>,
        attributes: &[Attribute],
    ) -> DatabaseResult<Vec<Record>> {
        let statement = resource_sql::select(self.dialect, query);
        self.transaction.rows(statement, attributes).await
    }

    /// Whether there is what the lookup looks for.
    pub(crate) async fn exists(&mut self, lookup: Lookup<'_>) -> DatabaseResult<bool> {
        let statement = resource_sql::exists(self.dialect, lookup);
        self.transaction.exists(statement).await
    }

    /// Locks a table, where the beginning of a transaction does not lock out all other writers anyway.
    pub(crate) async fn lock_table(
        &mut self,
        definition: &ResourceDefinition,
        mode: LockMode,
    ) -> DatabaseResult<()> {
        match self.dialect {
            // The file is locked from the beginning of the transaction.
            Dialect::Sqlite => Ok(()),
            Dialect::Postgres => {
                let lock = resource_sql::lock_table(definition, mode);
                self.execute(lock).await.map(drop)
            }
        }
    }

    /// The key of the row that this transaction stored though its change returned none, where it can be
    /// told: the `chosen` one, or the one that the database assigned last.
    pub(crate) async fn key_stored_elsewhere(
        &mut self,
        definition: &ResourceDefinition,
        chosen: Option<Key>,
    ) -> DatabaseResult<Option<Key>> {
        let key = self.transaction.key_stored_elsewhere(definition, chosen);
        key.await
    }

    /// Each of these tables as the transaction sees it; none where it is missing.
    pub(crate) async fn stored_tables(
        &mut self,
        tables: &[Table],
    ) -> DatabaseResult<Vec<Option<StoredTable>>> {
        self.transaction.stored_tables(tables).await
    }

    /// Rolls back what is begun, because of `failure`.
    pub(crate) fn ended_by(&mut self, failure: DatabaseFailure) -> DatabaseFailure {
        self.transaction.end_by(&failure);
        failure
    }

    /// Makes all of it durable.
    pub(crate) async fn end(self) -> DatabaseResult<()> {
        self.transaction.commit().await
    }
}

/// What an error of a driver means that reached us through the developer's own statements, where
/// it passes: tried anew, the whole write may succeed.
pub(crate) fn retryable(error: &Error) -> Option<DatabaseFailure> {
    let failures = [
        #[cfg(feature = "postgres")]
        super::postgres::failure::of_developer(error),
        #[cfg(feature = "sqlite")]
        super::sqlite::failure::of_developer(error),
    ];
    failures.into_iter().find(|failure| {
        matches!(
            failure,
            DatabaseFailure::Retryable(_) | DatabaseFailure::Unavailable(_)
        )
    })
}
