//! Pages as responses, with the headers that protect them.

use std::error::Error;

use askama::Template;
use axum::http::StatusCode;
use axum::http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, REFERRER_POLICY, X_FRAME_OPTIONS,
};
use axum::response::{Html, IntoResponse, Response};

use crate::Outcome;

/// Content security policy: the page loads only our own style sheet, cannot be framed, and submits forms
/// only to this site.
const POLICY: &str = "default-src 'none'; style-src 'self'; form-action 'self'; \
                      frame-ancestors 'none'; base-uri 'none'";

/// The policy without `form-action`, which the authorization server sets: consent redirects to the client.
const POLICY_OF_AUTHORIZATION: &str =
    "default-src 'none'; style-src 'self'; frame-ancestors 'none'; base-uri 'none'";

/// A page of this site.
pub(super) fn page(status: StatusCode, template: &impl Template) -> Outcome<Response> {
    rendered(status, POLICY, template)
}

/// A page that the authorization server shows.
pub(super) fn page_of_authorization(template: &impl Template) -> Outcome<Response> {
    rendered(StatusCode::OK, POLICY_OF_AUTHORIZATION, template)
}

fn rendered(
    status: StatusCode,
    policy: &'static str,
    template: &impl Template,
) -> Outcome<Response> {
    let headers = [
        (CONTENT_SECURITY_POLICY, policy),
        (X_FRAME_OPTIONS, "DENY"),
        (REFERRER_POLICY, "no-referrer"),
        (CACHE_CONTROL, "no-store"),
    ];
    Ok((status, headers, Html(template.render()?)).into_response())
}

/// An internal error, whose cause is only in the log.
pub struct Failed(Box<dyn Error + Send + Sync>);

impl<E: Into<Box<dyn Error + Send + Sync>>> From<E> for Failed {
    fn from(cause: E) -> Self {
        Self(cause.into())
    }
}

#[derive(Template)]
#[template(path = "failed.html")]
struct FailedPage;

impl IntoResponse for Failed {
    fn into_response(self) -> Response {
        tracing::error!(cause = %self.0, "a page failed");
        let status = StatusCode::INTERNAL_SERVER_ERROR;
        page(status, &FailedPage).unwrap_or_else(|_| status.into_response())
    }
}
