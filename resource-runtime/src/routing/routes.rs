//! The routes of the derive, mounted on a router.

use std::sync::Arc;

use axum::Router;
use axum::routing::MethodRouter;

use crate::operation::{self, Service};
use crate::schema::{Operation, Routes};

/// Adds the routes below `root`: under their version, and under `latest` where this version is the latest of
/// its collection.
pub(super) fn mounted(
    routes: &Routes,
    onto: Router<Arc<Service>>,
    root: &str,
    is_latest: bool,
) -> Router<Arc<Service>> {
    let latest = is_latest.then_some("latest");
    let segments: Vec<&str> = std::iter::once(routes.version()).chain(latest).collect();
    routes.paths().fold(onto, |router, (path, operations)| {
        let methods = operations.iter().copied().fold(MethodRouter::new(), with);
        segments.iter().fold(router, |router, segment| {
            router.route(&format!("{root}/{segment}{path}"), methods.clone())
        })
    })
}

fn with(methods: MethodRouter<Arc<Service>>, operation: Operation) -> MethodRouter<Arc<Service>> {
    match operation {
        Operation::List => methods.get(operation::list),
        Operation::Retrieve => methods.get(operation::retrieve),
        Operation::Create => methods.post(operation::create),
        Operation::Update => methods.put(operation::update),
        Operation::Delete => methods.delete(operation::delete),
    }
}
