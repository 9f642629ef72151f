//! A PostgreSQL schema of a test's own, dropped with it.

use resource_runtime::sqlx::{self, AssertSqlSafe, Connection as _, PgConnection};
use uuid::Uuid;

use super::server;
use crate::block_on;

/// A schema of a test's own on a PostgreSQL server.
#[derive(Debug)]
pub(super) struct Schema {
    server: String,
    pub(super) name: String,
}

impl Schema {
    pub(super) fn create(server: &str) -> Self {
        let schema = Self {
            server: server.to_owned(),
            name: format!("test_{}", Uuid::now_v7().simple()),
        };
        let created = schema.send(format!("CREATE SCHEMA {}", schema.name));
        created.expect("a schema");
        schema
    }

    fn send(&self, statement: String) -> sqlx::Result<()> {
        block_on(async {
            let mut server = PgConnection::connect(&self.server).await?;
            let statement = sqlx::raw_sql(AssertSqlSafe(statement));
            statement.execute(&mut server).await.map(drop)
        })
    }
}

impl Drop for Schema {
    fn drop(&mut self) {
        // A server that the tests started is removed with all that it holds.
        if server::is_external(&self.server) {
            // The server may be gone already, which must not fail the test.
            let _ = self.send(format!("DROP SCHEMA {} CASCADE", self.name));
        }
    }
}
