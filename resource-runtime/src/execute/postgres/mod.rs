//! PostgreSQL: a pool of connections, each statement prepared once on each of them.

mod arguments;
mod connect;
mod decode;
mod failure;
mod faults;
mod lease;
mod pool;
mod pooler;
mod reading;
mod row;
mod server;
mod session;
mod stored;
mod transaction;
mod watch;

use std::time::Duration;

use sqlx::PgPool;

use super::DatabaseOptions;
#[cfg(feature = "metrics")]
use super::PoolUse;
use crate::error::DatabaseFailure;
pub(super) use stored::stored_tables;
pub(crate) use transaction::PostgresTransaction;
use watch::Watch;

/// Clones share the connections.
#[derive(Debug, Clone)]
pub(super) struct PostgresDatabase {
    pool: PgPool,
    watch: Watch,
    acquire_timeout: Duration,
}

impl PostgresDatabase {
    #[cfg(feature = "metrics")]
    pub(super) fn pool_use(&self) -> PoolUse {
        PoolUse::of("all", &self.pool)
    }

    /// The same, where the server may be silent for as long as it works.
    pub(super) fn patient(&self) -> Self {
        let mut patient = self.clone();
        patient.watch.limit = None;
        patient
    }
}

/// The failure that an error of the driver stands for.
pub(super) fn failure(error: &sqlx::Error) -> DatabaseFailure {
    failure::of(error)
}
