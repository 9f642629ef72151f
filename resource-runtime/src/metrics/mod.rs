//! Metrics of a service for Prometheus, named by the semantic conventions of OpenTelemetry. Label values are words
//! of definitions, so that no client can add any.

mod endpoint;
mod pools;

use std::sync::Arc;
use std::time::Duration;

use axum::http::Method;
use axum::http::request::Parts;
use prometheus_client::encoding::text::encode;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::metrics::info::Info;
use prometheus_client::registry::{Registry, Unit};
use resource_model::error::{DatabaseFailure, DatabaseResult};
use resource_model::schema::{ResourceDefinition, Routes};

use crate::store::Database;
pub(crate) use endpoint::{Endpoint, EndpointSlot, Endpoints};
use endpoint::{Labels, StatusLabels};
use pools::Pools;

/// Upper bounds of the buckets in seconds: those that OpenTelemetry recommends are coarse below 5 ms, where most
/// requests end here.
const BUCKETS: [f64; 14] = [
    0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0,
];

/// Durations of requests by their labels and the status code of their response; their counts number the requests.
type Durations = Family<StatusLabels, Histogram, fn() -> Histogram>;

/// The metrics of an API: durations of requests, the requests in flight, and the connection pools.
#[derive(Debug)]
pub(crate) struct Metrics {
    registry: Registry,
    durations: Durations,
    /// The requests of deprecated versions.
    deprecated: Family<Labels, Counter>,
    in_flight: Gauge,
}

impl Metrics {
    pub(crate) fn new(database: &Database) -> Self {
        // Histograms are made by the family, one for each combination of labels.
        let durations = Durations::new_with_constructor(|| Histogram::new(BUCKETS));
        let in_flight = Gauge::default();
        let mut registry = Registry::default();
        // Names are those of OpenTelemetry, with underscores for dots; the unit is appended as `_seconds`.
        let name = "http_server_request_duration";
        let help = "Duration of requests, from their head to the head of their response";
        // The registry gets clones of the metrics, which share their values with those kept here.
        registry.register_with_unit(name, help, Unit::Seconds, durations.clone());
        let help = "Requests without a response yet";
        registry.register("http_server_active_requests", help, in_flight.clone());
        // The encoder appends `_total` to the name of a counter, and leaves out a family without any.
        let deprecated = Family::default();
        let help = "Requests for operations of deprecated versions";
        registry.register("deprecated_requests", help, deprecated.clone());
        // The version is a label of a constant, as is usual for builds in OpenMetrics.
        let build = Info::new(vec![("version", env!("CARGO_PKG_VERSION"))]);
        registry.register("resource_runtime_build", "Version of this library", build);
        // Pools are read when metrics are requested, so they cost nothing in between.
        registry.register_collector(Box::new(Pools(database.clone())));
        Self {
            registry,
            durations,
            deprecated,
            in_flight,
        }
    }

    /// The durations of a resource's operations, whose routes stand below `root`.
    pub(crate) fn endpoints(
        &self,
        definition: &'static ResourceDefinition,
        routes: &Routes,
        root: &str,
    ) -> Endpoints {
        let paths = routes.paths().flat_map(|(path, operations)| {
            // The label is the template with `{id}`: paths of requests would make a series for each item.
            let route = format!("{root}/{}{path}", routes.version());
            let methods = operations.iter();
            let methods = methods.flat_map(|it| it.methods().iter().map(|by| (*it, *by)));
            methods.map(move |(operation, method)| {
                let labels = Labels::of(definition, operation, method, &route);
                // Made now, so that an operation that nobody uses is told as 0.
                let deprecated = definition.deprecation();
                let deprecated = deprecated.map(|_| self.deprecated.get_or_create_owned(&labels));
                let endpoint = Endpoint::new(labels, &self.durations, deprecated);
                (operation, Arc::new(endpoint))
            })
        });
        Endpoints(paths.collect())
    }

    /// Counts a request as in flight until what is returned is dropped, as it is where the client disconnects.
    pub(crate) fn begin(&self, request: &mut Parts) -> Counted {
        self.in_flight.inc();
        // The handler alone knows its operation; it writes to a clone of this slot within the request.
        let slot = EndpointSlot::default();
        request.extensions.insert(slot.clone());
        Counted(self.in_flight.clone(), slot, request.method.clone())
    }

    /// Observes a request with a response of an operation, or of none: of the index, a page, an unknown path.
    pub(crate) fn observe(&self, request: &Counted, status: u16, took: Duration) {
        let Counted(_, slot, method) = request;
        match slot.named() {
            Some(endpoint) => endpoint.observe(status, took),
            // Such requests have no labels but the method, so no endpoint is kept for them.
            None => Labels::of_no_operation(method)
                .histogram(status, &self.durations)
                .observe(took.as_secs_f64()),
        }
    }

    /// All metrics as text, in the format of OpenMetrics.
    pub(crate) fn text(&self) -> DatabaseResult<String> {
        // The text fails only if a metric cannot be encoded, which is a defect.
        let mut text = String::new();
        encode(&mut text, &self.registry).map_err(DatabaseFailure::internal)?;
        Ok(text)
    }
}

/// A request that is counted in flight, until it ends or is cancelled, and its labels as far as they are known.
#[derive(Debug)]
pub(crate) struct Counted(Gauge, EndpointSlot, Method);

impl Drop for Counted {
    fn drop(&mut self) {
        self.0.dec();
    }
}
