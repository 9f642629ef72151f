use std::ops::{Deref, DerefMut};

use sqlx::pool::PoolConnection;
use sqlx::postgres::PgTransactionManager;
use sqlx::{PgConnection, Postgres, SqlSafeStr as _};
use sqlx_core::transaction::TransactionManager as _;
use tokio::runtime::Handle;
use tokio::time::timeout;

use super::watch::Watch;
use crate::error::DatabaseFailure;

/// A connection of the pool, lent for one request; what it has begun and not committed by its end
/// is rolled back.
///
/// Nobody else is lent its place before the server is done with what was abandoned half-way: it
/// would work for more sessions than it was told to expect. The pool itself would wait for that
/// without end, and a network that swallows packets would take the places one by one.
#[derive(Debug)]
pub(super) struct Lease {
    connection: PoolConnection<Postgres>,
    watch: Watch,
}

impl Lease {
    pub(super) fn new(connection: PoolConnection<Postgres>, watch: &Watch) -> Self {
        Self {
            connection,
            watch: watch.clone(),
        }
    }

    /// Begins a transaction, whether or not anyone still waits for it: abandoned half-way, the
    /// connection would be lent again within a transaction of which the driver does not know, and
    /// what others write by one statement would never be committed.
    pub(super) async fn begin(mut self, command: &'static str) -> Result<Self, DatabaseFailure> {
        let begun = tokio::spawn(async move {
            let command = Some(command.into_sql_str());
            let begun = PgTransactionManager::begin(&mut self.connection, command);
            self.watch.step(begun).await.map(|()| self)
        });
        begun.await.map_err(DatabaseFailure::unexpected)?
    }

    pub(super) async fn commit(mut self) -> Result<(), DatabaseFailure> {
        let committed = PgTransactionManager::commit(&mut self.connection);
        self.watch.commit(committed).await
    }
}

impl Deref for Lease {
    type Target = PgConnection;

    fn deref(&self) -> &PgConnection {
        &self.connection
    }
}

impl DerefMut for Lease {
    fn deref_mut(&mut self) -> &mut PgConnection {
        &mut self.connection
    }
}

impl Drop for Lease {
    fn drop(&mut self) {
        // Only noted down: it is sent with what brings the connection to rest.
        PgTransactionManager::start_rollback(&mut self.connection);
        let rest = self.connection.return_to_pool();
        // Where everything ends, so does the connection.
        let Ok(runtime) = Handle::try_current() else {
            return;
        };
        match self.watch.limit {
            Some(limit) => drop(runtime.spawn(timeout(limit, rest))),
            None => drop(runtime.spawn(rest)),
        }
    }
}
