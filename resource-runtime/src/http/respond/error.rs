//! Error responses: plain JSON, problem details, or the page of a failure.

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use axum::body::{Body, Bytes};
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use resource_model::error::{ApiError, DatabaseFailure, ErrorCode};
use serde::Serialize;

use super::html;
use crate::failure::Failure;
use crate::http::extract::ErrorForm;
use crate::locked::locked;

/// The time between two warnings that long responses are refused.
const WARNING_INTERVAL: Duration = Duration::from_mins(1);

/// The time of the last such warning.
static LAST_WARNING: Mutex<Option<Instant>> = Mutex::new(None);

/// The parts of a request on which its error response depends.
#[derive(Debug, Clone)]
pub(crate) struct ErrorContext {
    /// Base URL of the error pages: `<base>/errors/<code>`.
    pub(crate) base: String,
    pub(crate) request_id: String,
    /// True where the API has documentation pages.
    pub(crate) documented: bool,
    pub(crate) form: ErrorForm,
}

/// The error format of the API (see the guide `resource-runtime/docs/overview.md`).
#[derive(Serialize)]
#[allow(
    clippy::struct_field_names,
    reason = "the error format of the API (see `resource-runtime/docs/overview.md`) names the members so"
)]
struct ErrorBody<'error> {
    error_code: u16,
    error_description: &'error str,
    error_details: String,
}

/// Problem details (RFC 9457, section 3).
#[derive(Serialize)]
struct ProblemBody<'error> {
    r#type: String,
    title: &'static str,
    status: u16,
    detail: &'error str,
    error_code: u16,
    request_id: &'error str,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    errors: Vec<AttributeProblem<'error>>,
}

#[derive(Serialize)]
struct AttributeProblem<'error> {
    pointer: String,
    message: &'error str,
}

/// Carries the failure in an empty response to the middleware `finish`, which alone knows the request that
/// the error response must suit, and calls [`failure`].
impl IntoResponse for Failure {
    fn into_response(self) -> Response {
        // A placeholder: without the middleware, a failure is at least no success.
        let mut response = StatusCode::INTERNAL_SERVER_ERROR.into_response();
        // Nothing is retried from here on, so a retryable failure is final.
        response
            .extensions_mut()
            // Extensions have to be `Clone`, which a failure is not.
            .insert(Arc::new(self.exhausted_retries()));
        response
    }
}

/// The response to a failed request.
pub(crate) fn failure(failure: &Failure, context: &ErrorContext) -> Response {
    match failure {
        Failure::Refused(refused, _) if has_page(refused, context) => {
            html::refusal(refused, &context.base, context.documented)
        }
        Failure::Refused(refused, _) => error(refused, context).map(Body::from),
        Failure::Database(DatabaseFailure::Unavailable(_) | DatabaseFailure::Overloaded(_)) => {
            // Both promise that nothing was changed, so clients may repeat even a write.
            let description =
                "the service cannot carry this out now; nothing was changed, try again later";
            let refused = ApiError::new(ErrorCode::Unavailable, description);
            error(&refused, context).map(Body::from)
        }
        // After an unknown outcome the write may have been committed: the client gets a failure, the log says it.
        Failure::Database(_) | Failure::Internal(_) => html::server_error(&context.request_id),
    }
}

/// Tests whether a person sees this error, who followed a link or typed an address; other errors are those of programs.
fn has_page(refused: &ApiError, context: &ErrorContext) -> bool {
    let codes = [
        ErrorCode::UnknownPath,
        ErrorCode::MethodNotAllowed,
        ErrorCode::NotAcceptable,
    ];
    context.form == ErrorForm::Page && codes.contains(&refused.code())
}

/// Logs the cause of a failure that its client is not told.
pub(crate) fn log_failure(failure: &Failure, context: &ErrorContext) {
    match failure {
        Failure::Refused(..) => {}
        Failure::Database(DatabaseFailure::Unavailable(_)) => tracing::warn!(
            cause = %failure,
            "a request gets 503, as the database cannot serve it now"
        ),
        Failure::Database(DatabaseFailure::Overloaded(_)) => {
            let mut warned = locked(&LAST_WARNING);
            // Under load, one line for each refused response would flood the log.
            if warned.is_none_or(|last| last.elapsed() > WARNING_INTERVAL) {
                *warned = Some(Instant::now());
                tracing::warn!(cause = %failure, "long responses are refused for now");
            }
        }
        Failure::Database(_) | Failure::Internal(_) => {
            // The error page names the id, so it is logged here also where spans are not shown.
            let request_id = &*context.request_id;
            tracing::error!(request_id, cause = %failure, "the request failed");
        }
    }
}

/// The response to a refused request, in the format that its client prefers.
pub(crate) fn error(error: &ApiError, context: &ErrorContext) -> Response<Bytes> {
    let (code, description) = (error.code(), error.description());
    let page = format!("{}/errors/{}", context.base, code.number());
    // The plain form is the default (`docs/overview.md`); problem details have to be asked for.
    if context.form != ErrorForm::Problem {
        let body = ErrorBody {
            error_code: code.number(),
            error_description: description,
            error_details: page,
        };
        return respond(error, "application/json", &body);
    }
    let problems = error.problems().iter();
    let errors = problems.map(|problem| AttributeProblem {
        pointer: problem.pointer(),
        message: problem.message(),
    });
    let body = ProblemBody {
        // The type is a URL that explains the problem to people (RFC 9457, section 3.1.1).
        r#type: page,
        title: code.title(),
        status: code.status().as_u16(),
        detail: description,
        error_code: code.number(),
        request_id: &context.request_id,
        errors: errors.collect(),
    };
    respond(error, "application/problem+json", &body)
}

fn respond(error: &ApiError, content_type: &'static str, body: &impl Serialize) -> Response<Bytes> {
    // Bodies of texts and numbers always serialize, so the default never applies.
    let bytes = serde_json::to_vec(body).unwrap_or_default();
    let mut response = Response::new(Bytes::from(bytes));
    *response.status_mut() = error.code().status();
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(content_type));
    if let Some((name, value)) = error.header() {
        headers.insert(name, value);
    }
    response
}
