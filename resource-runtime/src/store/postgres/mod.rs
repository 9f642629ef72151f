//! PostgreSQL: a pool of connections, each statement prepared once on each of them.

mod connect;
mod decode;
pub(super) mod failure;
mod given_up;
mod introspection;
mod lease;
mod limits;
mod lists;
mod places;
mod pool;
mod reading;
mod retry;
mod row;
mod session;
mod transaction;
mod watch;

use std::sync::Arc;
use std::time::Duration;

use resource_model::schema::{Identifier, StoredTable, Table};
use resource_sql::{self, Dialect, PageQuery, Statement};

#[cfg(feature = "metrics")]
use super::PoolStats;
use super::driver::{Asked, Driver, DriverTransaction, Isolation, Visited, Visitors};
use super::state::State;
use super::{DatabaseOptions, Diverting};
use limits::Limits;
use lists::{Flights, Totals};
use places::Places;
use transaction::{BEGIN_READ_COMMITTED, BEGIN_SERIALIZABLE, PostgresTransaction, query};
use watch::Watch;

/// Clones share the connections.
#[derive(Debug, Clone)]
pub(super) struct PostgresDatabase {
    places: Arc<Places>,
    flights: Arc<Flights>,
    totals: Arc<Totals>,
    watch: Watch,
    limits: Limits,
    acquire_timeout: Duration,
}

impl PostgresDatabase {
    /// The same, where the server may be silent for as long as it works.
    fn patient(&self) -> Self {
        let mut patient = self.clone();
        patient.watch.limit = None;
        patient
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
                Isolation::WithoutTimeout => (self.patient(), BEGIN_READ_COMMITTED),
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
        Box::pin(self.try_out_writing())
    }

    #[cfg(feature = "metrics")]
    fn pools(&self) -> Vec<PoolStats> {
        let pool = PoolStats::of("all", &self.places.pool);
        vec![pool.excluding(self.places.resting_count())]
    }
}
