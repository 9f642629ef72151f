use futures_util::TryStreamExt as _;
use sqlx::postgres::PgConnection;
use sqlx::{Connection as _, Row as _};

use super::PostgresDatabase;
use super::failure::of;
use super::transaction::query;
use crate::error::DatabaseFailure;
use crate::execute::RowVisitor;
use crate::plan::{PageRead, Statement};

/// A page and its total come from one snapshot.
const SNAPSHOT: &str = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY";

impl PostgresDatabase {
    pub(in crate::execute) async fn item<V: RowVisitor>(
        &self,
        statement: Statement,
        mut visitor: V,
    ) -> Result<Option<V>, DatabaseFailure> {
        let mut connection = self.pool.acquire().await.map_err(|error| of(&error))?;
        let rows = step(&mut connection, statement, &mut visitor).await?;
        Ok((rows > 0).then_some(visitor))
    }

    pub(in crate::execute) async fn page<V: RowVisitor>(
        &self,
        read: PageRead,
        mut visitor: V,
    ) -> Result<(V, u64), DatabaseFailure> {
        let mut connection = self.pool.acquire().await.map_err(|error| of(&error))?;
        let snapshot = connection.begin_with(SNAPSHOT).await;
        let mut snapshot = snapshot.map_err(|error| of(&error))?;
        let rows = match read.rows.clone() {
            Some(statement) => step(&mut snapshot, statement, &mut visitor).await?,
            None => 0,
        };
        let total = match read.total_told_by(rows) {
            Some(total) => total,
            None => count(&mut snapshot, read.count).await?,
        };
        snapshot.commit().await.map_err(|error| of(&error))?;
        Ok((visitor, total))
    }

    pub(in crate::execute) async fn finds(
        &self,
        statement: Statement,
    ) -> Result<bool, DatabaseFailure> {
        let row = query(statement)?.fetch_optional(&self.pool).await;
        Ok(row.map_err(|error| of(&error))?.is_some())
    }
}

async fn step(
    connection: &mut PgConnection,
    statement: Statement,
    visitor: &mut impl RowVisitor,
) -> Result<u64, DatabaseFailure> {
    let mut rows = query(statement)?.fetch(connection);
    let mut visited = 0;
    while let Some(row) = rows.try_next().await.map_err(|error| of(&error))? {
        visitor.visit(&row)?;
        visited += 1;
    }
    Ok(visited)
}

async fn count(
    connection: &mut PgConnection,
    statement: Statement,
) -> Result<u64, DatabaseFailure> {
    let row = query(statement)?.fetch_one(connection).await;
    let row = row.map_err(|error| of(&error))?;
    let count: i64 = row.try_get(0).map_err(DatabaseFailure::unexpected)?;
    u64::try_from(count).map_err(DatabaseFailure::unexpected)
}
