//! The trace that a request belongs to: the ids in its header `traceparent`, and its span for tracers.

use axum::http::HeaderMap;
use axum::http::request::Parts;
use tracing::field::Empty;
use tracing::{Level, Span};

use super::request_address::{nested_under, original_uri};
use crate::conventions::{OTHER_METHOD, conventional_method};

const TRACEPARENT: &str = "traceparent";

/// Collectors of traces know this target, which others use, too.
const TARGET: &str = "otel::tracing";

/// The ids of a trace, and of the span of the caller within it (W3C Trace Context).
#[derive(Debug, PartialEq, Eq)]
pub(super) struct TraceParent<'header> {
    pub(super) trace_id: &'header str,
    pub(super) parent_id: &'header str,
}

impl<'header> TraceParent<'header> {
    /// The ids in a valid header. An invalid one counts as none, as the specification wants it.
    pub(super) fn of(headers: &'header HeaderMap) -> Option<Self> {
        let mut sent = headers.get_all(TRACEPARENT).into_iter();
        let (Some(only), None) = (sent.next(), sent.next()) else {
            return None;
        };
        let mut parts = only.to_str().ok()?.splitn(5, '-');
        let mut part = |length| parts.next().filter(|it| is_hexadecimal(it, length));
        let (version, trace_id, parent_id) = (part(2)?, part(32)?, part(16)?);
        let flags = part(2);
        // Later versions may have more parts, this one has four.
        let is_whole = flags.is_some() && (version != "00" || parts.next().is_none());
        let is_zero = |id: &str| id.bytes().all(|byte| byte == b'0');
        let is_valid = is_whole && version != "ff" && !is_zero(trace_id) && !is_zero(parent_id);
        is_valid.then_some(Self {
            trace_id,
            parent_id,
        })
    }
}

fn is_hexadecimal(text: &str, length: usize) -> bool {
    let is_digit = |byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
    text.len() == length && text.bytes().all(is_digit)
}

/// Begins the span of a request for tracers, with the names of OpenTelemetry's semantic conventions for HTTP servers. It is
/// beside the span of the log, so that lines of the log stay short, and costs next to nothing unless a subscriber wants its target.
/// The query is left out, as it may hold what clients keep secret.
pub(super) fn trace_span(
    request: &Parts,
    routes: &[String],
    base_url: impl FnOnce() -> String,
) -> Span {
    // A span evaluates its fields even where it is off, in a program whose `tracing` has the feature `log`.
    if !tracing::span_enabled!(target: TARGET, Level::TRACE) {
        return Span::none();
    }
    let method = conventional_method(&request.method);
    let span = tracing::trace_span!(
        target: TARGET,
        "HTTP request",
        otel.kind = "server",
        otel.name = Empty,
        otel.status_code = Empty,
        http.request.method = method.unwrap_or(OTHER_METHOD),
        http.response.status_code = Empty,
        http.route = Empty,
        url.path = original_uri(request).path(),
        url.scheme = base_url().split(':').next(),
    );
    let shown = method.unwrap_or("HTTP");
    let mut name = shown.to_owned();
    let route = routes.iter().find(|it| matches(it, request.uri.path()));
    if let Some(route) = route {
        let route = format!("{}{route}", nested_under(request));
        span.record("http.route", &*route);
        name = format!("{shown} {route}");
    }
    // Collectors take the name of a span that nobody has entered yet, and none later.
    span.record("otel.name", name);
    span
}

/// Records the response of a request. A client's mistake is none of the service.
pub(super) fn end(span: &Span, status: u16) {
    span.record("http.response.status_code", status);
    if status >= 500 {
        span.record("otel.status_code", "ERROR");
    }
}

/// Tests whether a path is one of a template, whose last segment may stand for any key.
fn matches(template: &str, path: &str) -> bool {
    match template.strip_suffix("{id}") {
        None => template == path,
        Some(collection) => {
            let key = path.strip_prefix(collection);
            key.is_some_and(|it| !it.is_empty() && !it.contains('/'))
        }
    }
}

#[cfg(test)]
mod tests {
    use axum::http::{HeaderMap, HeaderValue};

    use super::{TRACEPARENT, TraceParent, matches};

    const TRACE: &str = "4bf92f3577b34da6a3ce929d0e0e4736";
    const PARENT: &str = "00f067aa0ba902b7";

    fn is_valid(sent: &[String]) -> bool {
        let mut headers = HeaderMap::new();
        for sent in sent {
            headers.append(TRACEPARENT, HeaderValue::from_str(sent).unwrap());
        }
        let expected = TraceParent {
            trace_id: TRACE,
            parent_id: PARENT,
        };
        let found = TraceParent::of(&headers);
        assert!(found.as_ref().is_none_or(|it| *it == expected), "{found:?}");
        found.is_some()
    }

    #[test]
    fn valid_headers_have_two_ids() {
        let sent = format!("00-{TRACE}-{PARENT}-01");
        assert!(is_valid(std::slice::from_ref(&sent)));
        // A later version may have more.
        assert!(is_valid(&[format!("cc-{TRACE}-{PARENT}-01-what-else")]));
        assert!(!is_valid(&[sent.clone(), sent]));
    }

    #[test]
    fn invalid_headers_count_as_none() {
        let (zeros, upper) = ("0".repeat(32), TRACE.to_uppercase());
        for sent in [
            String::new(),
            format!("00-{TRACE}-{PARENT}"),
            format!("00-{TRACE}-{PARENT}-1"),
            format!("00-{TRACE}-{PARENT}-01-more"),
            format!("ff-{TRACE}-{PARENT}-01"),
            format!("00-{zeros}-{PARENT}-01"),
            format!("00-{TRACE}-0000000000000000-01"),
            format!("00-{upper}-{PARENT}-01"),
            format!("00-{PARENT}-{TRACE}-01"),
        ] {
            assert!(!is_valid(std::slice::from_ref(&sent)), "{sent}");
        }
    }

    #[test]
    fn paths_match_templates_of_collections_and_items() {
        let [collection, item] = ["/api/1.0/settings", "/api/1.0/settings/{id}"];
        assert!(matches(collection, "/api/1.0/settings"));
        assert!(matches(item, "/api/1.0/settings/7,b"));
        for path in ["/api/1.0/settings/", "/api/1.0/settings/7/8", "/api/1.0"] {
            assert!(!matches(collection, path) && !matches(item, path), "{path}");
        }
    }
}
