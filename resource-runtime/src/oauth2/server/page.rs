//! Pages for people: ours for errors that must lead nowhere, and the host's made safe.

use axum::http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, REFERRER_POLICY, X_FRAME_OPTIONS,
};
use axum::http::{HeaderValue, StatusCode};
use axum::response::{Html, IntoResponse as _, Response};

/// What a page may that has no policy of its own.
const POLICY: &str = "default-src 'none'; frame-ancestors 'none'; base-uri 'none'";

/// Why a user stays here. No text holds anything of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stop {
    /// The client is not known, or did not say where to go on.
    UnknownClient,
    /// Where to go on is not where the client is.
    UnknownRedirect,
    /// The request was answered before, or its time is over.
    Gone,
    /// The consent is not from our own form, or from another session.
    Forged,
    TooOften,
    Failed,
}

impl Stop {
    const fn status(self) -> StatusCode {
        match self {
            Self::UnknownClient | Self::UnknownRedirect | Self::Gone => StatusCode::BAD_REQUEST,
            Self::Forged => StatusCode::FORBIDDEN,
            Self::TooOften => StatusCode::TOO_MANY_REQUESTS,
            Self::Failed => StatusCode::INTERNAL_SERVER_ERROR,
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
            Self::Gone => {
                "This request was answered already, or it took too long. Go back to the \
                 application and start again."
            }
            Self::Forged => {
                "Your answer did not come from the page that asked you. Nothing was allowed. Go \
                 back to the application and start again."
            }
            Self::TooOften => "There were too many requests. Wait a minute and try again.",
            Self::Failed => "Something went wrong on our side. Try again later.",
        }
    }

    /// A page that leads nowhere.
    pub(super) fn page(self) -> Response {
        let text = self.text();
        let page = format!(
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <title>Access was not granted</title>\n</head>\n<body>\n<main>\n\
             <h1>Access was not granted</h1>\n<p>{text}</p>\n</main>\n</body>\n</html>\n"
        );
        let answer = (self.status(), Html(page)).into_response();
        protected(answer, "'none'")
    }
}

/// A page that nobody frames, keeps or learns of, whose forms lead here and to `form_action`. A
/// policy of the host's own stays, for it knows what its page loads; where it says nothing of forms
/// that is added, for only we know where the client is.
pub(super) fn protected(mut page: Response, form_action: &str) -> Response {
    let headers = page.headers_mut();
    headers.insert(X_FRAME_OPTIONS, HeaderValue::from_static("DENY"));
    headers.insert(REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    let own = headers.get(CONTENT_SECURITY_POLICY);
    let own = own.map_or(POLICY, |own| own.to_str().unwrap_or_default());
    if !own.is_empty() && !names(own, "form-action") {
        let policy = format!("{own}; form-action {form_action}");
        if let Ok(policy) = HeaderValue::try_from(policy) {
            headers.insert(CONTENT_SECURITY_POLICY, policy);
        }
    }
    page
}

/// Whether a policy says something of its own about `directive`.
fn names(policy: &str, directive: &str) -> bool {
    let mut directives = policy.split(';').map(str::trim_start);
    directives.any(|it| {
        let name = it.split(' ').next().unwrap_or_default();
        name.eq_ignore_ascii_case(directive)
    })
}
