//! Errors of the authorization endpoint: on a page of this service, or by a redirect to the client.

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse as _, Response};

use crate::error_page::{AuthorizePageError, with_security_headers};
use crate::error_response::{EndpointError, OauthError};
use crate::form::with_parameters;

/// Reason for which an authorization request ends without a code.
#[derive(Debug)]
pub(super) enum AuthorizeError {
    /// The user sees a page of this service.
    Page(AuthorizePageError),
    /// A user who is logged in is redirected to the client with the error; any other user sees a
    /// page of this service.
    Redirect(ClientRedirect, OauthError),
}

/// Response of a step of the authorization endpoint.
pub(super) type AuthorizeResult = Result<Response, AuthorizeError>;

/// The redirect to a client whose redirect URI was validated.
#[derive(Debug, Clone)]
pub(super) struct ClientRedirect {
    pub(super) redirect_uri: String,
    pub(super) state: Option<String>,
    pub(super) issuer: String,
}

impl AuthorizeError {
    /// The error for a request whose client and redirect URI are known.
    pub(super) fn for_client(error: impl Into<EndpointError>, redirect: ClientRedirect) -> Self {
        match error.into() {
            EndpointError::Refused(error) => Self::Redirect(redirect, error),
            EndpointError::Internal(cause) => Self::internal(&cause, redirect),
            // The rest, such as a rate limit, concerns the user or the address, and is told on a
            // page.
            other => Self::from(other),
        }
    }

    /// Logs the cause; the client learns `server_error` alone.
    pub(super) fn internal(cause: &str, redirect: ClientRedirect) -> Self {
        tracing::error!(cause, "an authorization failed");
        Self::Redirect(redirect, OauthError::FAILED)
    }

    pub(super) fn into_response(self) -> Response {
        match self {
            Self::Page(error) => error.page(),
            Self::Redirect(redirect, error) => redirect.with(&[
                ("error", error.code.0),
                ("error_description", error.description),
            ]),
        }
    }
}

impl From<AuthorizePageError> for AuthorizeError {
    fn from(error: AuthorizePageError) -> Self {
        Self::Page(error)
    }
}

/// The error for a request whose client is not known yet, so that there is no redirect.
impl<E: Into<EndpointError>> From<E> for AuthorizeError {
    fn from(error: E) -> Self {
        Self::Page(match error.into() {
            EndpointError::TooManyRequests(wait) => AuthorizePageError::TooManyRequests(wait),
            EndpointError::Internal(cause) => {
                tracing::error!(cause, "an authorization failed");
                AuthorizePageError::Internal
            }
            EndpointError::Refused(_)
            | EndpointError::NotAuthenticated { .. }
            | EndpointError::Body(..) => AuthorizePageError::UnknownClient,
        })
    }
}

impl ClientRedirect {
    /// Redirects the user with these parameters, the client's `state` and our issuer: `iss` tells a
    /// client of several servers which one answered (RFC 9207, mix-up attacks).
    pub(super) fn with(&self, parameters: &[(&str, &str)]) -> Response {
        let state = self.state.as_deref().map(|state| ("state", state));
        // `state` is returned as it came (RFC 6749, section 4.1.2).
        let mut all = parameters.to_vec();
        all.extend(state);
        all.push(("iss", &self.issuer));
        let address = with_parameters(&self.redirect_uri, &all);
        // Registered URIs and encoded parameters are visible ASCII, so this is not expected to
        // fail.
        let Ok(mut address) = HeaderValue::try_from(address) else {
            return AuthorizePageError::UnknownRedirect.page();
        };
        // The address may hold a code, which must not appear in logs of responses.
        address.set_sensitive(true);
        // 303 makes every browser continue with GET. With 307, or 302 in some, it would repeat the
        // POST, and with it a password of the user, at the client (RFC 9700, section 4.12).
        let response = (StatusCode::SEE_OTHER, [(header::LOCATION, address)]);
        with_security_headers(response.into_response(), "'none'")
    }
}
