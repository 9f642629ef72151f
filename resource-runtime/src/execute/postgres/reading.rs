use futures_util::TryStreamExt as _;
use sqlx::Row as _;
use sqlx::postgres::PgConnection;
use tokio::time::Instant;

use super::PostgresDatabase;
use super::transaction::query;
use crate::error::DatabaseFailure;
use crate::execute::RowVisitor;
use crate::plan::{PageRead, Statement};

/// A page and its total come from one snapshot.
const SNAPSHOT: &str = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY";

/// What is read again is lent to a visitor of its own: the first one has seen rows already.
impl PostgresDatabase {
    pub(in crate::execute) async fn item<V: RowVisitor>(
        &self,
        statement: Statement,
        visitor: impl Fn() -> V,
    ) -> Result<Option<V>, DatabaseFailure> {
        self.repeated(|deadline| self.item_once(deadline, statement.clone(), visitor()))
            .await
    }

    pub(in crate::execute) async fn page<V: RowVisitor>(
        &self,
        read: PageRead,
        visitor: impl Fn() -> V,
    ) -> Result<(V, u64), DatabaseFailure> {
        self.repeated(|deadline| self.page_once(deadline, read.clone(), visitor()))
            .await
    }

    pub(in crate::execute) async fn finds(
        &self,
        statement: Statement,
    ) -> Result<bool, DatabaseFailure> {
        self.repeated(|deadline| self.finds_once(deadline, statement.clone()))
            .await
    }

    async fn item_once<V: RowVisitor>(
        &self,
        deadline: Instant,
        statement: Statement,
        mut visitor: V,
    ) -> Result<Option<V>, DatabaseFailure> {
        let mut lease = self.lease(deadline).await?;
        let rows = self.step(&mut lease, statement, &mut visitor).await?;
        Ok((rows > 0).then_some(visitor))
    }

    async fn page_once<V: RowVisitor>(
        &self,
        deadline: Instant,
        read: PageRead,
        mut visitor: V,
    ) -> Result<(V, u64), DatabaseFailure> {
        // Nothing waits for its end: what has only read is rolled back as well as committed.
        let mut snapshot = self.lease(deadline).await?.begin(SNAPSHOT).await?;
        let rows = match read.rows.clone() {
            Some(statement) => self.step(&mut snapshot, statement, &mut visitor).await?,
            None => 0,
        };
        let total = match read.total_told_by(rows) {
            Some(total) => total,
            None => self.count(&mut snapshot, read.count).await?,
        };
        Ok((visitor, total))
    }

    async fn finds_once(
        &self,
        deadline: Instant,
        statement: Statement,
    ) -> Result<bool, DatabaseFailure> {
        let mut lease = self.lease(deadline).await?;
        let row = query(statement)?.fetch_optional(&mut *lease);
        Ok(self.watch.step(row).await?.is_some())
    }

    async fn step(
        &self,
        connection: &mut PgConnection,
        statement: Statement,
        visitor: &mut impl RowVisitor,
    ) -> Result<u64, DatabaseFailure> {
        let mut rows = query(statement)?.fetch(connection);
        let visits = async {
            let mut visited = 0;
            while let Some(row) = rows.try_next().await? {
                if let Err(failure) = visitor.visit(&row) {
                    return Ok(Err(failure));
                }
                visited += 1;
            }
            Ok(Ok(visited))
        };
        self.watch.step(visits).await?
    }

    async fn count(
        &self,
        connection: &mut PgConnection,
        statement: Statement,
    ) -> Result<u64, DatabaseFailure> {
        let row = query(statement)?.fetch_one(connection);
        let row = self.watch.step(row).await?;
        let count: i64 = row.try_get(0).map_err(DatabaseFailure::unexpected)?;
        u64::try_from(count).map_err(DatabaseFailure::unexpected)
    }
}
