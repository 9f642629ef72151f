//! The middleware that limits the time of each request and counts it in the metrics.

#[cfg(feature = "metrics")]
use std::sync::Arc;
use std::time::Duration;
#[cfg(feature = "metrics")]
use std::time::Instant;

#[cfg(feature = "metrics")]
use axum::extract::Request;
use axum::http::Method;
use axum::response::{IntoResponse as _, Response};
use resource_model::error::ErrorCode;
use tokio::time::timeout;

use crate::failure::Failure;
#[cfg(feature = "metrics")]
use crate::metrics::{EndpointSlot, Metrics};

/// The time limit and the metrics of an API, as they hold for each request.
#[derive(Debug, Clone, Default)]
pub(crate) struct RequestMiddleware {
    /// The time within which a response must begin.
    pub(crate) timeout: Option<Duration>,
    #[cfg(feature = "metrics")]
    pub(crate) metrics: Option<Arc<Metrics>>,
}

impl RequestMiddleware {
    /// The response of `handler`, or a refusal once the time limit has passed.
    pub(crate) async fn with_timeout(
        &self,
        method: Method,
        handler: impl Future<Output = Response>,
    ) -> Response {
        let Some(limit) = self.timeout else {
            return handler.await;
        };
        // The timeout drops the handler, and so cancels its queries; a write with hooks goes on in its task.
        timeout(limit, handler).await.unwrap_or_else(|_| {
            tracing::warn!(?limit, "the request took longer than it may");
            late(&method).into_response()
        })
    }

    /// The response of `handler`, counted for the operation that its handler names.
    #[cfg(feature = "metrics")]
    pub(crate) async fn counted<F: Future<Output = Response>>(
        &self,
        mut request: Request,
        handler: impl FnOnce(Request) -> F,
    ) -> Response {
        let Some(metrics) = &self.metrics else {
            return handler(request).await;
        };
        let (method, started) = (request.method().clone(), Instant::now());
        // A guard, so that a client that disconnects, which drops this future, is no
        // longer counted as in flight.
        let _in_flight = metrics.enter();
        // The handler alone knows its operation; it writes to a clone of this slot within the request.
        let slot = EndpointSlot::default();
        request.extensions_mut().insert(slot.clone());
        let response = handler(request).await;
        let status = response.status().as_u16();
        metrics.observe(slot.named(), &method, status, started.elapsed());
        response
    }
}

/// The refusal after a timeout. A write may have been done already, where only its response was late.
fn late(method: &Method) -> Failure {
    let description = if method.is_safe() {
        "the request took too long; try again later"
    } else {
        "the request took too long, and may have changed something or not; look before you try \
         again"
    };
    Failure::refused(ErrorCode::Unavailable, description)
}
