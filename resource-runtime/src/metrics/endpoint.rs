//! Metrics of an endpoint: an operation of one version of a resource.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, OnceLock};
use std::time::Duration;

use axum::http::Method;
use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::histogram::Histogram;
use resource_model::schema::{Operation, ResourceDefinition};

use super::Durations;
use crate::conventions::{OTHER_METHOD, conventional_method};
use crate::locked::locked;

/// The durations of one operation of one version of a resource.
#[derive(Debug)]
pub(crate) struct Endpoint {
    labels: Labels,
    durations: Durations,
    /// The requests of a deprecated version.
    deprecated: Option<Counter>,
    /// At hand by the status code, as the family would hash all labels for each request.
    histograms: Mutex<BTreeMap<u16, Histogram>>,
}

impl Endpoint {
    pub(super) fn new(labels: Labels, durations: &Durations, deprecated: Option<Counter>) -> Self {
        Self {
            labels,
            durations: durations.clone(),
            deprecated,
            histograms: Mutex::default(),
        }
    }

    pub(super) fn observe(&self, status: u16, took: Duration) {
        let mut histograms = locked(&self.histograms);
        // Made on first use: a status code that never occurs should not appear among the metrics.
        let made = || self.labels.histogram(status, &self.durations);
        let histogram = histograms.entry(status).or_insert_with(made);
        histogram.observe(took.as_secs_f64());
        self.deprecated.as_ref().map(Counter::inc);
    }
}

/// The slot in the extensions of a request where its handler names the endpoint: the middleware also observes a
/// request whose handler was cancelled.
#[derive(Debug, Clone, Default)]
pub(crate) struct EndpointSlot(Arc<OnceLock<Arc<Endpoint>>>);

impl EndpointSlot {
    pub(crate) fn name(&self, endpoint: &Arc<Endpoint>) {
        // A request has one handler, so the slot is named once.
        self.0.get_or_init(|| Arc::clone(endpoint));
    }

    pub(super) fn named(&self) -> Option<&Endpoint> {
        self.0.get().map(|endpoint| &**endpoint)
    }
}

/// An endpoint for each operation that a resource offers, and each of its methods.
#[derive(Debug)]
pub(crate) struct Endpoints(pub(super) Vec<(Operation, Arc<Endpoint>)>);

impl Endpoints {
    pub(crate) fn of(&self, operation: Operation, method: &Method) -> Option<&Arc<Endpoint>> {
        let endpoints = self.0.iter();
        // A resource has at most six methods, so a search is as fast as a map.
        let of_operation = endpoints.filter(|(known, _)| *known == operation);
        let mut endpoints = of_operation.map(|(_, endpoint)| endpoint).peekable();
        let first = endpoints.peek().copied();
        // `HEAD` counts as the `GET` that it stands for.
        let by_method = endpoints.find(|it| it.labels.http_request_method == method.as_str());
        by_method.or(first)
    }
}

/// Labels of a request: those of OpenTelemetry, and the words of the definition. A request for no operation has
/// only a method.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash, EncodeLabelSet)]
pub(super) struct Labels {
    http_request_method: &'static str,
    http_route: Option<Arc<str>>,
    operation: Option<&'static str>,
    resource: Option<&'static str>,
    version: Option<Arc<str>>,
}

/// Labels of a request with a response.
#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
pub(super) struct StatusLabels {
    #[prometheus(flatten)]
    labels: Labels,
    http_response_status_code: u16,
}

impl Labels {
    /// The durations under these labels and a status code: the same histogram for equal labels.
    pub(super) fn histogram(&self, status: u16, durations: &Durations) -> Histogram {
        durations.get_or_create_owned(&StatusLabels {
            labels: self.clone(),
            http_response_status_code: status,
        })
    }

    pub(super) fn of(
        definition: &ResourceDefinition,
        operation: Operation,
        method: &'static str,
        route: &str,
    ) -> Self {
        Self {
            // All labels are constants of the definition, so their number is bounded.
            http_request_method: method,
            http_route: Some(route.into()),
            operation: Some(operation.name()),
            resource: Some(definition.name()),
            version: Some(definition.version().to_string().into()),
        }
    }

    /// Labels without a route.
    pub(super) fn of_no_operation(method: &Method) -> Self {
        Self {
            // A constant, so that the text of a client never becomes a label.
            http_request_method: conventional_method(method).unwrap_or(OTHER_METHOD),
            ..Self::default()
        }
    }
}
