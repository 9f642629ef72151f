//! The router of an API: the routes of its resources, indexes, error pages and documents.

use std::any::TypeId;
use std::sync::Arc;

use axum::Router;
use axum::extract::Request;
use axum::http::Method;
use axum::http::request::Parts;
use axum::middleware::{Next, from_fn};
use axum::routing::{MethodRouter, get};
use hyper_util::service::TowerToHyperService;
use resource_model::schema::{Operation, ResourceDefinition, Routes};

use super::deprecation::Notice;
use super::middleware::{MiddlewareSettings, finish};
use super::pages::{self, Index};
use super::{OfferedDocuments, ServedResource, ServedVersions, fallback, item, list, respond};

/// A version of a resource with its place in the router.
#[derive(Debug, Clone)]
pub(crate) struct Mount {
    pub(crate) routes: &'static Routes,
    pub(crate) resource: Arc<ServedResource>,
    pub(crate) is_latest: bool,
    /// The struct that the resource was registered by.
    pub(crate) type_id: TypeId,
}

impl Mount {
    pub(crate) fn definition(&self) -> &'static ResourceDefinition {
        self.resource.service.definition
    }

    /// The paths of the operations below `root`, as templates.
    pub(crate) fn paths(&self, root: &str) -> impl Iterator<Item = String> {
        self.routes.paths().flat_map(move |(path, _)| {
            segments(self.routes, self.is_latest).map(move |it| format!("{root}/{it}{path}"))
        })
    }
}

/// The documentation of an API: its routes, and the documents that each version has.
#[derive(Debug, Default)]
pub(crate) struct Documents {
    pub(crate) routes: Router,
    pub(crate) offered: OfferedDocuments,
}

/// The whole API as one axum router; `extra_routes` holds further routes, such as health checks.
pub(crate) fn router(
    mounts: &[Mount],
    served_versions: &Arc<ServedVersions>,
    documents: Documents,
    extra_routes: Router,
    settings: &MiddlewareSettings,
) -> Router {
    let documented = documents.offered.pages;
    let mut deprecated = Vec::new();
    let resources = mounts.iter().fold(Router::new(), |router, mount| {
        // One state for each version of a resource; the handlers are compiled once, not for every struct.
        let routes = mounted(mount.routes, served_versions.root(), mount.is_latest);
        let routes = routes.with_state(mount.resource.clone());
        let Some(notice) = Notice::of(mount, served_versions.root(), documented) else {
            return router.merge(routes);
        };
        deprecated.push((notice, routes));
        router
    });
    let versions = served_versions.segments().into_iter();
    let indexes = versions.fold(resources, |router, version| {
        let index = Index {
            version,
            versions: served_versions.clone(),
            base: settings.base.clone(),
            offered: documents.offered,
        };
        let path = index.path();
        // A closure for each segment, as `latest` lists resources of several versions.
        router.route(&path, get(async move |request: Parts| index.show(&request)))
    });
    let (codes, listed) = (settings.codes.clone(), settings.codes.clone());
    let error_page = async move |path| pages::error_page(path, &codes, documented);
    let routes = indexes
        .merge(documents.routes)
        .merge(extra_routes)
        // All errors link to their pages, whose paths do not depend on the root.
        .route(
            "/errors",
            get(async move || respond::error_list(&listed, documented)),
        )
        .route("/errors/{code}", get(error_page));
    let without_fallback = TowerToHyperService::new(routes.clone());
    // axum sets this fallback on the routes that exist by now, so it comes after all of them.
    let routes = routes.method_not_allowed_fallback(async move |request: Request| {
        fallback::method_not_allowed(&without_fallback, request).await
    });
    let (versions, base) = (served_versions.clone(), settings.base.clone());
    let unrouted = async move |request: Parts| {
        // A route would be in the way of the application's own.
        if documented && pages::is_top(&request) {
            return pages::to_documentation(&request, base.as_deref());
        }
        fallback::unrouted(&versions, &request)
    };
    // The middleware wraps the fallback, too, so that the refusal of an unknown path is a response like any other.
    let current = with_middleware(routes.fallback(unrouted), settings.clone());
    // Notices lie around the middleware: what it answers itself, as after a timeout, has them, too.
    let announced = deprecated
        .into_iter()
        .map(|(notice, routes)| notice.around(with_middleware(routes, settings.clone())));
    let routes = announced.fold(current, Router::merge);
    // The same routes again for decoded paths: usual ones have matched before, and pay nothing for decoding.
    let decoded = TowerToHyperService::new(routes.clone());
    routes.fallback(async move |request: Request| fallback::decoded(&decoded, request).await)
}

/// Wraps routes in the middleware: those of an API, or others outside of it, such as metrics.
pub(crate) fn with_middleware(routes: Router, settings: MiddlewareSettings) -> Router {
    // Shared, since every request gets a clone of the closure.
    let settings = Arc::new(settings);
    routes.layer(from_fn(move |request: Request, next: Next| {
        finish(Arc::clone(&settings), request, next)
    }))
}

/// The routes of a resource below `root`: under their version, and under `latest` where this version is the
/// latest of its collection.
fn mounted(routes: &Routes, root: &str, is_latest: bool) -> Router<Arc<ServedResource>> {
    routes
        .paths()
        .fold(Router::new(), |router, (path, operations)| {
            // All methods of a path go into one `MethodRouter`, from which axum makes the header `Allow`.
            let other = async move |method: Method| fallback::other_method(&method, operations);
            let methods = MethodRouter::new().fallback(other);
            let methods = operations.iter().copied().fold(methods, add_handler);
            segments(routes, is_latest).fold(router, |router, segment| {
                router.route(&format!("{root}/{segment}{path}"), methods.clone())
            })
        })
}

/// The segments of a version in paths.
fn segments(routes: &Routes, is_latest: bool) -> impl Iterator<Item = &str> {
    let latest = is_latest.then_some("latest");
    std::iter::once(routes.version()).chain(latest)
}

/// Adds the handler of an operation to the methods of a path.
fn add_handler(
    methods: MethodRouter<Arc<ServedResource>>,
    operation: Operation,
) -> MethodRouter<Arc<ServedResource>> {
    match operation {
        Operation::List => methods.get(list::list),
        Operation::Retrieve => methods.get(item::retrieve),
        Operation::Create => methods.post(item::create),
        Operation::Update => methods.put(item::update).patch(item::update),
        Operation::Delete => methods.delete(item::delete),
    }
}
