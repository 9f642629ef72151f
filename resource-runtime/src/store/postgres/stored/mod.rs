//! What the tables on a server are like, as its catalogue tells it.

mod columns;
mod foreign_keys;
mod indexes;
mod sequences;

use std::slice;

use resource_model::error::DatabaseFailure;
use resource_model::schema::{StoredColumn, StoredTable, Table};
use sqlx::PgConnection;
use tokio::time::{Instant, timeout};

use super::PostgresDatabase;
use super::failure::of;
use super::places::Purpose;
use super::watch::silent;

/// Whether what has the name is a table, one in partitions among them.
const IS_TABLE: &str = r"
    SELECT relkind IN ('r', 'p') FROM pg_class WHERE oid = to_regclass(quote_ident($1))";

impl PostgresDatabase {
    /// Each of these tables as the server has it.
    pub(in crate::store::postgres) async fn read_stored_tables(
        &self,
        needed: &[Table],
    ) -> Result<Vec<Option<StoredTable>>, DatabaseFailure> {
        let mut lease = self
            .reading(Purpose::Read, Instant::now() + self.acquire_timeout)
            .await?;
        let mut stored = Vec::with_capacity(needed.len());
        for table in needed {
            let read = stored_tables(lease.connection()?, slice::from_ref(table));
            stored.extend(match self.watch.limit {
                Some(limit) => timeout(limit, read)
                    .await
                    .unwrap_or_else(|_| Err(of(&silent(limit))))?,
                None => read.await?,
            });
        }
        self.done(lease).await;
        Ok(stored)
    }
}

/// Each of these tables as this connection sees it.
pub(in crate::store::postgres) async fn stored_tables(
    connection: &mut PgConnection,
    needed: &[Table],
) -> Result<Vec<Option<StoredTable>>, DatabaseFailure> {
    let mut stored = Vec::with_capacity(needed.len());
    for table in needed {
        let name = table.name.as_str();
        let read = read(&mut *connection, name).await;
        let mut read = read.map_err(|error| of(&error))?;
        if let Some(stored) = read.as_mut().filter(|stored| stored.is_table) {
            stored.behind = sequences::behind(&mut *connection, table, stored).await?;
        }
        stored.push(read);
    }
    Ok(stored)
}

async fn read(
    connection: &mut PgConnection,
    table: &'static str,
) -> sqlx::Result<Option<StoredTable>> {
    let is_table = sqlx::query_scalar(IS_TABLE).bind(table);
    let Some(is_table) = is_table.fetch_optional(&mut *connection).await? else {
        return Ok(None);
    };
    let columns = columns::read(&mut *connection, table).await?;
    let indexes = indexes::read(&mut *connection, table).await?;
    let foreign_keys = foreign_keys::read(&mut *connection, table).await?;
    let primary_key = indexes::primary_key(&indexes);
    let assigns = |column: &StoredColumn| primary_key == [&*column.name] && column.has_default;
    Ok(Some(StoredTable {
        is_table,
        assigns_key: columns.iter().any(assigns),
        // A sequence goes on, whatever is deleted.
        assigns_key_again: false,
        behind: None,
        unique: indexes::unique(&indexes),
        indexes: indexes::finding(&indexes),
        foreign_keys,
        conflicts: Vec::new(),
        primary_key,
        columns,
    }))
}
