//! Documentation pages, each with a content security policy: an index, and a reference that sends requests.
//! Nothing on them is from other sites.

mod asset;
mod changes;
mod index;

use axum::Router;
use axum::body::Bytes;
use axum::http::{HeaderMap, HeaderValue, header};
use axum::routing::{MethodRouter, get};

use crate::http::respond::STYLE_POLICY;
use asset::Asset;
pub(crate) use index::{Overview, VersionDocs};

/// Content security policy of the reference: Swagger UI needs its own files, and styles and images that it
/// makes. Its requests go to this service alone.
const REFERENCE_POLICY: HeaderValue = HeaderValue::from_static(
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; \
     img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; \
     frame-ancestors 'none'",
);

/// The routes of `/docs`, which stand at the same place whatever the root is.
pub(crate) fn router(overview: &Overview<'_>) -> Router {
    // All pages are written once, because they depend on definitions alone.
    // The index needs no scripts, so its policy is the stricter one.
    let top = page_route(index::page(overview), STYLE_POLICY);
    let router = Router::new().route("/docs", top);
    let router = match changes::page(overview) {
        Some(page) => router.route("/docs/changes", page_route(page, STYLE_POLICY)),
        None => router,
    };
    let router = overview.versions.iter().fold(router, |router, version| {
        let page = index::reference(overview, version);
        let path = format!("/docs/{}", version.segment);
        router.route(&path, page_route(page, REFERENCE_POLICY))
    });
    Asset::all().iter().fold(router, |router, asset| {
        // The hash is in the query string, which routing ignores, so an older page gets the current file.
        let path = format!("/docs/assets/{}", asset.name);
        let response = async |headers: HeaderMap| asset.response(&headers);
        router.route(&path, get(response))
    })
}

/// The route of a page that never changes.
fn page_route(page: String, policy: HeaderValue) -> MethodRouter {
    let content_type = HeaderValue::from_static("text/html; charset=utf-8");
    let headers = [
        (header::CONTENT_TYPE, content_type),
        (header::CONTENT_SECURITY_POLICY, policy),
    ];
    // Each response shares these bytes.
    let page = Bytes::from(page);
    get(async move || (headers, page))
}
