//! The errors for which the server refuses a request, and the trait by which an app renders them.

use std::borrow::Cow;
use std::error::Error;
use std::fmt::{self, Debug, Display, Formatter};
use std::time::Duration;

use axum::body::Bytes;
use axum::http::request::Parts;
use axum::http::{HeaderValue, Response, StatusCode, header};

/// Renders refusals of the server in the form of the app's errors.
///
/// ```
/// use axum::body::Bytes;
/// use axum::http::Response;
/// use resource_server::{Refusal, RenderRefusal, ServeOptions};
///
/// /// Errors as `{"error": …}`.
/// struct Json;
///
/// impl RenderRefusal for Json {
///     fn render(refusal: &Refusal<'_>) -> Response<Bytes> {
///         let body = format!("{{\"error\": {:?}}}", refusal.error.to_string());
///         let mut response = Response::new(Bytes::from(body));
///         *response.status_mut() = refusal.error.kind().status();
///         response
///     }
/// }
///
/// let options = ServeOptions::<Json>::new();
/// # drop(options);
/// ```
pub trait RenderRefusal {
    /// Renders a refusal; the server adds its length, and closes the connection on HTTP/1.
    fn render(refusal: &Refusal<'_>) -> Response<Bytes>;
}

/// A refused request.
#[derive(Debug)]
pub struct Refusal<'a> {
    /// The reason.
    pub error: &'a ServerError,
    /// The request; `None` if its bytes could not be parsed.
    pub request: Option<&'a Parts>,
    /// The base URL of the service, where [one is set](crate::ServeOptions::base_url).
    pub base_url: Option<&'a str>,
    /// The host for links in a response whose request names no valid host: `localhost` and the port. It is no address
    /// of the machine, which would mean nothing to clients in front of a proxy.
    pub fallback_host: &'a str,
}

/// The reason why the server refuses a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ServerError {
    kind: ServerErrorKind,
    description: Cow<'static, str>,
}

/// The kinds of [`ServerError`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum ServerErrorKind {
    /// The message is not a valid HTTP request (RFC 9112, RFC 9113).
    NotHttp,
    /// The URL is longer than 65,534 bytes.
    UrlTooLong,
    /// There are more than 100 headers, or more than 400 KiB of them.
    HeaderTooLarge,
    /// The body has a transfer coding other than `chunked` (RFC 9112, section 6.1).
    UnknownTransferCoding,
}

impl ServerErrorKind {
    /// The status of the response.
    #[must_use]
    pub const fn status(self) -> StatusCode {
        match self {
            Self::NotHttp => StatusCode::BAD_REQUEST,
            Self::UrlTooLong => StatusCode::URI_TOO_LONG,
            Self::HeaderTooLarge => StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE,
            Self::UnknownTransferCoding => StatusCode::NOT_IMPLEMENTED,
        }
    }
}

impl ServerError {
    pub(crate) fn new(kind: ServerErrorKind, description: impl Into<Cow<'static, str>>) -> Self {
        let description = description.into();
        Self { kind, description }
    }

    /// The kind of the error.
    #[must_use]
    pub const fn kind(&self) -> ServerErrorKind {
        self.kind
    }
}

impl Display for ServerError {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.description)
    }
}

impl Error for ServerError {}

/// Refusals as one line of plain text.
#[derive(Debug, Clone, Copy)]
pub struct PlainText;

impl RenderRefusal for PlainText {
    fn render(refusal: &Refusal<'_>) -> Response<Bytes> {
        let mut response = Response::new(Bytes::from(format!("{}\n", refusal.error)));
        *response.status_mut() = refusal.error.kind().status();
        let plain = HeaderValue::from_static("text/plain; charset=utf-8");
        response.headers_mut().insert(header::CONTENT_TYPE, plain);
        response
    }
}

/// The error of a request body that was not complete within [`body_timeout`](crate::ServeOptions::body_timeout).
/// It is among the sources of the error that reading the body returns.
#[derive(Debug)]
pub struct BodyTimeout {
    /// The timeout of the body.
    pub limit: Duration,
}

impl Display for BodyTimeout {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        let seconds = self.limit.as_secs_f64();
        write!(
            formatter,
            "the body did not arrive within {seconds} seconds; send it faster, or less of it"
        )
    }
}

impl Error for BodyTimeout {}
