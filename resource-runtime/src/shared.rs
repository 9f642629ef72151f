//! Parts of the runtime for packages that serve routes of their own beside an API: its middleware, its pages, and the
//! texts of requests and errors.

use axum::Router;
use axum::http::StatusCode;
use axum::response::Response;
pub use resource_model::error::{did_you_mean, panic_text, truncate_for_display};

use crate::http;
pub use crate::http::extract::{Undecodable, form_decoded};
use crate::http::middleware::{Caching, MiddlewareSettings, VariesBy};
use crate::http::respond::Page;
pub use crate::http::respond::STYLE as STYLE_SHEET;

/// Wraps routes in the middleware of an API, for a router that is merged with that of an API: request ids, a line in the
/// log for each request, a response if a handler panics, and no caching. `varies_by_origin` adds `Vary: Origin` (RFC
/// 9110, section 12.5.5).
///
/// ```
/// use axum::Router;
/// use axum::routing::get;
/// use resource_runtime::shared::with_middleware;
///
/// let routes = Router::new().route("/status", get(|| async { "fine" }));
/// let routes: Router = with_middleware(routes, false);
/// # drop(routes);
/// ```
pub fn with_middleware(routes: Router, varies_by_origin: bool) -> Router {
    let varies_by = VariesBy {
        origin: varies_by_origin,
        ..VariesBy::default()
    };
    let settings = MiddlewareSettings::new(None, Caching::none(varies_by));
    http::with_middleware(routes, settings)
}

/// A page that looks like those of the service, loads nothing and has neither a script nor a form. The title is plain text,
/// and the body is HTML.
///
/// ```
/// use axum::http::StatusCode;
/// use resource_runtime::shared::page;
///
/// let gone = page(StatusCode::GONE, "Closed", "<h1>Closed</h1>\n<p>This shop has closed.</p>\n");
/// assert!(gone.headers().contains_key("content-security-policy"));
/// ```
#[must_use]
pub fn page(status: StatusCode, title: &str, body: &str) -> Response {
    let page = Page {
        title,
        body,
        ..Page::default()
    };
    page.response(status)
}
