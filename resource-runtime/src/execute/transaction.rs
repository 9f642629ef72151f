use super::Database;
#[cfg(feature = "postgres")]
use super::postgres::PostgresTransaction;
#[cfg(feature = "sqlite")]
use super::sqlite::SqliteTransaction;
use crate::error::DatabaseFailure;
#[cfg(feature = "postgres")]
use crate::plan;
use crate::plan::{Dialect, Statement};
use crate::schema::{Attribute, Kind, ResourceDefinition, StoredTable, Table};
use crate::value::{Record, Value};

/// All that one write does, or nothing of it: dropped before it is committed, it is rolled back.
///
/// Validators and hooks get the one of their write from
/// [`WriteContext::database`](crate::WriteContext::database); code that serves no request begins
/// one by [`Database::begin`](crate::Database::begin).
#[derive(Debug)]
pub struct Transaction {
    backend: Backend,
}

#[derive(Debug)]
enum Backend {
    #[cfg(feature = "postgres")]
    Postgres(PostgresTransaction),
    #[cfg(feature = "sqlite")]
    Sqlite(SqliteTransaction),
}

impl Transaction {
    #[cfg(feature = "postgres")]
    pub(super) const fn on_postgres(transaction: PostgresTransaction) -> Self {
        Self {
            backend: Backend::Postgres(transaction),
        }
    }

    #[cfg(feature = "sqlite")]
    pub(super) const fn on_sqlite(transaction: SqliteTransaction) -> Self {
        Self {
            backend: Backend::Sqlite(transaction),
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
        match &mut self.backend {
            Backend::Sqlite(transaction) => transaction.lend(),
            #[cfg(feature = "postgres")]
            Backend::Postgres(_) => None,
        }
    }

    /// The connection of a transaction on PostgreSQL, as [`sqlite`](Self::sqlite) is on SQLite.
    #[cfg(feature = "postgres")]
    pub fn postgres(&mut self) -> Option<&mut sqlx::PgConnection> {
        match &mut self.backend {
            Backend::Postgres(transaction) => transaction.lend(),
            #[cfg(feature = "sqlite")]
            Backend::Sqlite(_) => None,
        }
    }

    /// Each of these tables as `database` has it, which this is a transaction on; `None` where it
    /// is missing. PostgreSQL is asked on the connection of the transaction, which may be the only
    /// one; SQLite lets nobody else write until the transaction ends.
    pub(crate) async fn stored_tables(
        &mut self,
        database: &Database,
        needed: &[Table],
    ) -> Result<Vec<Option<StoredTable>>, DatabaseFailure> {
        #[cfg(feature = "postgres")]
        if let Backend::Postgres(transaction) = &mut self.backend
            && let Some(connection) = transaction.connection()
        {
            return super::postgres::stored_tables(connection, needed).await;
        }
        database.stored_tables(needed).await
    }

    pub(crate) const fn dialect(&self) -> Dialect {
        match &self.backend {
            #[cfg(feature = "postgres")]
            Backend::Postgres(_) => Dialect::Postgres,
            #[cfg(feature = "sqlite")]
            Backend::Sqlite(_) => Dialect::Sqlite,
        }
    }

    /// Stores a row; answers its key, which is of `kind`, or `None` where a condition of the statement
    /// does not hold, or a trigger dropped the row or stored it where its key is not told.
    pub(crate) async fn insert_row(
        &mut self,
        statement: Statement,
        kind: Kind,
    ) -> Result<Option<Value>, DatabaseFailure> {
        let key = match &mut self.backend {
            #[cfg(feature = "postgres")]
            Backend::Postgres(transaction) => transaction.insert(statement, kind).await?,
            #[cfg(feature = "sqlite")]
            Backend::Sqlite(transaction) => transaction.insert(statement, kind).await?,
        };
        Ok(key.filter(|key| *key != Value::Null))
    }

    /// The key of the row that this transaction stored though the statement that sent it answered none,
    /// where it can be told: `named`, or the one that the database assigned last.
    #[cfg_attr(
        not(feature = "postgres"),
        expect(
            unused_variables,
            reason = "triggers of SQLite store a row where it was sent"
        ),
        allow(clippy::unused_async, reason = "PostgreSQL is asked")
    )]
    pub(crate) async fn key_stored_elsewhere(
        &mut self,
        definition: &ResourceDefinition,
        named: Option<Value>,
    ) -> Result<Option<Value>, DatabaseFailure> {
        match &mut self.backend {
            #[cfg(feature = "postgres")]
            Backend::Postgres(transaction) => {
                let table = definition.table_identifier();
                let key = match (named, definition.primary_key()) {
                    (Some(named), _) => Some(named),
                    (None, Some(key)) => {
                        let last = transaction.last_key(table, key.identifier()).await?;
                        last.map(Value::Integer)
                    }
                    (None, None) => None,
                };
                let Some(key) = key else { return Ok(None) };
                let is_ours = plan::item_stored_here(definition, &key);
                Ok(transaction.finds(is_ours).await?.then_some(key))
            }
            #[cfg(feature = "sqlite")]
            Backend::Sqlite(_) => Ok(None),
        }
    }

    /// Rolls back what is begun, because of `failure`.
    pub(crate) fn ended_by(&mut self, failure: DatabaseFailure) -> DatabaseFailure {
        match &mut self.backend {
            #[cfg(feature = "postgres")]
            Backend::Postgres(transaction) => transaction.end_by(&failure),
            #[cfg(feature = "sqlite")]
            Backend::Sqlite(transaction) => transaction.end_by(&failure),
        }
        failure
    }

    /// The row that `statement` finds by its key, its columns the values of `attributes`.
    pub(crate) async fn row(
        &mut self,
        statement: Statement,
        attributes: &[Attribute],
    ) -> Result<Option<Record>, DatabaseFailure> {
        let mut rows = self.rows(statement, attributes).await?;
        match rows.len() {
            0 | 1 => Ok(rows.pop()),
            several => Err(self.ended_by(DatabaseFailure::ambiguous(several))),
        }
    }

    /// All rows that `statement` finds, their columns the values of `attributes`.
    pub(crate) async fn rows(
        &mut self,
        statement: Statement,
        attributes: &[Attribute],
    ) -> Result<Vec<Record>, DatabaseFailure> {
        match &mut self.backend {
            #[cfg(feature = "postgres")]
            Backend::Postgres(transaction) => transaction.rows(statement, attributes).await,
            #[cfg(feature = "sqlite")]
            Backend::Sqlite(transaction) => transaction.rows(statement, attributes).await,
        }
    }

    /// Changes or removes rows; answers how many.
    pub(crate) async fn change(&mut self, statement: Statement) -> Result<u64, DatabaseFailure> {
        match &mut self.backend {
            #[cfg(feature = "postgres")]
            Backend::Postgres(transaction) => transaction.change(statement).await,
            #[cfg(feature = "sqlite")]
            Backend::Sqlite(transaction) => transaction.change(statement).await,
        }
    }

    /// Whether `statement` finds any row.
    pub(crate) async fn finds(&mut self, statement: Statement) -> Result<bool, DatabaseFailure> {
        match &mut self.backend {
            #[cfg(feature = "postgres")]
            Backend::Postgres(transaction) => transaction.finds(statement).await,
            #[cfg(feature = "sqlite")]
            Backend::Sqlite(transaction) => transaction.finds(statement).await,
        }
    }

    /// Makes all of it durable.
    pub(crate) async fn end(self) -> Result<(), DatabaseFailure> {
        match self.backend {
            #[cfg(feature = "postgres")]
            Backend::Postgres(transaction) => transaction.commit().await,
            #[cfg(feature = "sqlite")]
            Backend::Sqlite(transaction) => transaction.commit().await,
        }
    }
}
