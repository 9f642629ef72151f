//! Databases of a test's own, which are gone when it ends.

use resource_runtime::Database;

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
        match Database::temporary().await {
            Ok(database) => Self {
                database,
                #[cfg(feature = "postgres")]
                _schema: None,
            },
            Err(error) => panic!("{error}"),
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

    use super::TestDatabase;

    /// Variable of the environment with the URL of the server.
    const VARIABLE: &str = "TEST_DATABASE_URL";

    impl TestDatabase {
        /// A schema on the server that the variable `TEST_DATABASE_URL` names:
        /// `postgres://<user>@<host>/<database>`. Panics without it, and where the role may not create schemas.
        pub async fn postgres() -> Self {
            match std::env::var(VARIABLE) {
                Ok(url) => Self::postgres_at(&url).await,
                Err(error) => panic!(
                    "{VARIABLE}: {error}; set it to the URL of a PostgreSQL server for tests, as in \
                     `{VARIABLE}=postgres://user@localhost/database cargo test`"
                ),
            }
        }

        /// A schema on the server at `url`. Panics where the role may not create schemas.
        pub async fn postgres_at(url: &str) -> Self {
            let schema = Schema {
                server: url.to_owned(),
                // `RandomState` is seeded by the system, so names differ between processes, too.
                name: format!("test_{:016x}", RandomState::new().hash_one(0)),
            };
            if let Err(error) = schema
                .execute(format!("CREATE SCHEMA {}", schema.name))
                .await
            {
                panic!("cannot create a schema for a test on the server of {VARIABLE}: {error}");
            }
            let separator = if url.contains('?') { '&' } else { '?' };
            // The search path confines the service to its schema, although its statements name none.
            let url = format!("{url}{separator}options=-c%20search_path%3D{}", schema.name);
            match Database::connect(&url).await {
                Ok(database) => Self {
                    database,
                    _schema: Some(schema),
                },
                Err(error) => panic!("{error}"),
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
        fn remove(&self) -> Result<(), Box<dyn std::error::Error>> {
            let runtime = runtime::Builder::new_current_thread()
                .enable_all()
                .build()?;
            let name = &self.name;
            let statements = format!("SET lock_timeout = '5s'; DROP SCHEMA {name} CASCADE");
            Ok(runtime.block_on(self.execute(statements))?)
        }
    }

    impl Drop for Schema {
        fn drop(&mut self) {
            // A thread of its own, since a thread of the test's runtime must not block on a future.
            let removed = thread::scope(|scope| {
                let remove = || self.remove().map_err(|error| error.to_string());
                scope.spawn(remove).join()
            });
            if let Ok(Err(error)) = removed {
                eprintln!("the schema {} of a test is left behind: {error}", self.name);
            }
        }
    }
}
