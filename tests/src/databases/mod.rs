//! Databases of the tests: SQLite files, PostgreSQL schemas, servers of a test's own, and poolers.

mod backend;
mod binaries;
mod cluster;
mod pooler;
mod program;
mod schema;
mod search;
mod server;

use std::path::PathBuf;
use std::sync::Arc;

use resource_runtime::ApiBuilder;
use resource_testing::{TestApi, TestClock};
use tempfile::TempDir;

pub use backend::Backend;
pub use cluster::{Cluster, free_port};
pub use pooler::Pooler;
pub use program::{OtherProgram, Refusal};

use crate::block_on;
use schema::Schema;

/// A database of a test's own: an SQLite file in a temporary folder, or a schema on the PostgreSQL server.
/// Removed when the last clone is dropped.
#[derive(Debug, Clone)]
pub struct TestDatabase {
    url: String,
    folder: Option<Arc<TempDir>>,
    /// Dropped with the last clone.
    _schema: Option<Arc<Schema>>,
}

impl Default for TestDatabase {
    /// A new database of the kind under test.
    fn default() -> Self {
        match Backend::under_test() {
            Backend::Sqlite => Self::sqlite(),
            Backend::Postgres => Self::schema(server()),
        }
    }
}

impl TestDatabase {
    /// A file of SQLite.
    #[must_use]
    pub fn sqlite() -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        Self {
            url: format!("sqlite://{}", folder.path().join(FILE).display()),
            folder: Some(Arc::new(folder)),
            _schema: None,
        }
    }

    /// The database at this URL of a PostgreSQL server, with the tables that it holds already.
    #[must_use]
    pub fn at(url: &str) -> Self {
        Self {
            url: url.to_owned(),
            folder: None,
            _schema: None,
        }
    }

    /// A schema on the PostgreSQL server that tests share; `None` where there is none.
    #[must_use]
    pub fn postgres() -> Option<Self> {
        server::url().map(Self::schema)
    }

    /// A new schema on the PostgreSQL server at `url`.
    #[must_use]
    pub fn schema(url: &str) -> Self {
        let schema = Schema::create(url);
        let separator = if url.contains('?') { '&' } else { '?' };
        let name = &schema.name;
        Self {
            // The search path confines a service to its schema, although its statements name no schema.
            url: format!("{url}{separator}options=-c%20search_path%3D{name}"),
            folder: None,
            _schema: Some(Arc::new(schema)),
        }
    }

    /// This database, opened with further options of a PostgreSQL server's command line, as they stand in a
    /// URL.
    #[must_use]
    pub fn with_options(mut self, options: &str) -> Self {
        self.url.push_str(options);
        self
    }

    /// The URL under which a service opens it.
    #[must_use]
    pub fn url(&self) -> String {
        self.url.clone()
    }

    /// Path of the file, which exists as soon as a service has opened it.
    #[must_use]
    #[track_caller]
    pub fn path(&self) -> PathBuf {
        let folder = self.folder.as_ref().expect("a file of SQLite");
        folder.path().join(FILE)
    }

    /// Connects another program beside the service.
    #[must_use]
    pub fn other_program(&self) -> OtherProgram {
        match &self.folder {
            Some(_) => OtherProgram::on_sqlite(&self.path()),
            None => OtherProgram::on_postgres(&self.url),
        }
    }
}

const FILE: &str = "items.db";

/// The API of `builder` on a new database of the kind under test, without a port.
pub(crate) fn test_api(builder: ApiBuilder) -> TestApi {
    block_on(async {
        let database = match Backend::under_test() {
            Backend::Sqlite => resource_testing::TestDatabase::sqlite().await,
            Backend::Postgres => resource_testing::TestDatabase::postgres_at(server()).await,
        };
        TestApi::on(database, TestClock::new(), builder).await
    })
}

fn server() -> &'static str {
    server::url().expect("tests on PostgreSQL run where there is one")
}
