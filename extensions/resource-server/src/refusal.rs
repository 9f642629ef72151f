//! The responses of the server itself: to a message that is no request it may serve, and in place of the
//! bare status lines of hyper.

use axum::body::Bytes;
use axum::http::Response;
use axum::http::request::Parts;

use crate::error::{Refusal, ServerError, ServerErrorKind};
use crate::message::RequestLine;

/// Renders refusals, with what they are told of the service.
#[derive(Debug, Clone)]
pub(crate) struct Refuser {
    pub(crate) render: fn(&Refusal<'_>) -> Response<Bytes>,
    pub(crate) base_url: Option<Box<str>>,
    pub(crate) fallback_host: Box<str>,
}

impl Refuser {
    /// The bytes to send in place of the response of hyper, which is a head alone.
    pub(crate) fn in_place_of(&self, replaced: &[u8], line: RequestLine) -> Bytes {
        let replaced = String::from_utf8_lossy(replaced);
        let response = self.rendered(&error(&replaced, line), None);
        let (status, body) = (response.status(), response.body());
        let mut head = format!("HTTP/1.1 {status}\r\n").into_bytes();
        for (name, value) in response.headers() {
            for part in [name.as_str().as_bytes(), b": ", value.as_bytes(), b"\r\n"] {
                head.extend_from_slice(part);
            }
        }
        let date = replaced.split("\r\n").find(|it| it.starts_with("date: "));
        let date = date.map_or_else(String::new, |date| format!("{date}\r\n"));
        let length = body.len();
        let rest = format!("content-length: {length}\r\nconnection: close\r\n{date}\r\n");
        Bytes::from([&head, rest.as_bytes(), body].concat())
    }

    /// The response to a request that is refused, or to what is none.
    pub(crate) fn rendered(&self, error: &ServerError, request: Option<&Parts>) -> Response<Bytes> {
        (self.render)(&Refusal {
            error,
            request,
            base_url: self.base_url.as_deref(),
            fallback_host: &self.fallback_host,
        })
    }
}

/// Tests for the head that hyper sends when it was sent no request: one of these statuses. The response of
/// an app may begin so, too: the caller knows that none is to be sent.
pub(crate) fn is_bare(bytes: &[u8]) -> bool {
    let status = bytes
        .strip_prefix(b"HTTP/1.")
        .and_then(|rest| rest.get(2..5));
    matches!(status, Some(b"400" | b"414" | b"431"))
}

fn error(replaced: &str, line: RequestLine) -> ServerError {
    let (kind, description) = match (replaced.get(9..12), line) {
        // Hyper looks at the length of a URL once it has the whole head.
        (Some("414"), _) | (Some("431"), RequestLine::Target) => (
            ServerErrorKind::UrlTooLong,
            "the URL may be at most 65534 bytes long",
        ),
        (Some("431"), RequestLine::Version(_) | RequestLine::Over) => (
            ServerErrorKind::HeaderTooLarge,
            "the headers are too large: at most 100 are read, and 400 KiB in all",
        ),
        (_, RequestLine::Foreign) => (
            ServerErrorKind::NotHttp,
            "the request is of no version of HTTP that is spoken here, which are HTTP/1.1 and, \
             from its preface on, HTTP/2",
        ),
        _ => (
            ServerErrorKind::NotHttp,
            "the request is not HTTP/1.1: its first line, a header or the length of its body is \
             malformed",
        ),
    };
    ServerError::new(kind, description)
}
