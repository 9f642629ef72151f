//! The route that serves the metrics of an API.

use axum::Router;
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse as _, Response};
use axum::routing::get;

use super::Api;
use crate::failure::Failure;
use crate::http::middleware::{Caching, MiddlewareSettings, VariesBy};
use crate::http::with_middleware;
use crate::metrics::Metrics;

const OPEN_METRICS: HeaderValue =
    HeaderValue::from_static("application/openmetrics-text; version=1.0.0; charset=utf-8");

/// The place at which the metrics are served.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum MetricsPlace {
    #[default]
    Nowhere,
    WithTheApi,
    Elsewhere,
}

impl Api {
    /// The route `/metrics`, to be served on a listener of its own, out of reach of clients; see
    /// [`ApiBuilder::separate_metrics`](crate::ApiBuilder::separate_metrics). Without any setting of
    /// metrics the router has no route.
    pub fn metrics_router(&self) -> Router {
        // Responses outside of the API differ by nothing but `Accept`, and a stored measurement is of no use.
        let caching = Caching::none(VariesBy::default());
        let settings = MiddlewareSettings::new(self.parts.settings.base_url.clone(), caching);
        with_middleware(self.metrics_route(), settings)
    }

    /// The route `/metrics`, where metrics are kept.
    pub(super) fn metrics_route(&self) -> Router {
        // Without metrics the path is not served, and is a 404 like any other.
        let Some(metrics) = self.parts.metrics.clone() else {
            return Router::new();
        };
        Router::new().route("/metrics", get(async move || response(&metrics)))
    }
}

fn response(metrics: &Metrics) -> Result<Response, Failure> {
    // A measurement is outdated with the next request.
    let no_store = HeaderValue::from_static("no-store");
    let headers = [
        (header::CONTENT_TYPE, OPEN_METRICS),
        // Set here, too, because below the API the cache headers of its other responses would apply.
        (header::CACHE_CONTROL, no_store),
    ];
    Ok((headers, metrics.text()?).into_response())
}
