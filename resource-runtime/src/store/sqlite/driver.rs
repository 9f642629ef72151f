//! SQLite as a driver.

use std::sync::Arc;

use resource_model::error::DatabaseFailure;
use resource_model::query::{ListQuery, LockMode, Lookup, RowChange, RowQuery};
use resource_model::schema::{Attribute, Identifier, ResourceDefinition, StoredTable, Table};
use resource_model::value::{Key, Record};
use resource_sql::{self, Dialect, Statement};

use super::{SqliteDatabase, SqliteTransaction};
use crate::authorization::View;
use crate::boxed::Boxed;
use crate::store::Diverting;
#[cfg(feature = "metrics")]
use crate::store::PoolUse;
use crate::store::driver::{Driver, DriverTransaction, Isolation, Visited, Visitors};

impl Driver for SqliteDatabase {
    fn dialect(&self) -> Dialect {
        Dialect::Sqlite
    }

    fn read(self: Arc<Self>, query: RowQuery<'_>, visitors: Visitors) -> Boxed<'static, Visited> {
        let statement = resource_sql::select(Dialect::Sqlite, query);
        Box::pin(async move { self.readers.lend_rows(statement, visitors).await })
    }

    fn page(
        self: Arc<Self>,
        view: View<'_>,
        query: &ListQuery,
        visitors: Visitors,
    ) -> Boxed<'static, Visited> {
        let page = resource_sql::page(Dialect::Sqlite, view, query);
        Box::pin(async move { self.readers.page(page, visitors).await })
    }

    fn exists(
        self: Arc<Self>,
        lookup: Lookup<'_>,
    ) -> Boxed<'static, Result<bool, DatabaseFailure>> {
        let statement = resource_sql::exists(Dialect::Sqlite, lookup);
        Box::pin(async move { self.readers.finds(statement).await })
    }

    /// Each holds the lock of the file's one writer from its beginning, so that it is isolated, too.
    fn begin(
        &self,
        _: Isolation,
    ) -> Boxed<'_, Result<Box<dyn DriverTransaction>, DatabaseFailure>> {
        Box::pin(async {
            Ok(Box::new(self.begin_immediate().await?) as Box<dyn DriverTransaction>)
        })
    }

    fn begin_single(&self) -> Box<dyn DriverTransaction> {
        Box::new(self.single())
    }

    fn stored_tables<'a>(
        &'a self,
        tables: &'a [Table],
    ) -> Boxed<'a, Result<Vec<Option<StoredTable>>, DatabaseFailure>> {
        Box::pin(self.readers.stored_tables(tables.to_vec()))
    }

    /// A row that a trigger drops leaves nothing behind: each change is rolled back that stored nothing.
    fn diverting(&self, _: Identifier) -> Boxed<'_, Result<Diverting, DatabaseFailure>> {
        Box::pin(async { Ok(Diverting::default()) })
    }

    fn ping(&self) -> Boxed<'_, Result<(), DatabaseFailure>> {
        Box::pin(async {
            self.opened.verify()?;
            self.readers
                .finds(resource_sql::ping(Dialect::Sqlite))
                .await
                .map(drop)
        })
    }

    fn takes_writes(&self) -> Boxed<'_, Result<(), DatabaseFailure>> {
        Box::pin(self.try_out_writing())
    }

    #[cfg(feature = "metrics")]
    fn pools(&self) -> Vec<PoolUse> {
        self.pool_use().into()
    }
}

impl DriverTransaction for SqliteTransaction {
    fn change<'a>(
        &'a mut self,
        change: RowChange<'a>,
    ) -> Boxed<'a, Result<Option<Key>, DatabaseFailure>> {
        match change {
            RowChange::Insert { definition, .. } => {
                let statement = resource_sql::change(Dialect::Sqlite, change);
                Box::pin(self.insert(statement, definition))
            }
            RowChange::Update { key, .. } | RowChange::Delete { key, .. } => {
                let statement = resource_sql::change(Dialect::Sqlite, change);
                Box::pin(async move {
                    let is_done = self.run(statement).await? > 0;
                    Ok(is_done.then(|| key.clone()))
                })
            }
        }
    }

    fn execute(&mut self, statement: Statement) -> Boxed<'_, Result<u64, DatabaseFailure>> {
        Box::pin(self.run(statement))
    }

    fn rows<'a>(
        &'a mut self,
        query: RowQuery<'a>,
        attributes: &'a [Attribute],
    ) -> Boxed<'a, Result<Vec<Record>, DatabaseFailure>> {
        Box::pin(self.fetch(resource_sql::select(Dialect::Sqlite, query), attributes))
    }

    fn exists<'a>(&'a mut self, lookup: Lookup<'a>) -> Boxed<'a, Result<bool, DatabaseFailure>> {
        Box::pin(self.finds(resource_sql::exists(Dialect::Sqlite, lookup)))
    }

    /// The file is locked from the beginning of the transaction.
    fn lock_table<'a>(
        &'a mut self,
        _: &'a ResourceDefinition,
        _: LockMode,
    ) -> Boxed<'a, Result<(), DatabaseFailure>> {
        Box::pin(async { Ok(()) })
    }

    /// Triggers of SQLite store a row where it was sent.
    fn key_stored_elsewhere<'a>(
        &'a mut self,
        _: &'a ResourceDefinition,
        _: Option<Key>,
    ) -> Boxed<'a, Result<Option<Key>, DatabaseFailure>> {
        Box::pin(async { Ok(None) })
    }

    /// Nobody else writes until the transaction ends, so that what others see is what it began with.
    fn stored_tables<'a>(
        &'a mut self,
        tables: &'a [Table],
    ) -> Boxed<'a, Result<Vec<Option<StoredTable>>, DatabaseFailure>> {
        Box::pin(self.database.readers.stored_tables(tables.to_vec()))
    }

    fn end_by(&mut self, failure: &DatabaseFailure) {
        self.roll_back_by(failure);
    }

    fn commit(self: Box<Self>) -> Boxed<'static, Result<(), DatabaseFailure>> {
        Box::pin((*self).commit_begun())
    }

    fn sqlite(&mut self) -> Option<&mut sqlx::SqliteConnection> {
        self.lend()
    }
}
