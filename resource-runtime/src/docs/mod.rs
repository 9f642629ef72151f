//! Documentation pages, each with a content security policy: an index, and a reference that sends requests.
//! Nothing on them is from other sites.

mod asset;
mod changes;
mod index;
mod log_in;

use axum::Router;
use axum::body::Bytes;
use axum::http::{HeaderMap, HeaderValue, header};
use axum::routing::{MethodRouter, get};

use crate::http::respond::STYLE_POLICY;
use asset::Asset;
pub(crate) use index::{Overview, VersionDocs};
pub(crate) use log_in::LogIn;

/// Content security policy of the reference: Swagger UI needs its own files, and styles and images that it
/// makes. Its requests go to this service, and to the origin at which the log-in gets tokens.
fn reference_policy(log_in: Option<&LogIn>) -> HeaderValue {
    let origin = log_in.map_or_else(String::new, |it| format!(" {}", it.token_origin));
    let policy = format!(
        "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; \
         img-src 'self' data:; connect-src 'self'{origin}; base-uri 'none'; form-action 'none'; \
         frame-ancestors 'none'"
    );
    // Of an origin that has only the characters of one, the text is always a header value.
    HeaderValue::try_from(policy).unwrap_or(STYLE_POLICY)
}

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
    let policy = reference_policy(overview.log_in.as_ref());
    let router = overview.versions.iter().fold(router, |router, version| {
        let page = index::reference(overview, version);
        let path = format!("/docs/{}", version.segment);
        router.route(&path, page_route(page, policy.clone()))
    });
    let router = match overview.log_in {
        Some(_) => router.route("/docs/oauth2-redirect", page_route(log_in::page(), policy)),
        None => router,
    };
    Asset::all().fold(router, |router, asset| {
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
