//! The time limit of each request, which the middleware `finish` applies.

use std::time::Duration;

use axum::http::Method;
use axum::response::{IntoResponse as _, Response};
use futures_util::FutureExt as _;
use futures_util::future::Either;
use resource_model::error::ErrorCode;
use tokio::time::timeout;

use crate::failure::Failure;

/// The response of `handler`, or a refusal once the time limit has passed.
pub(super) fn with_timeout(
    limit: Option<Duration>,
    method: Method,
    handler: impl Future<Output = Response>,
) -> impl Future<Output = Response> {
    let Some(limit) = limit else {
        return Either::Left(handler);
    };
    // The timeout drops the handler, and so cancels its queries; a write with hooks goes on in its task.
    let limited = timeout(limit, handler).map(move |response| {
        response.unwrap_or_else(|_| {
            tracing::warn!(?limit, "the request took longer than it may");
            late(&method).into_response()
        })
    });
    Either::Right(limited)
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
