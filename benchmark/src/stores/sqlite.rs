//! SQLite files of the subjects: a seeded one, and its copies.

use std::fs::{self, File};

use rusqlite::Connection;
use tempfile::TempDir;
use tokio::runtime::Runtime;

use crate::Outcome;
use crate::subjects::derive;

const SEED: &str = "seed";

/// Settings of the connection that writes the rows: nobody misses a file that was written in part.
const HASTE: &str =
    "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -400000";

/// Files in a temporary folder.
pub(crate) struct Files(TempDir);

impl Files {
    pub(super) fn seeded(rows: u64, statements: &[&str]) -> Outcome<Self> {
        let files = Self(TempDir::new()?);
        Runtime::new()?.block_on(derive::create_tables(&files.url(SEED)))?;
        let connection = Connection::open(files.path(SEED))?;
        connection.execute_batch(HASTE)?;
        let transaction = connection.unchecked_transaction()?;
        for statement in statements {
            transaction.execute(statement, [i64::try_from(rows)?])?;
        }
        transaction.commit()?;
        connection.execute_batch("PRAGMA journal_mode = WAL")?;
        // Otherwise the disk would still write the rows when the first changes wait for it.
        File::open(files.path(SEED))?.sync_all()?;
        Ok(files)
    }

    pub(super) fn seed(&self) -> String {
        self.url(SEED)
    }

    pub(super) fn copy(&self, name: &str) -> Outcome<String> {
        // The rest of an earlier copy would be taken for a part of this one.
        let log = self.path(name).with_extension("db-wal");
        if log.exists() {
            fs::remove_file(log)?;
        }
        fs::copy(self.path(SEED), self.path(name))?;
        Ok(self.url(name))
    }

    fn path(&self, name: &str) -> std::path::PathBuf {
        self.0.path().join(name).with_extension("db")
    }

    fn url(&self, name: &str) -> String {
        format!("sqlite://{}", self.path(name).display())
    }
}
