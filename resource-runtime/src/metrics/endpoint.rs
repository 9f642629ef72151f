//! Metrics of an endpoint: an operation of one version of a resource.

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::histogram::Histogram;
use resource_model::schema::{Operation, ResourceDefinition};

use super::{Durations, Requests};

/// The statuses whose counters are at hand; others are looked up.
const USUAL: [u16; 13] = [
    200, 201, 204, 400, 401, 403, 404, 405, 406, 413, 415, 500, 503,
];

/// The counters of one operation of one version of a resource.
#[derive(Debug)]
pub(crate) struct Endpoint {
    asked: Asked,
    requests: Requests,
    usual: [OnceLock<Counter>; USUAL.len()],
    durations: Histogram,
}

impl Endpoint {
    pub(super) fn new(asked: Asked, requests: &Requests, durations: &Durations) -> Self {
        Self {
            durations: durations.get_or_create_owned(&asked),
            asked,
            requests: requests.clone(),
            usual: [const { OnceLock::new() }; USUAL.len()],
        }
    }

    pub(super) fn count(&self, status: u16, took: Duration) {
        self.durations.observe(took.as_secs_f64());
        let place = USUAL.iter().position(|usual| *usual == status);
        match place.and_then(|place| self.usual.get(place)) {
            // Made on first use: a status that never occurs should not appear among the metrics.
            Some(counter) => counter.get_or_init(|| self.counter(status)).inc(),
            None => self.counter(status).inc(),
        };
    }

    fn counter(&self, status: u16) -> Counter {
        let asked = self.asked.clone();
        self.requests
            .get_or_create_owned(&Answered { asked, status })
    }
}

/// The place in the extensions of a request where its handler names the endpoint: the layer around all routes
/// counts also a request that was given up half-way.
#[derive(Debug, Clone, Default)]
pub(crate) struct EndpointSlot(Arc<OnceLock<Arc<Endpoint>>>);

impl EndpointSlot {
    pub(crate) fn name(&self, endpoint: &Arc<Endpoint>) {
        self.0.get_or_init(|| Arc::clone(endpoint));
    }

    pub(crate) fn named(&self) -> Option<&Endpoint> {
        self.0.get().map(|endpoint| &**endpoint)
    }
}

/// An endpoint for each operation that a resource offers.
#[derive(Debug)]
pub(crate) struct Endpoints(pub(super) Vec<(Operation, Arc<Endpoint>)>);

impl Endpoints {
    pub(crate) fn of(&self, operation: Operation) -> Option<&Arc<Endpoint>> {
        let mut endpoints = self.0.iter();
        let found = endpoints.find(|(known, _)| *known == operation);
        found.map(|(_, endpoint)| endpoint)
    }
}

/// The label of requests for no operation of a resource.
const NONE: &str = "none";

/// Labels of a request: the operation, the resource and its version.
#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
pub(super) struct Asked {
    operation: &'static str,
    resource: &'static str,
    version: Arc<str>,
}

/// Labels of an answered request: those of the request, and the status.
#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
pub(super) struct Answered {
    #[prometheus(flatten)]
    asked: Asked,
    status: u16,
}

impl Asked {
    pub(super) fn of(definition: &ResourceDefinition, operation: Operation) -> Self {
        Self {
            operation: operation.name(),
            resource: definition.name(),
            version: definition.version().to_string().into(),
        }
    }

    pub(super) fn other() -> Self {
        Self {
            operation: NONE,
            resource: NONE,
            version: NONE.into(),
        }
    }
}
