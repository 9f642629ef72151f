use axum::extract::OriginalUri;
use axum::http::request::Parts;
use axum::http::uri::Authority;
use axum::http::{HeaderValue, Uri, header};

/// Where a client sent its request, kept for the answers that say where something is: few do.
#[derive(Debug)]
pub(super) struct Origin {
    uri: Uri,
    host: Option<HeaderValue>,
    /// How much of the path stands before what the router sees.
    nested: usize,
}

impl Origin {
    pub(super) fn of(request: &Parts) -> Self {
        Self {
            uri: original_uri(request).clone(),
            host: request.headers.get(header::HOST).cloned(),
            nested: nested_under(request).len(),
        }
    }

    /// Where clients find this service: as set, or as this request addressed it, with the path that
    /// the router is nested under.
    pub(super) fn base_url(&self, base: Option<&str>) -> String {
        if let Some(base) = base {
            return base.to_owned();
        }
        let scheme = self.uri.scheme_str().unwrap_or("http");
        let host = self.host.as_ref();
        let host = host.and_then(|host| host.to_str().ok()?.parse().ok());
        let authority: Option<Authority> = self.uri.authority().cloned().or(host);
        let authority = authority.filter(|authority| !authority.as_str().contains('@'));
        let authority = authority.as_ref().map_or("localhost", Authority::as_str);
        let nested = self.uri.path().get(..self.nested).unwrap_or_default();
        format!("{scheme}://{authority}{nested}")
    }
}

/// The path that the router is nested under; empty where it is not.
pub(crate) fn nested_under(request: &Parts) -> &str {
    let nested = original_uri(request)
        .path()
        .strip_suffix(request.uri.path());
    nested.unwrap_or_default()
}

/// The URI as the client sent it; a router that is nested sees a shorter one.
pub(super) fn original_uri(request: &Parts) -> &Uri {
    let original = request.extensions.get::<OriginalUri>();
    original.map_or(&request.uri, |original| &original.0)
}
