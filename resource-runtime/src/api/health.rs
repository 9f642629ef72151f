//! Liveness and readiness checks, for load balancers and orchestrators.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use axum::Router;
use axum::http::Extensions;
use axum::routing::get;
use resource_model::error::DatabaseResult;
use resource_model::schema::{Operation, ResourceDefinition};
use resource_server::Draining;
use tokio::sync::Mutex;
use tokio::time::{Instant, timeout};

use super::Api;
use crate::http::Mount;
use crate::http::respond::{self, Check};

/// The timeout of each question to the database. Orchestrators as a rule wait a second for an answer.
const IN_TIME: Duration = Duration::from_millis(800);

/// The time for which the last result is repeated: anybody may ask all the time, and must not keep the
/// database busy.
const REPEATED: Duration = Duration::from_millis(250);

/// The last known readiness of a service.
#[derive(Debug, Default)]
pub(crate) struct Readiness {
    /// True once the tables were found to be as the definitions need them.
    schema_fits: AtomicBool,
    /// The last result, locked while the database is asked, so that one question serves all who ask
    /// meanwhile.
    asked: Mutex<Option<(Instant, [Check; 2])>>,
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
        let api = self.clone();
        let ready = async move |extensions: Extensions| {
            let is_draining = extensions.get::<Draining>().is_some();
            respond::readiness(is_draining, &api.checks().await)
        };
        Router::new()
            .route("/livez", get(async || respond::alive()))
            .route("/readyz", get(ready))
    }

    async fn checks(&self) -> [Check; 2] {
        let mut asked = self.readiness.asked.lock().await;
        if let Some((at, checks)) = *asked
            && at.elapsed() < REPEATED
        {
            return checks;
        }
        let checks = self.ask().await;
        *asked = Some((Instant::now(), checks));
        checks
    }

    async fn ask(&self) -> [Check; 2] {
        let answers = with_timeout(self.database.ping()).await.is_some();
        let schema = answers && self.schema_fits().await;
        let database = answers
            && (!self.writes() || with_timeout(self.database.takes_writes()).await.is_some());
        [("database", database), ("schema", schema)].map(|(name, passes)| Check { name, passes })
    }

    /// Tells that some operation writes: a service of reads alone may well run on a standby.
    fn writes(&self) -> bool {
        let definitions = self.mounts.iter().map(Mount::definition);
        let mut offered = definitions.flat_map(ResourceDefinition::offered_operations);
        offered.any(|it| !matches!(it, Operation::List | Operation::Retrieve))
    }

    /// Tells that the tables fit the definitions. A good result is kept; otherwise they are compared again,
    /// as a migration may have mended them.
    async fn schema_fits(&self) -> bool {
        if self.readiness.schema_fits.load(Ordering::Relaxed) {
            return true;
        }
        let comparison = with_timeout(self.compare_schema()).await;
        let fits = comparison.is_some_and(|comparison| comparison.fatal.is_empty());
        self.readiness.note_schema(fits);
        fits
    }
}

async fn with_timeout<T>(question: impl Future<Output = DatabaseResult<T>>) -> Option<T> {
    match timeout(IN_TIME, question).await {
        Ok(Ok(answer)) => Some(answer),
        Ok(Err(cause)) => {
            tracing::warn!(%cause, "the service is not ready: the database failed");
            None
        }
        Err(_) => {
            tracing::warn!("the service is not ready: the database did not answer in time");
            None
        }
    }
}
