use std::sync::Arc;

use axum::Router;
use axum::routing::MethodRouter;

use crate::operation::Service;

/// The routes of one version of a resource, written by the derive.
#[derive(Debug, Clone)]
pub struct Routes {
    version: &'static str,
    paths: Vec<(&'static str, MethodRouter<Arc<Service>>)>,
}

impl Routes {
    /// The routes below the path segment `version`; none yet.
    #[must_use]
    pub const fn new(version: &'static str) -> Self {
        Self {
            version,
            paths: Vec::new(),
        }
    }

    /// Serves the collection at `path`, which starts with a slash.
    #[must_use]
    pub fn collection(self, path: &'static str, methods: MethodRouter<Arc<Service>>) -> Self {
        self.path(path, methods)
    }

    /// Serves an item at `path`, which holds `{id}`.
    #[must_use]
    pub fn item(self, path: &'static str, methods: MethodRouter<Arc<Service>>) -> Self {
        self.path(path, methods)
    }

    fn path(mut self, path: &'static str, methods: MethodRouter<Arc<Service>>) -> Self {
        self.paths.push((path, methods));
        self
    }

    /// Adds the routes below `root`: under their version, and under `latest` where this version
    /// is the latest of its collection.
    pub(super) fn mount(
        self,
        router: Router<Arc<Service>>,
        root: &str,
        is_latest: bool,
    ) -> Router<Arc<Service>> {
        let latest = is_latest.then_some("latest");
        let segments: Vec<&str> = std::iter::once(self.version).chain(latest).collect();
        self.paths
            .into_iter()
            .fold(router, |router, (path, methods)| {
                segments.iter().fold(router, |router, segment| {
                    router.route(&format!("{root}/{segment}{path}"), methods.clone())
                })
            })
    }
}
