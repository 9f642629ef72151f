//! Databases of a test's own, which are gone when it ends.

use resource_runtime::Database;

use crate::must;

/// A database of a test's own, which is removed when it is dropped: a file of SQLite, or a schema on a PostgreSQL
/// server.
#[derive(Debug)]
pub struct TestDatabase {
    pub(crate) database: Database,
    #[cfg(feature = "postgres")]
    _schema: Option<postgres::Schema>,
}

impl TestDatabase {
    /// A [temporary](Database::temporary) file of SQLite. Panics where there can be none.
    pub async fn sqlite() -> Self {
        let database = Database::temporary().await;
        Self {
            database: must("no database for the test", database),
            #[cfg(feature = "postgres")]
            _schema: None,
        }
    }
}

#[cfg(feature = "postgres")]
mod postgres {
    use std::hash::{BuildHasher as _, RandomState};
    use std::thread;

    use resource_runtime::Database;
    use resource_runtime::sqlx::{self, AssertSqlSafe, Connection as _, PgConnection};
    use tokio::runtime;

    use super::{TestDatabase, must};

    impl TestDatabase {
        /// A schema on the server that the variable `TEST_DATABASE_URL` names:
        /// `postgres://<user>@<host>/<database>`. Panics without it, and where the role may not create schemas.
        pub async fn postgres() -> Self {
            let url = must(
                "set `TEST_DATABASE_URL` to the URL of a PostgreSQL server for tests, as in \
                 `TEST_DATABASE_URL=postgres://user@localhost/database cargo test`",
                std::env::var("TEST_DATABASE_URL"),
            );
            Self::postgres_at(&url).await
        }

        /// A schema on the server at `url`. Panics where the role may not create schemas.
        pub async fn postgres_at(url: &str) -> Self {
            let schema = Schema {
                server: url.to_owned(),
                // `RandomState` is seeded by the system, so names differ between processes, too.
                name: format!("test_{:016x}", RandomState::new().hash_one(0)),
            };
            let created = schema
                .execute(format!("CREATE SCHEMA {}", schema.name))
                .await;
            must("no schema for the test", created);
            let separator = if url.contains('?') { '&' } else { '?' };
            // The search path confines the service to its schema, although its statements name none.
            let url = format!("{url}{separator}options=-c%20search_path%3D{}", schema.name);
            let database = Database::connect(&url).await;
            Self {
                database: must("no database for the test", database),
                _schema: Some(schema),
            }
        }
    }

    /// A schema on a server, dropped with this.
    #[derive(Debug)]
    pub(super) struct Schema {
        server: String,
        name: String,
    }

    impl Schema {
        async fn execute(&self, statements: String) -> sqlx::Result<()> {
            let mut server = PgConnection::connect(&self.server).await?;
            let statements = sqlx::raw_sql(AssertSqlSafe(statements));
            statements.execute(&mut server).await?;
            server.close().await
        }

        /// Drops the schema, unless a transaction that the test left open keeps a lock on it.
        fn remove(&self) -> sqlx::Result<()> {
            let runtime = runtime::Builder::new_current_thread()
                .enable_all()
                .build()?;
            let name = &self.name;
            let statements = format!("SET lock_timeout = '5s'; DROP SCHEMA {name} CASCADE");
            runtime.block_on(self.execute(statements))
        }
    }

    impl Drop for Schema {
        fn drop(&mut self) {
            // A thread of its own, since a thread of the test's runtime must not block on a future.
            let removed = thread::scope(|scope| scope.spawn(|| self.remove()).join());
            if let Ok(Err(error)) = removed {
                eprintln!("the schema {} of a test is left behind: {error}", self.name);
            }
        }
    }
}
