//! A folder for a database that is removed with its last clone.

use std::fs::DirBuilder;
use std::hash::{BuildHasher as _, RandomState};
use std::io;
use std::path::{Path, PathBuf};

/// A folder for its owner alone, in the system's folder of temporary files; removed when it is dropped.
#[derive(Debug)]
pub(super) struct TemporaryFolder(PathBuf);

impl TemporaryFolder {
    pub(super) fn create() -> io::Result<Self> {
        // `RandomState` is seeded by the system, so names differ between processes, too.
        let name = format!("resource-{:016x}", RandomState::new().hash_one(0));
        let folder = std::env::temp_dir().join(name);
        #[cfg_attr(not(unix), allow(unused_mut, reason = "other systems have no modes"))]
        let mut builder = DirBuilder::new();
        #[cfg(unix)]
        std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
        // An existing folder, which may be anybody's, is an error.
        builder.create(&folder)?;
        Ok(Self(folder))
    }

    pub(super) fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for TemporaryFolder {
    fn drop(&mut self) {
        // Nobody is left to be told of an error; the system empties this folder at times.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

#[cfg(test)]
mod tests {
    use crate::Database;
    use crate::store::sqlite::SqliteDatabase;

    #[tokio::test]
    async fn folder_of_a_temporary_database_goes_with_its_last_clone() {
        let database = SqliteDatabase::temporary(&Database::options()).await;
        let database = database.unwrap();
        let folder = database.temporary.as_ref().unwrap().path().to_owned();
        let clone = database.clone();
        drop(database);
        assert!(folder.join("items.db").is_file());
        drop(clone);
        assert!(!folder.exists());
    }
}
