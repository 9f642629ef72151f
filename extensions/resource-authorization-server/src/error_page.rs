//! Pages for users: errors that must not be redirected to a client, and security headers for the
//! pages of the host.

use std::any::Any;
use std::time::Duration;

use axum::http::header::{
    ALLOW, CACHE_CONTROL, CONTENT_SECURITY_POLICY, REFERRER_POLICY, RETRY_AFTER, X_FRAME_OPTIONS,
};
use axum::http::{HeaderValue, StatusCode};
use axum::response::{IntoResponse as _, Response};
use resource_runtime::shared::{page, panic_text};

use crate::error_response::{ErrorCode, OauthError, retry_after};

/// Content security policy of a page that sets none itself.
const POLICY: &str = "default-src 'none'; frame-ancestors 'none'; base-uri 'none'";

/// An error that the user sees on a page of this service. No text contains anything of the request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum AuthorizePageError {
    /// The client is unknown or was not named.
    UnknownClient,
    /// The redirect URI is not registered for the client.
    UnknownRedirect,
    /// An error for the client, whose user is not logged in and is therefore not redirected.
    Refused(OauthError),
    /// The pending request was settled before or has expired.
    Gone,
    /// The consent fits no page that was shown in this session, to this user, for these scopes, or its body could
    /// not be read.
    ForgedConsent,
    /// Rate limit, with the time until the next request is accepted.
    TooManyRequests(Duration),
    /// An internal error; its cause is in the log alone.
    Internal,
    /// The page does not support the method.
    MethodNotAllowed,
}

impl AuthorizePageError {
    const fn status(self) -> StatusCode {
        match self {
            Self::UnknownClient | Self::UnknownRedirect | Self::Refused(_) | Self::Gone => {
                StatusCode::BAD_REQUEST
            }
            Self::ForgedConsent => StatusCode::FORBIDDEN,
            Self::TooManyRequests(_) => StatusCode::TOO_MANY_REQUESTS,
            Self::Internal => StatusCode::INTERNAL_SERVER_ERROR,
            Self::MethodNotAllowed => StatusCode::METHOD_NOT_ALLOWED,
        }
    }

    const fn text(self) -> &'static str {
        match self {
            Self::UnknownClient => {
                "The application that sent you here is not known, or did not say who it is. Go \
                 back to it and try again; if that does not help, tell those who run it."
            }
            Self::UnknownRedirect => {
                "The application that sent you here wants you to go on at an address that is not \
                 registered for it. You are not sent there, because it may not be the \
                 application's own."
            }
            Self::Refused(_) => {
                "The application that sent you here asked in a way that cannot be answered. You \
                 are not logged in, so you are not sent back to it from here. Go back to it and \
                 try again; if that does not help, tell those who run it what stands below."
            }
            Self::Gone => {
                "This request was answered already, or it took too long. Go back to the \
                 application and start again."
            }
            Self::ForgedConsent => {
                "Your answer did not come from the page that asked you. Nothing was allowed. Go \
                 back to the application and start again."
            }
            Self::TooManyRequests(_) => {
                "There were too many requests. Wait a minute and try again."
            }
            Self::Internal => "Something went wrong on our side. Try again later.",
            Self::MethodNotAllowed => "This page can only be opened, or answered by its form.",
        }
    }

    /// The page shown instead of a redirect with an error.
    pub(super) fn of_error(error: OauthError) -> Self {
        match error.code {
            ErrorCode::SERVER_ERROR => Self::Internal,
            _ => Self::Refused(error),
        }
    }

    /// A note below the text for developers of the client. It, too, contains nothing of the request.
    fn note(self) -> String {
        match self {
            Self::Refused(OauthError { code, description }) => {
                format!("<p><code>{}</code>: {description}.</p>\n", code.0)
            }
            _ => String::new(),
        }
    }

    /// The page of the error, without any link or form.
    pub(super) fn page(self) -> Response {
        let (text, note) = (self.text(), self.note());
        let title = "Access was not granted";
        let body = format!("<h1>{title}</h1>\n<p>{text}</p>\n{note}");
        // Both headers belong to the status of the page (RFC 9110, sections 10.2.3 and 15.5.6).
        let header = match self {
            Self::TooManyRequests(wait) => Some([(RETRY_AFTER, retry_after(wait))]),
            Self::MethodNotAllowed => Some([(ALLOW, HeaderValue::from_static("GET,POST"))]),
            _ => None,
        };
        let response = (header, page(self.status(), title, &body)).into_response();
        // The page has no form, so none may be sent from it.
        with_security_headers(response, "'none'")
    }
}

/// The response for a handler that panicked.
#[allow(
    clippy::needless_pass_by_value,
    reason = "the layer that catches panics calls it with an owned cause"
)]
pub(super) fn panicked(cause: Box<dyn Any + Send>) -> Response {
    let cause = format!("a handler panicked: {}", panic_text(&*cause));
    tracing::error!(cause, "an authorization failed");
    AuthorizePageError::Internal.page()
}

/// A page with security headers: not framed, not cached, sent in no `Referer`, with forms that lead
/// to `form_action` alone.
///
/// A policy of the host stays, because the host knows what its page loads. Where it has no
/// `form-action` a second policy adds it, because only this server knows the client's address.
/// Browsers enforce all policies together.
pub(super) fn with_security_headers(mut page: Response, form_action: &str) -> Response {
    let headers = page.headers_mut();
    headers.insert(X_FRAME_OPTIONS, HeaderValue::from_static("DENY"));
    headers.insert(REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    let form_action = format!("form-action {form_action}");
    let policy = if headers.contains_key(CONTENT_SECURITY_POLICY) {
        form_action
    } else {
        format!("{POLICY}; {form_action}")
    };
    // With a `form-action` of the host beside ours, the form would have to satisfy both.
    let mut own = headers.get_all(CONTENT_SECURITY_POLICY).iter();
    if !own.any(|own| has_directive(own, "form-action"))
        && let Ok(policy) = HeaderValue::try_from(policy)
    {
        headers.append(CONTENT_SECURITY_POLICY, policy);
    }
    page
}

/// Tests that one of the policies in a header has this directive.
fn has_directive(policies: &HeaderValue, directive: &str) -> bool {
    let policies = String::from_utf8_lossy(policies.as_bytes());
    // A semicolon separates directives, a comma whole policies in one header.
    let mut directives = policies.split([';', ',']).map(str::trim_start);
    directives.any(|it| {
        let name = it.split_ascii_whitespace().next().unwrap_or_default();
        name.eq_ignore_ascii_case(directive)
    })
}
