use std::sync::Arc;

use axum::Router;
use axum::extract::Request;
use axum::http::Uri;
use axum::http::request::Parts;
use axum::middleware::{Next, from_fn};
use axum::routing::get;
use tower_http::catch_panic::CatchPanicLayer;

use super::{Answers, Around, Catalogue, Routes, fallback, finish, pages};
use crate::operation::Service;

/// One version of a resource with its place in the router.
#[derive(Debug, Clone)]
pub(crate) struct Mount {
    pub(crate) routes: Routes,
    pub(crate) service: Arc<Service>,
    pub(crate) is_latest: bool,
}

/// The whole API as one axum router; `beside` it are what describes it and how it is.
pub(crate) fn router(
    mounts: &[Mount],
    catalogue: &Arc<Catalogue>,
    beside: Router,
    answers: &Answers,
    around: Around,
) -> Router {
    let resources = mounts.iter().fold(Router::new(), |router, mount| {
        let routes = mount.routes.clone();
        let routes = routes.mount(Router::new(), catalogue.root(), mount.is_latest);
        router.merge(routes.with_state(mount.service.clone()))
    });
    let indexes = catalogue
        .segments()
        .into_iter()
        .fold(resources, |router, version| {
            index_route(router, version, catalogue.clone(), answers.base.clone())
        });
    let lost = catalogue.clone();
    let routes = indexes
        .merge(beside)
        .route("/errors/{code}", get(pages::error_page))
        .fallback(move |uri: Uri| {
            let lost = lost.clone();
            async move { fallback::unknown_path(&lost, &uri) }
        })
        .method_not_allowed_fallback(fallback::other_method);
    surrounded(routes, answers.clone(), around)
}

/// With the outermost layer around all that is routed.
#[cfg(feature = "oauth2-server")]
pub(crate) fn finished(routes: Router, answers: Answers) -> Router {
    surrounded(routes, answers, Around::default())
}

fn surrounded(routes: Router, answers: Answers, around: Around) -> Router {
    let all = Arc::new((answers, around));
    routes
        .layer(CatchPanicLayer::custom(finish::panicked))
        .layer(from_fn(move |request: Request, next: Next| {
            finish::finish(Arc::clone(&all), request, next)
        }))
}

fn index_route(
    router: Router,
    version: String,
    catalogue: Arc<Catalogue>,
    base: Option<Arc<str>>,
) -> Router {
    let path = format!("{}/{version}", catalogue.root());
    router.route(
        &path,
        get(move |request: Parts| async move {
            pages::index(&catalogue, &version, base.as_deref(), &request)
        }),
    )
}
