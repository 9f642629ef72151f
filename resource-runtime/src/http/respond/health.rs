//! The responses of health checks: liveness and readiness.

use std::collections::BTreeMap;

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;

use super::response::json;

const NO_STORE: HeaderValue = HeaderValue::from_static("no-store");

/// The name of a condition under which a service is ready, and whether it is met.
pub(crate) type Check = (&'static str, bool);

#[derive(Serialize)]
struct Readiness {
    status: &'static str,
    checks: BTreeMap<&'static str, &'static str>,
}

/// The response of the liveness check: the process runs.
pub(crate) fn alive() -> Response {
    uncached("ok")
}

/// The response of the readiness check, with the result of each condition.
pub(crate) fn readiness(is_draining: bool, checks: &[Check]) -> Response {
    // While draining, the service still answers requests, but load balancers should send no new ones.
    let is_ready = !is_draining && checks.iter().all(|(_, is_met)| *is_met);
    let status = match (is_ready, is_draining) {
        (true, _) => "ready",
        (false, true) => "draining",
        (false, false) => "unavailable",
    };
    let word = |is_met| if is_met { "ok" } else { "failing" };
    let checks = checks.iter().map(|it| (it.0, word(it.1))).collect();
    // Texts always serialize, so the default never applies.
    let body = serde_json::to_vec(&Readiness { status, checks }).unwrap_or_default();
    if is_ready {
        return uncached(json(body));
    }
    // Checks fail for short times, so their clients may ask again soon.
    let retry_after = [(header::RETRY_AFTER, HeaderValue::from_static("1"))];
    uncached((StatusCode::SERVICE_UNAVAILABLE, retry_after, json(body)))
}

fn uncached(response: impl IntoResponse) -> Response {
    // A stored result would hide that the service has failed, or is ready again.
    ([(header::CACHE_CONTROL, NO_STORE)], response).into_response()
}
