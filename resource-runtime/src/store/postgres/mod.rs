//! PostgreSQL: a pool of connections, each statement prepared once on each of them.

mod connect;
mod decode;
mod diverted;
mod driver;
mod failure;
mod given_up;
mod lease;
mod limits;
mod lists;
mod places;
mod pool;
mod reading;
mod retry;
mod row;
mod server;
mod session;
mod stored;
mod transaction;
mod watch;

use std::sync::Arc;
use std::time::Duration;

use resource_model::error::DatabaseFailure;

use super::DatabaseOptions;
#[cfg(feature = "metrics")]
use super::PoolUse;
use limits::Limits;
use lists::{Flights, Totals};
use places::Places;
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
    #[cfg(feature = "metrics")]
    fn pool_use(&self) -> PoolUse {
        let pool = PoolUse::of("all", &self.places.pool);
        pool.but_for(self.places.resting_count())
    }

    /// The same, where the server may be silent for as long as it works.
    fn patient(&self) -> Self {
        let mut patient = self.clone();
        patient.watch.limit = None;
        patient
    }
}

/// The failure that an error of the developer's own SQL stands for.
pub(super) fn failure(error: &sqlx::Error) -> DatabaseFailure {
    failure::of_developer(error)
}
