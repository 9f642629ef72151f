//! The routes of the derive, mounted on a router.

use std::sync::Arc;

use axum::Router;
use axum::routing::MethodRouter;
use resource_model::schema::{Operation, Routes};

use super::{ServedResource, create, delete, list, retrieve, update};

/// Adds the routes below `root`: under their version, and under `latest` where this version is the latest of
/// its collection.
pub(super) fn mounted(
    routes: &Routes,
    onto: Router<Arc<ServedResource>>,
    root: &str,
    is_latest: bool,
) -> Router<Arc<ServedResource>> {
    let latest = is_latest.then_some("latest");
    let segments: Vec<&str> = std::iter::once(routes.version()).chain(latest).collect();
    routes.paths().fold(onto, |router, (path, operations)| {
        let methods = operations.iter().copied().fold(MethodRouter::new(), with);
        segments.iter().fold(router, |router, segment| {
            router.route(&format!("{root}/{segment}{path}"), methods.clone())
        })
    })
}

fn with(
    methods: MethodRouter<Arc<ServedResource>>,
    operation: Operation,
) -> MethodRouter<Arc<ServedResource>> {
    match operation {
        Operation::List => methods.get(list),
        Operation::Retrieve => methods.get(retrieve),
        Operation::Create => methods.post(create),
        Operation::Update => methods.put(update),
        Operation::Delete => methods.delete(delete),
    }
}
