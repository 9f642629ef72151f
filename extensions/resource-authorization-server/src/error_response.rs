use std::any::Any;
use std::time::Duration;

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use resource_runtime::Error;
use resource_runtime::seam::panic_text;
use serde_json::{Value, json};

use crate::form::InvalidParameter;

/// The name of an error that OAuth knows (RFC 6749, sections 4.1.2.1 and 5.2; RFC 8707, section 2).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ErrorName(pub(super) &'static str);

impl ErrorName {
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
        let name = self;
        OauthError { name, description }
    }
}

/// An error as clients are told it. Its description is a constant: nothing that a client sent can
/// stand in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct OauthError {
    pub(super) name: ErrorName,
    pub(super) description: &'static str,
}

impl OauthError {
    pub(super) const fn invalid_request(description: &'static str) -> Self {
        ErrorName::INVALID_REQUEST.described(description)
    }

    /// One text for all that can be wrong with a code or a refresh token.
    pub(super) const INVALID_GRANT: Self = ErrorName::INVALID_GRANT
        .described("the code or refresh token is not valid for this request; ask the user again");

    /// The cause stands in the log alone.
    pub(super) const FAILED: Self =
        ErrorName::SERVER_ERROR.described("the authorization server failed; try again later");

    fn answer(self, status: StatusCode) -> Response {
        let body = json!({"error": self.name.0, "error_description": self.description});
        json_response(status, &body)
    }
}

/// Why a client gets no other answer.
#[derive(Debug)]
pub(super) enum Problem {
    Refused(OauthError),
    /// The client is not who it says; it tried to prove it by a header, or not.
    NotAuthenticated {
        by_header: bool,
    },
    /// Its body cannot be taken.
    Body(StatusCode, &'static str),
    /// How long until it may ask again.
    TooOften(Duration),
    /// The cause, for the log alone.
    Failed(String),
}

impl From<OauthError> for Problem {
    fn from(error: OauthError) -> Self {
        Self::Refused(error)
    }
}

impl From<Error> for Problem {
    fn from(failure: Error) -> Self {
        Self::Failed(failure.to_string())
    }
}

impl From<String> for Problem {
    fn from(cause: String) -> Self {
        Self::Failed(cause)
    }
}

impl From<InvalidParameter> for Problem {
    fn from(InvalidParameter: InvalidParameter) -> Self {
        Self::Refused(INVALID_PARAMETER)
    }
}

/// What a parameter is told that cannot be taken.
pub(super) const INVALID_PARAMETER: OauthError =
    OauthError::invalid_request("a parameter is given more than once, or cannot be read");

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        match self {
            Self::Refused(error) => error.answer(StatusCode::BAD_REQUEST),
            Self::NotAuthenticated { by_header } => {
                let error = ErrorName::INVALID_CLIENT
                    .described("the client is not known, or its authentication failed");
                let challenge = [(header::WWW_AUTHENTICATE, "Basic realm=\"oauth\"")];
                let challenge = by_header.then_some(challenge);
                (challenge, error.answer(StatusCode::UNAUTHORIZED)).into_response()
            }
            Self::Body(status, text) => OauthError::invalid_request(text).answer(status),
            Self::TooOften(wait) => {
                let error = ErrorName::TEMPORARILY_UNAVAILABLE
                    .described("too many requests; try again later");
                let again = [(header::RETRY_AFTER, retry_after(wait))];
                (again, error.answer(StatusCode::TOO_MANY_REQUESTS)).into_response()
            }
            Self::Failed(cause) => failed(&cause),
        }
    }
}

/// Whole seconds, none of them too early.
pub(super) fn retry_after(wait: Duration) -> HeaderValue {
    HeaderValue::from(wait.as_secs().saturating_add(1))
}

fn failed(cause: &str) -> Response {
    tracing::error!(cause, "the authorization server failed");
    OauthError::FAILED.answer(StatusCode::INTERNAL_SERVER_ERROR)
}

/// For methods that an endpoint does not have.
pub(super) async fn method_not_allowed() -> Response {
    let error = OauthError::invalid_request("the endpoint does not take this method");
    error.answer(StatusCode::METHOD_NOT_ALLOWED)
}

/// For an endpoint that panicked.
#[allow(
    clippy::needless_pass_by_value,
    reason = "the layer that catches panics hands over what it caught"
)]
pub(super) fn panicked(cause: Box<dyn Any + Send>) -> Response {
    failed(&format!("a handler panicked: {}", panic_text(&*cause)))
}

/// An answer that nobody keeps (RFC 6749, section 5.1).
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
    fn descriptions_keep_to_the_characters_of_oauth() {
        for error in [INVALID_PARAMETER, OauthError::INVALID_GRANT] {
            let permitted = |byte| matches!(byte, 0x20..=0x21 | 0x23..=0x5B | 0x5D..=0x7E);
            assert!(error.description.bytes().all(permitted), "{error:?}");
        }
    }
}
