//! The PostgreSQL driver: a pool of connections, each of which keeps its statements prepared.

mod arguments;
mod cancelled;
mod connect;
mod connection_pool;
mod decode;
pub(super) mod failure;
mod hosts;
mod introspection;
mod last_fault;
mod lease;
mod limits;
mod lists;
mod pipeline;
mod queries;
mod remedy;
mod retry;
mod row;
mod session;
mod statement_timeout;
mod transaction;

use std::sync::Arc;
use std::time::Duration;

use resource_model::schema::{Identifier, StoredTable, Table};
use resource_sql::{self, Dialect, PageQuery, Statement};

#[cfg(feature = "metrics")]
use super::PoolStats;
use super::driver::{
    DbFuture, Driver, DriverTransaction, Isolation, ReadKind, TransactionKind, Visited, Visitors,
};
use super::transaction_state::TransactionState;
use super::{DatabaseOptions, DivertedWrites};
use connection_pool::{ConnectionPool, Purpose};
use limits::TransactionLimits;
use lists::{Flights, Totals};
use pipeline::Pipelines;
use statement_timeout::StatementTimeout;
use transaction::{BEGIN_READ_COMMITTED, BEGIN_SERIALIZABLE, BEGIN_SNAPSHOT, PostgresTransaction};

/// The driver of one PostgreSQL database; clones share its connections.
#[derive(Debug, Clone)]
pub(super) struct PostgresDatabase {
    connection_pool: Arc<ConnectionPool>,
    pipelines: Arc<Pipelines>,
    flights: Arc<Flights>,
    totals: Arc<Totals>,
    timeout: StatementTimeout,
    /// Limits that each transaction sets itself, where a pooler does not pass them on to the server.
    limits: TransactionLimits,
    acquire_timeout: Duration,
}

impl Driver for PostgresDatabase {
    fn dialect(&self) -> Dialect {
        Dialect::Postgres
    }

    fn read(
        &self,
        statement: Statement,
        kind: ReadKind,
        visitors: Visitors,
    ) -> DbFuture<'_, Visited> {
        Box::pin(self.lend_rows(statement, kind, visitors))
    }

    fn page(self: Arc<Self>, page: PageQuery, visitors: Visitors) -> DbFuture<'static, Visited> {
        Box::pin(async move { self.read_page(page, visitors).await })
    }

    fn begin(&self, kind: TransactionKind) -> DbFuture<'_, Box<dyn DriverTransaction>> {
        Box::pin(async move {
            let (command, purpose) = match kind {
                TransactionKind::Write(Isolation::ReadCommitted)
                | TransactionKind::SchemaChange => (BEGIN_READ_COMMITTED, Purpose::Write),
                TransactionKind::Write(Isolation::Serializable) => {
                    (BEGIN_SERIALIZABLE, Purpose::Write)
                }
                // It may be as long as a list, and leaves connections to short reads.
                TransactionKind::Snapshot => (BEGIN_SNAPSHOT, Purpose::List),
            };
            let mut database = self.clone();
            if kind == TransactionKind::SchemaChange {
                // The client's timeout alone: a change of the schema lifts the server's by `SET LOCAL`.
                database.timeout.limit = None;
            }
            let lease = database.begin_transaction(command, purpose).await?;
            let state = TransactionState::Begun(lease);
            Ok(PostgresTransaction::boxed(database, state))
        })
    }

    fn begin_single(&self) -> Box<dyn DriverTransaction> {
        PostgresTransaction::boxed(self.clone(), TransactionState::Single)
    }

    #[cfg(feature = "catalogue")]
    fn table_names(&self) -> DbFuture<'_, Vec<String>> {
        Box::pin(self.read_table_names())
    }

    fn stored_tables<'a>(&'a self, tables: &'a [Table]) -> DbFuture<'a, Vec<Option<StoredTable>>> {
        Box::pin(self.read_stored_tables(tables))
    }

    fn diverted_writes(&self, table: Identifier) -> DbFuture<'_, DivertedWrites> {
        Box::pin(self.read_triggers(table))
    }

    fn ping(&self) -> DbFuture<'_, ()> {
        // Through the pool like a request: a readiness probe also fails while the pool is exhausted.
        let ping = resource_sql::ping(Dialect::Postgres);
        Box::pin(async move { self.first_row(|| transaction::query(&ping)).await.map(drop) })
    }

    fn takes_writes(&self) -> DbFuture<'_, ()> {
        Box::pin(self.probe_writes())
    }

    #[cfg(feature = "metrics")]
    fn pools(&self) -> Vec<PoolStats> {
        vec![self.connection_pool.stats(), self.pipelines.stats()]
    }
}
