use std::sync::Arc;

use axum::Router;
use axum::routing::MethodRouter;

use crate::operation::{self, Service};
use crate::schema::Operation;

/// The routes of one version of a resource, written by the derive.
#[derive(Debug, Clone, Copy)]
pub struct Routes {
    version: &'static str,
    collection: Option<Path>,
    item: Option<Path>,
}

/// A path, and what is served there.
type Path = (&'static str, &'static [Operation]);

impl Routes {
    /// The routes below the path segment `version`; none yet.
    #[must_use]
    pub const fn new(version: &'static str) -> Self {
        Self {
            version,
            collection: None,
            item: None,
        }
    }

    /// Serves the collection at `path`, which starts with a slash.
    #[must_use]
    pub const fn collection(
        mut self,
        path: &'static str,
        operations: &'static [Operation],
    ) -> Self {
        self.collection = Some((path, operations));
        self
    }

    /// Serves an item at `path`, which holds `{id}`.
    #[must_use]
    pub const fn item(mut self, path: &'static str, operations: &'static [Operation]) -> Self {
        self.item = Some((path, operations));
        self
    }

    /// Adds the routes below `root`: under their version, and under `latest` where this version
    /// is the latest of its collection.
    pub(super) fn mount(
        &self,
        router: Router<Arc<Service>>,
        root: &str,
        is_latest: bool,
    ) -> Router<Arc<Service>> {
        let latest = is_latest.then_some("latest");
        let segments: Vec<&str> = std::iter::once(self.version).chain(latest).collect();
        let served = [self.collection, self.item].into_iter().flatten();
        served.fold(router, |router, (path, operations)| {
            let methods = operations.iter().copied().fold(MethodRouter::new(), with);
            segments.iter().fold(router, |router, segment| {
                router.route(&format!("{root}/{segment}{path}"), methods.clone())
            })
        })
    }
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
