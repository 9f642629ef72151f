//! PostgreSQL: a pool of connections, each statement prepared once on each of them.

mod arguments;
mod connect;
mod decode;
mod failure;
mod reading;
mod row;
mod stored;
mod transaction;

use sqlx::PgPool;

use super::DatabaseOptions;
use crate::error::{DatabaseFailure, Error};
pub(super) use stored::stored_tables;
pub(crate) use transaction::PostgresTransaction;

/// Clones share the connections.
#[derive(Debug, Clone)]
pub(super) struct PostgresDatabase {
    pool: PgPool,
}

impl PostgresDatabase {
    pub(super) async fn open(url: &str, options: &DatabaseOptions) -> Result<Self, Error> {
        let pool = connect::pool(url, options).await?;
        Ok(Self { pool })
    }

    pub(super) async fn begin(&self) -> Result<PostgresTransaction, DatabaseFailure> {
        PostgresTransaction::begin(&self.pool).await
    }
}
