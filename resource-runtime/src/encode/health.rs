use axum::body::Body;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use serde_json::{Map, Value, json};

use super::answer::json;
use super::error::RETRY_AFTER;

const NO_STORE: HeaderValue = HeaderValue::from_static("no-store");

/// One thing that a service needs to be ready.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Check {
    pub(crate) name: &'static str,
    pub(crate) passes: bool,
}

/// The process runs.
pub(crate) fn alive() -> Response {
    uncached("ok".into_response())
}

/// Whether the service is ready, and what of it is not.
pub(crate) fn readiness(is_draining: bool, checks: &[Check]) -> Response {
    let is_ready = !is_draining && checks.iter().all(|check| check.passes);
    let status = match (is_ready, is_draining) {
        (true, _) => "ready",
        (false, true) => "draining",
        (false, false) => "unavailable",
    };
    let word = |check: &Check| if check.passes { "ok" } else { "failing" };
    let checks = checks.iter();
    let checks: Map<String, Value> = checks
        .map(|check| (check.name.to_owned(), word(check).into()))
        .collect();
    let body = json!({"status": status, "checks": checks}).to_string();
    let mut response = json(Body::from(body));
    if !is_ready {
        *response.status_mut() = StatusCode::SERVICE_UNAVAILABLE;
        response
            .headers_mut()
            .insert(header::RETRY_AFTER, RETRY_AFTER);
    }
    uncached(response)
}

fn uncached(mut response: Response) -> Response {
    response
        .headers_mut()
        .insert(header::CACHE_CONTROL, NO_STORE);
    response
}
