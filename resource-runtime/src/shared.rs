//! Parts of the runtime for packages that serve routes of their own beside an API: its middleware, and the texts of
//! requests and errors.

use axum::Router;
pub use resource_model::error::{did_you_mean, panic_text, truncate_for_display};

use crate::http;
pub use crate::http::extract::{Undecodable, form_decoded};
use crate::http::middleware::{Caching, MiddlewareSettings, VariesBy};

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
