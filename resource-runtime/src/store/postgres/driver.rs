//! PostgreSQL as a driver.

use std::sync::Arc;

use resource_model::error::DatabaseFailure;
use resource_model::query::{ListQuery, LockMode, Lookup, RowChange, RowQuery};
use resource_model::schema::{Attribute, Identifier, ResourceDefinition, StoredTable, Table};
use resource_model::value::{Key, Record, Value};
use resource_sql::{self, Dialect, Statement};

use super::transaction::PostgresTransaction;
use super::{PostgresDatabase, stored};
use crate::authorization::View;
use crate::boxed::Boxed;
use crate::store::Diverting;
#[cfg(feature = "metrics")]
use crate::store::PoolUse;
use crate::store::driver::{Driver, DriverTransaction, Isolation, Visited, Visitors};

impl Driver for PostgresDatabase {
    fn dialect(&self) -> Dialect {
        Dialect::Postgres
    }

    fn read(self: Arc<Self>, query: RowQuery<'_>, visitors: Visitors) -> Boxed<'static, Visited> {
        let statement = resource_sql::select(Dialect::Postgres, query);
        Box::pin(async move { self.lend_rows(statement, visitors).await })
    }

    fn page(
        self: Arc<Self>,
        view: View<'_>,
        query: &ListQuery,
        visitors: Visitors,
    ) -> Boxed<'static, Visited> {
        let page = resource_sql::page(Dialect::Postgres, view, query);
        Box::pin(async move { self.read_page(page, visitors).await })
    }

    fn exists(
        self: Arc<Self>,
        lookup: Lookup<'_>,
    ) -> Boxed<'static, Result<bool, DatabaseFailure>> {
        let statement = resource_sql::exists(Dialect::Postgres, lookup);
        Box::pin(async move { self.finds(statement).await })
    }

    fn begin(
        &self,
        isolation: Isolation,
    ) -> Boxed<'_, Result<Box<dyn DriverTransaction>, DatabaseFailure>> {
        Box::pin(async move {
            let transaction = match isolation {
                Isolation::ReadCommitted => self.begin_read_committed().await?,
                Isolation::Serializable => self.begin_serializable().await?,
                Isolation::WithoutTimeout => self.patient().begin_read_committed().await?,
            };
            Ok(Box::new(transaction) as Box<dyn DriverTransaction>)
        })
    }

    fn begin_single(&self) -> Box<dyn DriverTransaction> {
        Box::new(self.single())
    }

    fn stored_tables<'a>(
        &'a self,
        tables: &'a [Table],
    ) -> Boxed<'a, Result<Vec<Option<StoredTable>>, DatabaseFailure>> {
        Box::pin(self.read_stored_tables(tables))
    }

    fn diverting(&self, table: Identifier) -> Boxed<'_, Result<Diverting, DatabaseFailure>> {
        Box::pin(self.read_triggers(table))
    }

    fn ping(&self) -> Boxed<'_, Result<(), DatabaseFailure>> {
        Box::pin(async {
            self.finds(resource_sql::ping(Dialect::Postgres))
                .await
                .map(drop)
        })
    }

    fn takes_writes(&self) -> Boxed<'_, Result<(), DatabaseFailure>> {
        Box::pin(self.try_out_writing())
    }

    #[cfg(feature = "metrics")]
    fn pools(&self) -> Vec<PoolUse> {
        vec![self.pool_use()]
    }
}

impl DriverTransaction for PostgresTransaction {
    fn change<'a>(
        &'a mut self,
        change: RowChange<'a>,
    ) -> Boxed<'a, Result<Option<Key>, DatabaseFailure>> {
        match change {
            RowChange::Insert { definition, .. } => {
                let statement = resource_sql::change(Dialect::Postgres, change);
                Box::pin(self.insert(statement, definition))
            }
            RowChange::Update { key, .. } | RowChange::Delete { key, .. } => {
                let statement = resource_sql::change(Dialect::Postgres, change);
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
        Box::pin(self.fetch(resource_sql::select(Dialect::Postgres, query), attributes))
    }

    fn exists<'a>(&'a mut self, lookup: Lookup<'a>) -> Boxed<'a, Result<bool, DatabaseFailure>> {
        Box::pin(self.finds(resource_sql::exists(Dialect::Postgres, lookup)))
    }

    fn lock_table<'a>(
        &'a mut self,
        definition: &'a ResourceDefinition,
        mode: LockMode,
    ) -> Boxed<'a, Result<(), DatabaseFailure>> {
        Box::pin(async move {
            self.run(resource_sql::lock_table(definition, mode))
                .await
                .map(drop)
        })
    }

    fn key_stored_elsewhere<'a>(
        &'a mut self,
        definition: &'a ResourceDefinition,
        chosen: Option<Key>,
    ) -> Boxed<'a, Result<Option<Key>, DatabaseFailure>> {
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
            Ok(self.finds(is_ours).await?.then_some(key))
        })
    }

    fn stored_tables<'a>(
        &'a mut self,
        tables: &'a [Table],
    ) -> Boxed<'a, Result<Vec<Option<StoredTable>>, DatabaseFailure>> {
        Box::pin(async move {
            match self.open_connection() {
                Some(connection) => stored::stored_tables(connection, tables).await,
                None => self.database.read_stored_tables(tables).await,
            }
        })
    }

    fn end_by(&mut self, failure: &DatabaseFailure) {
        self.roll_back_by(failure);
    }

    fn commit(self: Box<Self>) -> Boxed<'static, Result<(), DatabaseFailure>> {
        Box::pin((*self).commit_begun())
    }

    fn postgres(&mut self) -> Option<&mut sqlx::PgConnection> {
        self.lend()
    }
}
