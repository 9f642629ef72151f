//! The URL at which a client reached the service, for links in responses.

use axum::extract::OriginalUri;
use axum::http::request::Parts;
use axum::http::uri::Authority;
use axum::http::{HeaderValue, Uri};
use resource_server::authority;

/// The host in links where a request names no valid one.
pub(crate) const LOCALHOST: &str = "localhost";

/// The address to which a client sent its request. Its URL is built only for the few responses that need it.
#[derive(Debug)]
pub(crate) struct RequestAddress {
    uri: Uri,
    host: Option<HeaderValue>,
    /// Length of the path prefix that the router does not see, in bytes.
    nested: usize,
}

impl RequestAddress {
    pub(crate) fn of(request: &Parts) -> Self {
        Self {
            uri: original_uri(request).clone(),
            host: authority::host(&request.headers).cloned(),
            nested: nested_under(request).len(),
        }
    }

    /// Tests whether the path is `root`, or below it; every path is below an empty one.
    pub(super) fn is_below(&self, root: &str) -> bool {
        let path = self.uri.path().get(self.nested..).unwrap_or_default();
        let rest = path.strip_prefix(root);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    }

    /// The base URL of the service: as set, or as this request addressed it, with the path that the router is
    /// nested under. `fallback_host` replaces a host that is missing or not valid.
    pub(crate) fn base_url(&self, base: Option<&str>, fallback_host: &str) -> String {
        if let Some(base) = base {
            return base.to_owned();
        }
        // A request in origin form names no scheme, and the server itself has no TLS. Behind a proxy with
        // TLS, the base URL is to be set.
        let scheme = match self.uri.scheme_str() {
            Some("https") => "https",
            _ => "http",
        };
        // The authority of the URI comes before the header `Host` (RFC 9112, section 3.2.2).
        let authority = self.uri.authority().map(Authority::as_str);
        let named = authority.or_else(|| self.host.as_ref()?.to_str().ok());
        let valid = named.filter(|it| authority::is_valid(it.as_bytes()));
        let authority = valid.unwrap_or(fallback_host);
        // The prefix is in the path that the client sent, in its own spelling.
        let nested = self.uri.path().get(..self.nested).unwrap_or_default();
        format!("{scheme}://{authority}{nested}")
    }
}

/// The path that the router is nested under; empty where it is not.
pub(crate) fn nested_under(request: &Parts) -> &str {
    let original = original_uri(request).path();
    original
        .strip_suffix(request.uri.path())
        .unwrap_or_default()
}

/// The URI with the prefix that a nested router does not see: as the client sent it or, behind
/// `equivalent::normalise_path`, with the routed part decoded.
pub(crate) fn original_uri(request: &Parts) -> &Uri {
    let original = request.extensions.get::<OriginalUri>();
    original.map_or(&request.uri, |original| &original.0)
}
