//! Liveness and readiness checks, for load balancers and orchestrators.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use axum::Router;
use axum::http::Extensions;
use axum::routing::get;
use resource_model::error::DatabaseResult;
use resource_model::schema::ResourceDefinition;
use resource_server::Draining;
use tokio::sync::Mutex;
use tokio::time::{Instant, timeout};

use super::Api;
use crate::http::Mount;
use crate::http::respond::{self, Check};

/// Timeout of each query of a probe. Orchestrators usually wait a second for the response.
const PROBE_TIMEOUT: Duration = Duration::from_millis(800);

/// The time for which a result is cached: anybody may send probes, and must not keep the database busy with
/// them.
const RESULT_LIFETIME: Duration = Duration::from_millis(250);

/// The last known readiness of a service.
#[derive(Debug, Default)]
pub(crate) struct Readiness {
    /// True once the tables were found to be as the definitions need them.
    schema_fits: AtomicBool,
    /// The last result with its time. It is locked while the checks run, so that concurrent probes share one
    /// run.
    last_result: Mutex<Option<(Instant, [Check; 2])>>,
}

impl Readiness {
    pub(super) fn note_schema(&self, fits: bool) {
        // No other memory depends on the flag, so `Relaxed` is enough.
        self.schema_fits.store(fits, Ordering::Relaxed);
    }
}

impl Api {
    /// The routes of liveness and readiness.
    pub(super) fn health(&self) -> Router {
        // The handler owns a clone, which shares the cached result with all others.
        let api = self.clone();
        let ready = async move |extensions: Extensions| {
            // The server marks requests once it is asked to stop.
            let is_draining = extensions.get::<Draining>().is_some();
            respond::readiness(is_draining, &api.checks().await)
        };
        Router::new()
            // Liveness asks nothing: a restart of the process would not bring a lost database back.
            .route("/livez", get(async || respond::alive()))
            .route("/readyz", get(ready))
    }

    async fn checks(&self) -> [Check; 2] {
        // The lock of tokio, as it is held while the database is queried.
        let mut last_result = self.parts.readiness.last_result.lock().await;
        if let Some((at, checks)) = *last_result
            && at.elapsed() < RESULT_LIFETIME
        {
            return checks;
        }
        let checks = self.run_checks().await;
        // The time at the end of the checks: slow ones would otherwise be outdated at once.
        *last_result = Some((Instant::now(), checks));
        checks
    }

    async fn run_checks(&self) -> [Check; 2] {
        // The cheapest query comes first: if the database is away, the others would only wait for it, too.
        let driver = || self.parts.database.driver();
        let ping = with_timeout(async { driver()?.ping().await });
        let is_reachable = ping.await.is_some();
        let schema = is_reachable && self.schema_fits().await;
        // A database without writes fails the check of the database, as the schema may be in order.
        let takes_writes = with_timeout(async { driver()?.takes_writes().await });
        let database = is_reachable && (!self.writes() || takes_writes.await.is_some());
        [("database", database), ("schema", schema)]
    }

    /// Tests whether some operation writes. A service that only reads is ready on a standby, too.
    fn writes(&self) -> bool {
        let definitions = self.parts.mounts.iter().map(Mount::definition);
        let mut offered = definitions.flat_map(ResourceDefinition::offered_operations);
        offered.any(|it| !it.reads())
    }

    /// Tests whether the tables fit the definitions. Success is cached; after a failure they are compared again,
    /// since a migration may have fixed them.
    async fn schema_fits(&self) -> bool {
        if self.parts.readiness.schema_fits.load(Ordering::Relaxed) {
            return true;
        }
        let comparison = with_timeout(self.compare_schema()).await;
        let fits = comparison.is_some_and(|comparison| comparison.fatal.is_empty());
        self.parts.readiness.note_schema(fits);
        fits
    }
}

/// The result of a query, or `None` and a log line where it fails or takes too long.
async fn with_timeout<T>(query: impl Future<Output = DatabaseResult<T>>) -> Option<T> {
    // A failed probe is a result, not an error: the log tells the cause, the response only the check.
    match timeout(PROBE_TIMEOUT, query).await {
        Ok(Ok(result)) => Some(result),
        Ok(Err(cause)) => {
            tracing::warn!(%cause, "the service is not ready: the database failed");
            None
        }
        Err(_) => {
            tracing::warn!("the service is not ready: the database did not respond in time");
            None
        }
    }
}
