//! Responses to invalid requests, and replacements for hyper's own responses, which have no body.

use axum::body::Bytes;
use axum::http::Response;
use axum::http::request::Parts;

use crate::error::{Refusal, ServerError, ServerErrorKind};
use crate::message::RequestLine;

/// Renders refusals in the form of the app's errors.
#[derive(Debug, Clone)]
pub(crate) struct RefusalRenderer {
    pub(crate) render: fn(&Refusal<'_>) -> Response<Bytes>,
    pub(crate) base_url: Option<Box<str>>,
    pub(crate) fallback_host: Box<str>,
}

impl RefusalRenderer {
    /// The bytes to send in place of hyper's response, whose `Date` is kept.
    pub(crate) fn replace_head(&self, replaced: &[u8], line: RequestLine) -> Bytes {
        let replaced = String::from_utf8_lossy(replaced);
        // Hyper has no parsed request at this point, so the app renders without one.
        let response = self.response(&server_error(&replaced, line), None);
        let (status, body) = (response.status(), response.body());
        let mut head = format!("HTTP/1.1 {status}\r\n").into_bytes();
        for (name, value) in response.headers() {
            for part in [name.as_str().as_bytes(), b": ", value.as_bytes(), b"\r\n"] {
                head.extend_from_slice(part);
            }
        }
        // Hyper writes header names in lower case.
        let date = replaced.split("\r\n").find(|it| it.starts_with("date: "));
        let date = date.map_or_else(String::new, |date| format!("{date}\r\n"));
        let length = body.len();
        // The connection closes, because the end of the invalid request is unknown.
        let rest = format!("content-length: {length}\r\nconnection: close\r\n{date}\r\n");
        Bytes::from([&head, rest.as_bytes(), body].concat())
    }

    /// The response to a refused request; `request` is `None` if hyper could not parse it.
    pub(crate) fn response(&self, error: &ServerError, request: Option<&Parts>) -> Response<Bytes> {
        (self.render)(&Refusal {
            error,
            request,
            base_url: self.base_url.as_deref(),
            fallback_host: &self.fallback_host,
        })
    }
}

/// Tests for a status with which hyper refuses what it cannot parse. A response of an app may begin so, too: the
/// caller has to know that none is pending.
pub(crate) fn is_bare_head(bytes: &[u8]) -> bool {
    // The minor version and a space precede the status.
    let status = bytes
        .strip_prefix(b"HTTP/1.")
        .and_then(|rest| rest.get(2..5));
    matches!(status, Some(b"400" | b"414" | b"431"))
}

/// The error behind hyper's response. Hyper's status alone is ambiguous; the state of the request line resolves it.
fn server_error(replaced: &str, line: RequestLine) -> ServerError {
    let (kind, description) = match (replaced.get(9..12), line) {
        // Hyper checks the length of the URL only once the header section is complete: a URL that fills the
        // buffer gets a 431.
        (Some("414"), _) | (Some("431"), RequestLine::Target) => (
            ServerErrorKind::UrlTooLong,
            "the URL may be at most 65534 bytes long",
        ),
        (Some("431"), RequestLine::Version(_) | RequestLine::Done) => (
            ServerErrorKind::HeaderTooLarge,
            "the headers are too large: at most 100 are read, and 400 KiB in all",
        ),
        (_, RequestLine::OtherProtocol) => (
            ServerErrorKind::NotHttp,
            "the request is of no version of HTTP that is spoken here, which are HTTP/1.1 and, \
             from its preface on, HTTP/2",
        ),
        _ => (
            ServerErrorKind::NotHttp,
            "the request is not HTTP/1.1: its first line, a header or the length of its body is \
             malformed; quotes and spaces in a URL must be percent-encoded, as `curl -G --data-urlencode` does",
        ),
    };
    ServerError::new(kind, description)
}
