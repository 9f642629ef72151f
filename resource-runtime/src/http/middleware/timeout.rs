//! The time limit of each request, which the middleware `finish` applies.

#[cfg(feature = "metrics")]
use std::sync::Arc;
use std::time::Duration;

use axum::http::Method;
use axum::response::{IntoResponse as _, Response};
use resource_model::error::ErrorCode;
use tokio::time::timeout;

use crate::failure::Failure;
#[cfg(feature = "metrics")]
use crate::metrics::Metrics;

/// The time limit and the metrics of an API, as they hold for each request.
#[derive(Debug, Clone, Default)]
pub(crate) struct RequestSettings {
    /// The time within which a response must begin.
    pub(crate) timeout: Option<Duration>,
    #[cfg(feature = "metrics")]
    pub(crate) metrics: Option<Arc<Metrics>>,
}

impl RequestSettings {
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
