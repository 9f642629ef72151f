//! Errors of the endpoints for clients, as JSON (RFC 6749, section 5.2).

use std::any::Any;
use std::time::Duration;

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use resource_runtime::Error;
use resource_runtime::shared::panic_text;
use serde_json::{Value, json};

use crate::form::InvalidParameter;

/// An error code of OAuth (RFC 6749, sections 4.1.2.1 and 5.2; RFC 8707, section 2).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ErrorCode(pub(super) &'static str);

impl ErrorCode {
    pub(super) const INVALID_REQUEST: Self = Self("invalid_request");
    pub(super) const INVALID_CLIENT: Self = Self("invalid_client");
    pub(super) const INVALID_GRANT: Self = Self("invalid_grant");
    pub(super) const UNAUTHORIZED_CLIENT: Self = Self("unauthorized_client");
    pub(super) const UNSUPPORTED_GRANT_TYPE: Self = Self("unsupported_grant_type");
    pub(super) const UNSUPPORTED_RESPONSE_TYPE: Self = Self("unsupported_response_type");
    pub(super) const INVALID_SCOPE: Self = Self("invalid_scope");
    pub(super) const INVALID_TARGET: Self = Self("invalid_target");
    pub(super) const ACCESS_DENIED: Self = Self("access_denied");
    pub(super) const SERVER_ERROR: Self = Self("server_error");
    pub(super) const TEMPORARILY_UNAVAILABLE: Self = Self("temporarily_unavailable");

    pub(super) const fn described(self, description: &'static str) -> OauthError {
        let code = self;
        OauthError { code, description }
    }
}

/// An error as clients receive it. The description is a constant: it cannot contain anything that a
/// client sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct OauthError {
    pub(super) code: ErrorCode,
    pub(super) description: &'static str,
}

impl OauthError {
    pub(super) const fn invalid_request(description: &'static str) -> Self {
        ErrorCode::INVALID_REQUEST.described(description)
    }

    /// One error for everything wrong with a code or a refresh token, so that it tells nothing
    /// about a stolen one.
    pub(super) const INVALID_GRANT: Self = ErrorCode::INVALID_GRANT
        .described("the code or refresh token is not valid for this request; ask the user again");

    /// An internal error; its cause is in the log alone.
    pub(super) const FAILED: Self =
        ErrorCode::SERVER_ERROR.described("the authorization server failed; try again later");

    fn response(self, status: StatusCode) -> Response {
        let body = json!({"error": self.code.0, "error_description": self.description});
        json_response(status, &body)
    }
}

/// Response of an endpoint, or the error in its place.
pub(super) type EndpointResult = Result<Response, EndpointError>;

/// Reason for which an endpoint answers with an error.
#[derive(Debug)]
pub(super) enum EndpointError {
    Refused(OauthError),
    /// Client authentication failed; `by_header` tells whether the client tried the `Authorization`
    /// header.
    NotAuthenticated {
        by_header: bool,
    },
    /// The body could not be read: its status and reason.
    Body(StatusCode, &'static str),
    /// Rate limit, with the time until the next request is accepted.
    TooManyRequests(Duration),
    /// An internal error with its cause, which is for the log alone.
    Internal(String),
}

/// An OAuth error, or an invalid parameter.
impl<E: Into<OauthError>> From<E> for EndpointError {
    fn from(error: E) -> Self {
        Self::Refused(error.into())
    }
}

/// A failure of the database.
impl From<Error> for EndpointError {
    fn from(failure: Error) -> Self {
        Self::Internal(failure.to_string())
    }
}

/// A failure of anything else, like the random generator or the host.
impl From<String> for EndpointError {
    fn from(cause: String) -> Self {
        Self::Internal(cause)
    }
}

impl From<InvalidParameter> for OauthError {
    fn from(InvalidParameter: InvalidParameter) -> Self {
        INVALID_PARAMETER
    }
}

/// The error for a parameter that is repeated or invalid.
const INVALID_PARAMETER: OauthError =
    OauthError::invalid_request("a parameter is given more than once, or cannot be read");

impl IntoResponse for EndpointError {
    fn into_response(self) -> Response {
        match self {
            Self::Refused(error) => error.response(StatusCode::BAD_REQUEST),
            Self::NotAuthenticated { by_header } => {
                let error = ErrorCode::INVALID_CLIENT
                    .described("the client is not known, or its authentication failed");
                // A client that used the header must be sent a challenge (RFC 6749, section 5.2).
                let challenge = [(header::WWW_AUTHENTICATE, "Basic realm=\"oauth\"")];
                let challenge = by_header.then_some(challenge);
                // An unknown client and a wrong secret have one response, so that it does not tell
                // which clients exist.
                (challenge, error.response(StatusCode::UNAUTHORIZED)).into_response()
            }
            Self::Body(status, text) => OauthError::invalid_request(text).response(status),
            Self::TooManyRequests(wait) => {
                // OAuth has no error code for rate limits; this one fits best, and the status says
                // the rest.
                let error = ErrorCode::TEMPORARILY_UNAVAILABLE
                    .described("too many requests; try again later");
                let header = [(header::RETRY_AFTER, retry_after(wait))];
                (header, error.response(StatusCode::TOO_MANY_REQUESTS)).into_response()
            }
            Self::Internal(cause) => internal_error(&cause),
        }
    }
}

/// The value of `Retry-After`, in whole seconds, always more than `wait`.
pub(super) fn retry_after(wait: Duration) -> HeaderValue {
    HeaderValue::from(wait.as_secs().saturating_add(1))
}

fn internal_error(cause: &str) -> Response {
    tracing::error!(cause, "the authorization server failed");
    OauthError::FAILED.response(StatusCode::INTERNAL_SERVER_ERROR)
}

/// The response for a method that an endpoint does not support.
pub(super) async fn method_not_allowed() -> Response {
    let error = OauthError::invalid_request("the endpoint does not take this method");
    error.response(StatusCode::METHOD_NOT_ALLOWED)
}

/// The response for a handler that panicked.
#[allow(
    clippy::needless_pass_by_value,
    reason = "the layer that catches panics calls it with an owned cause"
)]
pub(super) fn panicked(cause: Box<dyn Any + Send>) -> Response {
    internal_error(&format!("a handler panicked: {}", panic_text(&*cause)))
}

/// A JSON response that must not be cached (RFC 6749, section 5.1).
pub(super) fn json_response(status: StatusCode, body: &Value) -> Response {
    let headers = [
        (header::CONTENT_TYPE, "application/json"),
        (header::CACHE_CONTROL, "no-store"),
        (header::PRAGMA, "no-cache"),
    ];
    (status, headers, body.to_string()).into_response()
}

#[cfg(test)]
mod tests {
    use super::{INVALID_PARAMETER, OauthError};

    #[test]
    fn shared_descriptions_have_only_characters_that_oauth_allows() {
        for error in [INVALID_PARAMETER, OauthError::INVALID_GRANT] {
            let permitted = |byte| matches!(byte, 0x20..=0x21 | 0x23..=0x5B | 0x5D..=0x7E);
            assert!(error.description.bytes().all(permitted), "{error:?}");
        }
    }
}
