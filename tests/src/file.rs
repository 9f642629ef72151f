use std::path::PathBuf;
use std::sync::Arc;

use tempfile::TempDir;

/// An SQLite file in a folder of its own, which goes when the last clone is dropped.
#[derive(Debug, Clone)]
pub struct DatabaseFile(Arc<TempDir>);

impl Default for DatabaseFile {
    fn default() -> Self {
        Self(Arc::new(tempfile::tempdir().expect("a temporary folder")))
    }
}

impl DatabaseFile {
    /// Where the file is, or will be as soon as a service opens it.
    #[must_use]
    pub fn path(&self) -> PathBuf {
        self.0.path().join("items.db")
    }

    /// The URL under which a service opens it.
    #[must_use]
    pub fn url(&self) -> String {
        format!("sqlite://{}", self.path().display())
    }
}
