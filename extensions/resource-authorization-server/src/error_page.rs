//! Pages for people: ours for errors that must lead nowhere, and the host's made safe.

use std::any::Any;
use std::time::Duration;

use axum::http::header::{
    ALLOW, CACHE_CONTROL, CONTENT_SECURITY_POLICY, REFERRER_POLICY, RETRY_AFTER, X_FRAME_OPTIONS,
};
use axum::http::{HeaderValue, StatusCode};
use axum::response::{Html, IntoResponse as _, Response};
use resource_runtime::seam::panic_text;

use crate::error_response::{ErrorName, OauthError, retry_after};

/// What a page may that has no policy of its own.
const POLICY: &str = "default-src 'none'; frame-ancestors 'none'; base-uri 'none'";

/// Why a user stays here. No text holds anything of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum AuthorizePageError {
    /// The client is not known, or did not say where to go on.
    UnknownClient,
    /// Where to go on is not where the client is.
    UnknownRedirect,
    /// The client would be told, were its user logged in.
    Refused(OauthError),
    /// The request was answered before, or its time is over.
    Gone,
    /// The consent is not from our own form, or from another session.
    Forged,
    /// For so long.
    TooOften(Duration),
    Failed,
    /// With a method that the page does not have.
    Method,
}

impl AuthorizePageError {
    const fn status(self) -> StatusCode {
        match self {
            Self::UnknownClient | Self::UnknownRedirect | Self::Refused(_) | Self::Gone => {
                StatusCode::BAD_REQUEST
            }
            Self::Forged => StatusCode::FORBIDDEN,
            Self::TooOften(_) => StatusCode::TOO_MANY_REQUESTS,
            Self::Failed => StatusCode::INTERNAL_SERVER_ERROR,
            Self::Method => StatusCode::METHOD_NOT_ALLOWED,
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
            Self::Forged => {
                "Your answer did not come from the page that asked you. Nothing was allowed. Go \
                 back to the application and start again."
            }
            Self::TooOften(_) => "There were too many requests. Wait a minute and try again.",
            Self::Failed => "Something went wrong on our side. Try again later.",
            Self::Method => "This page is to be read and answered, and nothing else.",
        }
    }

    /// The page in place of an error that the client is not told.
    pub(super) fn of_error(error: OauthError) -> Self {
        match error.name {
            ErrorName::SERVER_ERROR => Self::Failed,
            _ => Self::Refused(error),
        }
    }

    /// What stands below the text, for those who run the client: a constant, too.
    fn note(self) -> String {
        match self {
            Self::Refused(OauthError { name, description }) => {
                format!("<p><code>{}</code>: {description}.</p>\n", name.0)
            }
            _ => String::new(),
        }
    }

    /// A page that leads nowhere.
    pub(super) fn page(self) -> Response {
        let (text, note) = (self.text(), self.note());
        let page = format!(
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <title>Access was not granted</title>\n</head>\n<body>\n<main>\n\
             <h1>Access was not granted</h1>\n<p>{text}</p>\n{note}</main>\n</body>\n</html>\n"
        );
        let header = match self {
            Self::TooOften(wait) => Some([(RETRY_AFTER, retry_after(wait))]),
            Self::Method => Some([(ALLOW, HeaderValue::from_static("GET,POST"))]),
            _ => None,
        };
        let answer = (self.status(), header, Html(page)).into_response();
        protected(answer, "'none'")
    }
}

/// For a page whose making panicked.
#[allow(
    clippy::needless_pass_by_value,
    reason = "the layer that catches panics hands over what it caught"
)]
pub(super) fn panicked(cause: Box<dyn Any + Send>) -> Response {
    let cause = format!("a handler panicked: {}", panic_text(&*cause));
    tracing::error!(cause, "an authorization failed");
    AuthorizePageError::Failed.page()
}

/// A page that nobody frames, keeps or learns of, whose forms lead here and to `form_action`. The
/// policies of the host's own stay, for it knows what its page loads; where none says anything of
/// forms one is added that does, for only we know where the client is. Browsers keep to all of them.
pub(super) fn protected(mut page: Response, form_action: &str) -> Response {
    let headers = page.headers_mut();
    headers.insert(X_FRAME_OPTIONS, HeaderValue::from_static("DENY"));
    headers.insert(REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    let of_forms = format!("form-action {form_action}");
    let policy = if headers.contains_key(CONTENT_SECURITY_POLICY) {
        of_forms
    } else {
        format!("{POLICY}; {of_forms}")
    };
    let mut own = headers.get_all(CONTENT_SECURITY_POLICY).iter();
    let is_said = own.any(|own| names(own, "form-action"));
    if let Ok(policy) = HeaderValue::try_from(policy)
        && !is_said
    {
        headers.append(CONTENT_SECURITY_POLICY, policy);
    }
    page
}

/// Whether one of the policies in a header says something of its own about `directive`.
fn names(policies: &HeaderValue, directive: &str) -> bool {
    let policies = String::from_utf8_lossy(policies.as_bytes());
    let mut directives = policies.split([';', ',']).map(str::trim_start);
    directives.any(|it| {
        let name = it.split_ascii_whitespace().next().unwrap_or_default();
        name.eq_ignore_ascii_case(directive)
    })
}
