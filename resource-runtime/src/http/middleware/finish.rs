//! The middleware that finishes every response: request id, log, errors, caching and other common headers.

use std::collections::BTreeSet;
use std::panic::AssertUnwindSafe;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use axum::extract::Request;
use axum::http::{HeaderMap, HeaderValue, header};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use futures_util::FutureExt as _;
use resource_model::error::{Error, ErrorCode, panic_text};
use tracing::Instrument as _;
use tracing::field::Empty;

use super::Caching;
use super::request_address::{LOCALHOST, RequestAddress, original_uri};
use super::request_id::{REQUEST_ID, header as request_id_header, request_id};
use super::timeout::with_timeout;
use super::trace::{TraceParent, end, trace_span};
use crate::failure::Failure;
use crate::http::extract::{ErrorForm, error_form};
use crate::http::respond::{self, ErrorContext};
use crate::locked::locked;
#[cfg(feature = "metrics")]
use crate::metrics::Metrics;

/// Tells browsers to take `Content-Type` as it is, instead of guessing the type from the body.
const NOSNIFF: HeaderValue = HeaderValue::from_static("nosniff");

/// Settings of the middleware around all routes.
#[derive(Debug, Clone)]
pub(crate) struct MiddlewareSettings {
    /// Base URL of the service; by default, the one that each request was sent to.
    pub(crate) base: Option<Arc<str>>,
    pub(crate) caching: Caching,
    /// All error codes, which have pages.
    pub(crate) codes: Arc<[ErrorCode]>,
    /// True where the API has documentation pages.
    pub(crate) documented: bool,
    /// The paths whose errors are JSON for browsers, too; all without these settings.
    pub(crate) root: Option<Arc<str>>,
    /// The paths of all operations, as templates, for traces.
    pub(crate) routes: Arc<[String]>,
    /// The time within which a response must begin.
    pub(crate) timeout: Option<Duration>,
    #[cfg(feature = "metrics")]
    pub(crate) metrics: Option<Arc<Metrics>>,
}

impl MiddlewareSettings {
    /// Settings without a timeout, without metrics and without custom errors.
    pub(crate) fn new(base: Option<Arc<str>>, caching: Caching) -> Self {
        Self {
            base,
            caching,
            codes: ErrorCode::ALL.into(),
            documented: false,
            root: None,
            routes: Arc::default(),
            timeout: None,
            #[cfg(feature = "metrics")]
            metrics: None,
        }
    }

    /// Tests whether errors at an address are JSON for browsers, too.
    fn has_no_page(&self, address: &RequestAddress) -> bool {
        let root = self.root.as_deref();
        root.is_none_or(|root| address.is_below(root))
    }
}

/// Gives the request its id, turns a failure into the response that suits the request, and logs how the
/// request ended.
///
/// Neither this nor what it calls is an `async fn`, each of which would hold the future of the handler twice.
pub(crate) fn finish(
    settings: Arc<MiddlewareSettings>,
    request: Request,
    next: Next,
) -> impl Future<Output = Response> {
    // Everything that the response depends on is taken now, because the handler consumes the request.
    let started = Instant::now();
    let (mut request, body) = request.into_parts();
    #[cfg(feature = "metrics")]
    let counted = settings.metrics.as_ref().map(|it| it.begin(&mut request));
    conceal(&mut request.headers);
    let address = RequestAddress::of(&request);
    let form = error_form(&request.headers);
    let request_id = request_id(&request.headers);
    let base = settings.base.as_deref();
    let trace = trace_span(&request, &settings.routes, || {
        address.base_url(base, LOCALHOST)
    });
    // A span of the highest level: a filter that shows an error or a warning also shows its request.
    let span = trace.in_scope(|| {
        tracing::error_span!(
            "request",
            id = request_id,
            trace_id = Empty,
            parent_id = Empty,
            method = %request.method,
            path = original_uri(&request).path(),
            operation = Empty,
            resource = Empty,
            version = Empty,
        )
    });
    if !span.is_disabled()
        && let Some(parent) = TraceParent::of(&request.headers)
    {
        span.record("trace_id", parent.trace_id);
        span.record("parent_id", parent.parent_id);
    }
    // Only the text of a late response needs the method.
    let method = request.method.clone();
    let request = Request::from_parts(request, body);
    let handler = with_timeout(settings.timeout, method, caught(next.run(request)));
    let handler = handler.instrument(span.clone());
    handler.instrument(trace.clone()).map(move |response| {
        let _traced = trace.enter();
        let _entered = span.enter();
        // Made before the context takes the text of the id.
        let id = request_id_header(&request_id);
        // The context is made only for failures, as its base URL allocates.
        let (response, error_code) = with_failure(response, &settings.codes, || ErrorContext {
            base: address.base_url(settings.base.as_deref(), LOCALHOST),
            request_id,
            documented: settings.documented,
            // Below the root, browsers are programs, too.
            form: match form {
                ErrorForm::Page if settings.has_no_page(&address) => ErrorForm::Plain,
                form => form,
            },
        });
        let mut response = respond::with_header(response, REQUEST_ID, id);
        let headers = response.headers_mut();
        headers.insert(header::X_CONTENT_TYPE_OPTIONS, NOSNIFF);
        settings.caching.apply(headers);
        let status = response.status().as_u16();
        // The time until the response begins: a streamed body is sent after this.
        let microseconds = u64::try_from(started.elapsed().as_micros()).unwrap_or(u64::MAX);
        tracing::info!(status, error_code, microseconds, "answered");
        end(&trace, status);
        #[cfg(feature = "metrics")]
        if let Some((metrics, counted)) = settings.metrics.as_ref().zip(counted) {
            metrics.observe(&counted, status, started.elapsed());
        }
        response
    })
}

/// Marks credentials as sensitive, so that no log of the headers shows them, however detailed it is.
fn conceal(headers: &mut HeaderMap) {
    let credentials = [header::AUTHORIZATION, header::COOKIE];
    // A header may come several times, and each value is concealed.
    let values = headers.iter_mut();
    for (_, value) in values.filter(|(name, _)| credentials.contains(name)) {
        value.set_sensitive(true);
    }
}

/// Replaces an empty response that carries a failure, or the error of a handler, by the response that describes it, of
/// this error code.
fn with_failure(
    mut response: Response,
    codes: &[ErrorCode],
    context: impl FnOnce() -> ErrorContext,
) -> (Response, Option<u16>) {
    let carried = response.extensions_mut();
    let failure = carried.remove::<Arc<Failure>>();
    let of_handler = || carried.remove::<Error>().map(|it| Arc::new(it.into()));
    let Some(failure) = failure.or_else(of_handler) else {
        return (response, None);
    };
    if let Failure::Refused(refused, _) = &*failure
        && !codes.contains(&refused.code())
    {
        warn_of_unregistered(refused.code());
    }
    let context = context();
    respond::log_failure(&failure, &context);
    let mut rendered = respond::failure(&failure, &context);
    // Headers that axum has added, such as `Allow`, are kept; those of the empty body are not.
    for (name, value) in response.headers() {
        let about_body = [header::CONTENT_LENGTH, header::CONTENT_TYPE].contains(name);
        if !about_body {
            rendered.headers_mut().append(name, value.clone());
        }
    }
    (rendered, failure.code().map(ErrorCode::number))
}

/// Warns once of a custom error that has no page, as nothing has registered it.
fn warn_of_unregistered(code: ErrorCode) {
    static WARNED: Mutex<BTreeSet<u16>> = Mutex::new(BTreeSet::new());
    let (code, title) = (code.number(), code.title());
    if locked(&WARNED).insert(code) {
        tracing::warn!(
            code,
            title,
            "a custom error is not registered, so its page is missing; add it to \
             `Api::builder().errors(&[…])`"
        );
    }
}

/// The response of a handler; its panic becomes an internal failure, like every other defect.
fn caught(running: impl Future<Output = Response>) -> impl Future<Output = Response> {
    let running = AssertUnwindSafe(running).catch_unwind();
    running.map(|response| {
        response.unwrap_or_else(|cause| {
            let text = panic_text(&*cause);
            Failure::internal(format!("a handler panicked: {text}")).into_response()
        })
    })
}

#[cfg(test)]
mod tests {
    use axum::http::{HeaderMap, HeaderValue, header};

    use super::conceal;

    #[test]
    fn credentials_are_not_shown_and_still_there() {
        let mut headers = HeaderMap::new();
        let secret = HeaderValue::from_static("Bearer secret");
        headers.append(header::AUTHORIZATION, secret.clone());
        headers.append(header::AUTHORIZATION, secret.clone());
        headers.append(header::COOKIE, HeaderValue::from_static("session=secret"));
        headers.append(header::ACCEPT, HeaderValue::from_static("text/html"));
        conceal(&mut headers);
        let shown = format!("{headers:?}");
        assert!(!shown.contains("secret"), "{shown}");
        assert!(shown.contains("text/html"), "{shown}");
        assert_eq!(headers[header::AUTHORIZATION], secret);
        assert_eq!(headers.len(), 4);
    }
}
