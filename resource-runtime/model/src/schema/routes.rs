//! The routes of a resource as data: paths, and the operations that are served at each.

use super::Operation;

/// The routes of one version of a resource, written by the derive.
#[derive(Debug, Clone, Copy)]
pub struct Routes {
    version: &'static str,
    collection: Option<Path>,
    item: Option<Path>,
}

/// A path and the operations that are served there.
pub(crate) type Path = (&'static str, &'static [Operation]);

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

    /// The routes of the operations that only read.
    pub(crate) fn reading(mut self) -> Self {
        for path in [&mut self.collection, &mut self.item] {
            let read = path.map(|(path, operations)| (path, Operation::reading(operations)));
            *path = read.filter(|(_, operations)| !operations.is_empty());
        }
        self
    }

    /// The path segment of the version.
    #[doc(hidden)]
    pub const fn version(&self) -> &'static str {
        self.version
    }

    /// The paths that have operations.
    #[doc(hidden)]
    pub fn paths(&self) -> impl Iterator<Item = Path> {
        // A path that the derive did not set has no operations.
        [self.collection, self.item].into_iter().flatten()
    }
}
