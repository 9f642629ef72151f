//! What a service counts and measures, for Prometheus. Labels are words of definitions, never of
//! requests: a client cannot make more of them.

mod endpoint;
mod pools;

use std::sync::Arc;
use std::time::Duration;

use prometheus_client::encoding::text::encode;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::metrics::info::Info;
use prometheus_client::registry::{Registry, Unit};
use resource_model::error::DatabaseFailure;
use resource_model::schema::ResourceDefinition;

use crate::store::Database;
use endpoint::{Answered, Asked};
pub(crate) use endpoint::{Endpoint, EndpointSlot, Endpoints};
use pools::Pools;

/// Seconds, from what a read of one item takes to what nobody waits for.
const BUCKETS: [f64; 12] = [
    0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1.0, 2.5, 10.0,
];

type Durations = Family<Asked, Histogram, fn() -> Histogram>;
type Requests = Family<Answered, prometheus_client::metrics::counter::Counter>;

/// What an API counts and measures.
#[derive(Debug)]
pub(crate) struct Metrics {
    registry: Registry,
    requests: Requests,
    durations: Durations,
    in_flight: Gauge,
    /// Requests that no operation answers: for the index, for pages, for what is not there.
    other: Arc<Endpoint>,
}

impl Metrics {
    pub(crate) fn new(database: &Database) -> Self {
        let requests = Requests::default();
        let durations = Durations::new_with_constructor(|| Histogram::new(BUCKETS));
        let in_flight = Gauge::default();
        let mut registry = Registry::default();
        let help = "Requests that were answered";
        registry.register("http_requests", help, requests.clone());
        let help = "How long requests took, from their head to the head of their answer";
        let unit = Unit::Seconds;
        registry.register_with_unit("http_request_duration", help, unit, durations.clone());
        let help = "Requests that are not answered yet";
        registry.register("http_requests_in_flight", help, in_flight.clone());
        let build = Info::new(vec![("version", env!("CARGO_PKG_VERSION"))]);
        registry.register(
            "resource_runtime_build",
            "What the service is built with",
            build,
        );
        registry.register_collector(Box::new(Pools(database.clone())));
        let other = Arc::new(Endpoint::new(Asked::other(), &requests, &durations));
        Self {
            registry,
            requests,
            durations,
            in_flight,
            other,
        }
    }

    /// What counts the requests for a resource.
    pub(crate) fn endpoints(&self, definition: &'static ResourceDefinition) -> Endpoints {
        Endpoints::new(definition, |asked| {
            Endpoint::new(asked, &self.requests, &self.durations)
        })
    }

    /// Counts a request that is in flight until what is answered is dropped.
    pub(crate) fn enter(&self) -> InFlight {
        self.in_flight.inc();
        InFlight(self.in_flight.clone())
    }

    /// Counts a request that was answered by `endpoint`, or by nothing that is an operation.
    pub(crate) fn count(&self, endpoint: Option<&Endpoint>, status: u16, took: Duration) {
        endpoint.unwrap_or(&self.other).count(status, took);
    }

    /// Everything as text, in the format of OpenMetrics.
    pub(crate) fn text(&self) -> Result<String, DatabaseFailure> {
        let mut text = String::new();
        encode(&mut text, &self.registry).map_err(DatabaseFailure::unexpected)?;
        Ok(text)
    }
}

/// A request in flight. It may also be abandoned, which is no answer.
#[derive(Debug)]
pub(crate) struct InFlight(Gauge);

impl Drop for InFlight {
    fn drop(&mut self) {
        self.0.dec();
    }
}
