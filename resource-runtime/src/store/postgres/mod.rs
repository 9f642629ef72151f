//! PostgreSQL: a pool of connections, each statement prepared once on each of them.

mod cancelled;
mod connect;
mod deadline;
mod decode;
pub(super) mod failure;
mod idle_pool;
mod introspection;
mod lease;
mod limits;
mod lists;
mod pool;
mod queries;
mod retry;
mod row;
mod session;
mod transaction;

use std::sync::Arc;
use std::time::Duration;

use resource_model::schema::{Identifier, StoredTable, Table};
use resource_sql::{self, Dialect, PageQuery, Statement};

#[cfg(feature = "metrics")]
use super::PoolStats;
use super::driver::{Asked, Driver, DriverTransaction, Isolation, Visited, Visitors};
use super::state::State;
use super::{DatabaseOptions, Diverting};
use deadline::StatementTimeout;
use idle_pool::IdlePool;
use limits::Limits;
use lists::{Flights, Totals};
use transaction::{BEGIN_READ_COMMITTED, BEGIN_SERIALIZABLE, PostgresTransaction, query};

/// Clones share the connections.
#[derive(Debug, Clone)]
pub(super) struct PostgresDatabase {
    idle_pool: Arc<IdlePool>,
    flights: Arc<Flights>,
    totals: Arc<Totals>,
    timeout: StatementTimeout,
    limits: Limits,
    acquire_timeout: Duration,
}

impl PostgresDatabase {
    /// The same, where the server may be silent for as long as it works.
    fn without_timeout(&self) -> Self {
        let mut database = self.clone();
        database.timeout.limit = None;
        database
    }
}

impl Driver for PostgresDatabase {
    fn dialect(&self) -> Dialect {
        Dialect::Postgres
    }

    fn read(&self, statement: Statement, visitors: Visitors) -> Asked<'_, Visited> {
        Box::pin(self.lend_rows(statement, visitors))
    }

    fn page(self: Arc<Self>, page: PageQuery, visitors: Visitors) -> Asked<'static, Visited> {
        Box::pin(async move { self.read_page(page, visitors).await })
    }

    fn exists(&self, statement: Statement) -> Asked<'_, bool> {
        Box::pin(async move {
            let row = self.first_row(|| query(&statement)).await?;
            Ok(row.is_some())
        })
    }

    fn begin(&self, isolation: Isolation) -> Asked<'_, Box<dyn DriverTransaction>> {
        Box::pin(async move {
            let (database, command) = match isolation {
                Isolation::ReadCommitted => (self.clone(), BEGIN_READ_COMMITTED),
                Isolation::Serializable => (self.clone(), BEGIN_SERIALIZABLE),
                Isolation::WithoutTimeout => (self.without_timeout(), BEGIN_READ_COMMITTED),
            };
            let begun = State::Begun(database.begun(command).await?);
            Ok(PostgresTransaction::boxed(database, begun))
        })
    }

    fn begin_single(&self) -> Box<dyn DriverTransaction> {
        PostgresTransaction::boxed(self.clone(), State::Single)
    }

    fn stored_tables<'a>(&'a self, tables: &'a [Table]) -> Asked<'a, Vec<Option<StoredTable>>> {
        Box::pin(self.read_stored_tables(tables))
    }

    fn diverting(&self, table: Identifier) -> Asked<'_, Diverting> {
        Box::pin(self.read_triggers(table))
    }

    fn ping(&self) -> Asked<'_, ()> {
        let found = self.exists(resource_sql::ping(Dialect::Postgres));
        Box::pin(async { found.await.map(drop) })
    }

    fn takes_writes(&self) -> Asked<'_, ()> {
        Box::pin(self.probe_writes())
    }

    #[cfg(feature = "metrics")]
    fn pools(&self) -> Vec<PoolStats> {
        let pool = PoolStats::of("all", &self.idle_pool.pool);
        vec![pool.excluding(self.idle_pool.idle_count())]
    }
}
