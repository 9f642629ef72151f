//! What the server itself answers, in the form of every error.

use axum::body::{Body, Bytes};
use axum::http::request::Parts;
use axum::http::{HeaderName, HeaderValue, Response, header};

use super::request_line::RequestLine;
use crate::error::{ApiError, ErrorCode};
use crate::http::extract::prefers_problem;
use crate::http::middleware::{
    Origin, REQUEST_ID, fresh_request_id, request_id, request_id_header,
};
use crate::http::respond::{self, AnswerContext};

/// Where clients find the service, for what a server answers: as set, or as each of them addressed it.
#[derive(Debug, Clone)]
pub(super) struct Base {
    pub(super) url: Option<Box<str>>,
    /// What is named to those who name no host. It is no address of this machine, which is nothing
    /// for strangers: in front of it there may be a proxy.
    pub(super) unaddressed: Box<str>,
}

/// The headers of every refusal, beside its id and those of its body. A shared cache may keep some of the
/// statuses, for whoever asks for the same URL.
const HEADERS: [(HeaderName, &str); 3] = [
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::VARY, "Accept"),
    (header::CACHE_CONTROL, "no-store"),
];

/// The answer to a request that is refused; its connection is closed, as nobody knows what follows.
pub(super) fn answer(error: ApiError, request: &Parts, base: &Base) -> Response<Body> {
    let origin = Origin::of(request);
    let context = AnswerContext {
        base: origin.base_url(base.url.as_deref(), &base.unaddressed),
        request_id: request_id(&request.headers),
        problem: prefers_problem(&request.headers),
    };
    note(&error, &context.request_id);
    let mut response = respond::failure(&error.into(), &context);
    let headers = response.headers_mut();
    if let Some(id) = request_id_header(&context.request_id) {
        headers.insert(REQUEST_ID, id);
    }
    for (name, value) in HEADERS {
        headers.insert(name, HeaderValue::from_static(value));
    }
    response
}

fn note(error: &ApiError, request_id: &str) {
    let (code, description) = (error.code().number(), error.description());
    tracing::info!(request_id, code, description, "refused by the server");
}

/// Whether these bytes may be what hyper answers to what is no request: a head with one of these statuses.
/// An app's answer may begin so, too: that none is to be sent is known otherwise.
pub(super) fn is_bare(bytes: &[u8]) -> bool {
    let status = bytes
        .strip_prefix(b"HTTP/1.")
        .and_then(|rest| rest.get(2..5));
    matches!(status, Some(b"400" | b"414" | b"431"))
}

/// What is answered in place of what hyper would, which is a head alone.
pub(super) fn in_place_of(replaced: &[u8], line: RequestLine, base: &Base) -> Bytes {
    let replaced = String::from_utf8_lossy(replaced);
    let error = error(&replaced, line);
    let base_url = base.url.clone();
    let context = AnswerContext {
        base: base_url.map_or_else(|| format!("http://{}", base.unaddressed), String::from),
        request_id: fresh_request_id(),
        problem: false,
    };
    note(&error, &context.request_id);
    let body = respond::error_body(&error, &context);
    let status = respond::status(error.code());
    let date = replaced
        .split("\r\n")
        .find(|line| line.starts_with("date: "));
    let date = date.map_or_else(String::new, |date| format!("{date}\r\n"));
    let (id, length) = (context.request_id, body.len());
    let others = HEADERS
        .map(|(name, value)| format!("{name}: {value}\r\n"))
        .concat();
    let head = format!(
        "HTTP/1.1 {status}\r\ncontent-type: application/json\r\ncontent-length: {length}\r\n\
         connection: close\r\n{REQUEST_ID}: {id}\r\n{others}{date}\r\n"
    );
    Bytes::from([head.into_bytes(), body].concat())
}

fn error(replaced: &str, line: RequestLine) -> ApiError {
    let (code, description) = match (replaced.get(9..12), line) {
        // Hyper looks at the length of a URL once it has the whole head.
        (Some("414"), _) | (Some("431"), RequestLine::Target) => (
            ErrorCode::UrlTooLong,
            "the URL may be at most 65534 bytes long",
        ),
        (Some("431"), RequestLine::Version(_) | RequestLine::Over) => (
            ErrorCode::HeaderTooLarge,
            "the headers are too large: at most 100 are read, and 400 KiB in all",
        ),
        (_, RequestLine::Foreign) => (
            ErrorCode::NotHttp,
            "the request is of no version of HTTP that is spoken here, which are HTTP/1.1 and, \
             from its preface on, HTTP/2",
        ),
        _ => (
            ErrorCode::NotHttp,
            "the request is not HTTP/1.1: its first line, a header or the length of its body is \
             malformed",
        ),
    };
    ApiError::new(code, description)
}
