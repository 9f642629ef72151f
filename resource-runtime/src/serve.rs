//! The server of `resource-server`, whose refusals have the form of every error of an API.

use std::future::Future;
use std::io;

use axum::Router;
use axum::body::Bytes;
use axum::http::{HeaderName, HeaderValue, Response, header};
use resource_model::error::{ApiError, ErrorCode};
use resource_server::{Refusal, RenderRefusal, ServerErrorKind};
use tokio::net::TcpListener;

use crate::http::extract::{ErrorForm, error_form};
use crate::http::middleware::{
    REQUEST_ID, RequestAddress, fresh_request_id, request_id, request_id_header,
};
use crate::http::respond::{self, ErrorContext};

/// The headers of every refusal, besides the request id and those of its body. Without `no-store`, a shared
/// cache might store some of the statuses and serve them to other clients of the same URL.
const HEADERS: [(HeaderName, &str); 3] = [
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::VARY, "Accept"),
    (header::CACHE_CONTROL, "no-store"),
];

/// Settings of the server: time limits of clients, connections, shutdown.
///
/// A body that is late is refused with the code 10050. Set
/// [`body_timeout`](resource_server::ServeOptions::body_timeout) together with
/// [`ApiBuilder::body_limit`](crate::ApiBuilder::body_limit), and
/// [`base_url`](resource_server::ServeOptions::base_url) as
/// [`ApiBuilder::base_url`](crate::ApiBuilder::base_url); the command line takes it over.
///
/// ```
/// use std::time::Duration;
///
/// use axum::Router;
/// use resource_runtime::ServeOptions;
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> std::io::Result<()> {
/// let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await?;
/// let stop = async { /* the moment to stop */ };
/// ServeOptions::new()
///     .body_timeout(Duration::from_mins(2))
///     .connections(500)
///     .serve_until(listener, Router::new(), stop)
///     .await
/// # }
/// ```
pub type ServeOptions = resource_server::ServeOptions<ApiErrors>;

/// Refusals of the server in the form of every error of an API.
#[derive(Debug, Clone, Copy)]
pub struct ApiErrors;

impl RenderRefusal for ApiErrors {
    fn render(refusal: &Refusal<'_>) -> Response<Bytes> {
        let context = context(refusal);
        let error = ApiError::new(code(refusal.error.kind()), refusal.error.to_string());
        let (request_id, code) = (&context.request_id, error.code().number());
        // A refusal of the server never reaches the middleware of the API, which logs all other requests.
        tracing::info!(
            request_id,
            code,
            description = error.description(),
            "refused by the server"
        );
        let mut response = respond::error(&error, &context);
        let headers = response.headers_mut();
        if let Some(id) = request_id_header(request_id) {
            headers.insert(REQUEST_ID, id);
        }
        // The middleware adds its own values of these to all other responses.
        for (name, value) in HEADERS {
            headers.insert(name, HeaderValue::from_static(value));
        }
        response
    }
}

fn context(refusal: &Refusal<'_>) -> ErrorContext {
    // A request that could not be read has no headers with the host or the preferred format.
    let Some(request) = refusal.request else {
        let fallback = || format!("http://{}", refusal.fallback_host);
        return ErrorContext {
            base: refusal.base_url.map_or_else(fallback, str::to_owned),
            request_id: fresh_request_id(),
            documented: false,
            form: ErrorForm::Plain,
        };
    };
    ErrorContext {
        base: RequestAddress::of(request).base_url(refusal.base_url, refusal.fallback_host),
        request_id: request_id(&request.headers),
        documented: false,
        form: error_form(&request.headers),
    }
}

const fn code(kind: ServerErrorKind) -> ErrorCode {
    match kind {
        ServerErrorKind::UrlTooLong => ErrorCode::UrlTooLong,
        ServerErrorKind::HeaderTooLarge => ErrorCode::HeaderTooLarge,
        ServerErrorKind::UnknownTransferCoding => ErrorCode::UnknownTransferCoding,
        // The kinds are not exhaustive; a new one is at least a request that the server does not take.
        _ => ErrorCode::NotHttp,
    }
}

/// Serves `app` on `listener` until the process is asked to stop, by SIGTERM or Ctrl-C. Then `/readyz` says
/// so for as long as [`drain`](resource_server::ServeOptions::drain) tells; after that, the server takes no
/// further connection, closes those that are idle, answers the requests in flight for up to 10 seconds, and
/// returns.
///
/// The server speaks HTTP/1.1 and HTTP/2 without TLS. Clients that keep the service waiting are cut off;
/// [`ServeOptions`] tells when, and changes it.
///
/// # Errors
///
/// Signals cannot be waited for.
///
/// ```no_run
/// # async fn example(app: axum::Router) -> std::io::Result<()> {
/// let listener = tokio::net::TcpListener::bind("127.0.0.1:8080").await?;
/// resource_runtime::serve(listener, app).await
/// # }
/// ```
pub async fn serve(listener: TcpListener, app: Router) -> io::Result<()> {
    ServeOptions::new().serve(listener, app).await
}

/// Serves `app` on `listener` until `stop` ends, then as [`serve`] does.
///
/// # Errors
///
/// None: a connection that fails ends alone, and a listener that fails accepts again.
///
/// ```
/// use axum::Router;
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> std::io::Result<()> {
/// let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await?;
/// let stop = async { /* the moment to stop */ };
/// resource_runtime::serve_until(listener, Router::new(), stop).await
/// # }
/// ```
pub async fn serve_until(
    listener: TcpListener,
    app: Router,
    stop: impl Future<Output = ()> + Send + 'static,
) -> io::Result<()> {
    ServeOptions::new().serve_until(listener, app, stop).await
}
