//! Metrics of a service, for Prometheus; labels are words of definitions, so that no client can add any.

mod endpoint;
mod pools;

use std::sync::Arc;
use std::time::Duration;

use prometheus_client::encoding::text::encode;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::metrics::info::Info;
use prometheus_client::registry::{Registry, Unit};
use resource_model::error::{DatabaseFailure, DatabaseResult};
use resource_model::schema::ResourceDefinition;

use crate::store::Database;
use endpoint::{Answered, Asked};
pub(crate) use endpoint::{Endpoint, EndpointSlot, Endpoints};
use pools::Pools;

/// Buckets in seconds, from the duration of reading one item to one for which nobody waits.
const BUCKETS: [f64; 12] = [
    0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1.0, 2.5, 10.0,
];

type Durations = Family<Asked, Histogram, fn() -> Histogram>;
type Requests = Family<Answered, Counter>;

/// The metrics of an API: numbers and durations of requests, and those in flight.
#[derive(Debug)]
pub(crate) struct Metrics {
    registry: Registry,
    requests: Requests,
    durations: Durations,
    in_flight: Gauge,
    /// Counters of requests that no operation answers: for the index, for pages, for unknown paths.
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
        let help = "What the service is built with";
        registry.register("resource_runtime_build", help, build);
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

    /// The counters of a resource's operations.
    pub(crate) fn endpoints(&self, definition: &'static ResourceDefinition) -> Endpoints {
        let offered = definition.offered_operations().iter();
        let endpoints = offered.map(|operation| {
            let asked = Asked::of(definition, *operation);
            let endpoint = Endpoint::new(asked, &self.requests, &self.durations);
            (*operation, Arc::new(endpoint))
        });
        Endpoints(endpoints.collect())
    }

    /// Counts a request as in flight until the returned guard is dropped.
    pub(crate) fn enter(&self) -> InFlight {
        self.in_flight.inc();
        InFlight(self.in_flight.clone())
    }

    /// Counts a request that was answered by `endpoint`, or by no operation.
    pub(crate) fn count(&self, endpoint: Option<&Endpoint>, status: u16, took: Duration) {
        endpoint.unwrap_or(&self.other).count(status, took);
    }

    /// All metrics as text, in the format of OpenMetrics.
    pub(crate) fn text(&self) -> DatabaseResult<String> {
        let mut text = String::new();
        encode(&mut text, &self.registry).map_err(DatabaseFailure::internal)?;
        Ok(text)
    }
}

/// Guard of a request in flight, which also ends where the request is abandoned without an answer.
#[derive(Debug)]
pub(crate) struct InFlight(Gauge);

impl Drop for InFlight {
    fn drop(&mut self) {
        self.0.dec();
    }
}
