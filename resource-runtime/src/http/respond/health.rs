//! The answers of health checks: liveness and readiness.

use axum::body::Body;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use serde::{Serialize, Serializer};

use super::answer::json;
use super::error::RETRY_AFTER;

const NO_STORE: HeaderValue = HeaderValue::from_static("no-store");

/// A condition under which a service is ready.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Check {
    pub(crate) name: &'static str,
    pub(crate) passes: bool,
}

#[derive(Serialize)]
struct Readiness<'checks> {
    status: &'static str,
    checks: Checks<'checks>,
}

struct Checks<'checks>(&'checks [Check]);

impl Serialize for Checks<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let word = |check: &Check| if check.passes { "ok" } else { "failing" };
        serializer.collect_map(self.0.iter().map(|check| (check.name, word(check))))
    }
}

/// The answer of the liveness check: the process runs.
pub(crate) fn alive() -> Response {
    uncached("ok".into_response())
}

/// The answer of the readiness check, with the result of each condition.
pub(crate) fn readiness(is_draining: bool, checks: &[Check]) -> Response {
    let is_ready = !is_draining && checks.iter().all(|check| check.passes);
    let status = match (is_ready, is_draining) {
        (true, _) => "ready",
        (false, true) => "draining",
        (false, false) => "unavailable",
    };
    let readiness = Readiness {
        status,
        checks: Checks(checks),
    };
    let body = serde_json::to_vec(&readiness).unwrap_or_default();
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
