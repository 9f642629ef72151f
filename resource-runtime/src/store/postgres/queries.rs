use futures_util::TryStreamExt as _;
use resource_model::error::DatabaseResult;
use resource_sql::Statement;
use sqlx::Postgres;
use sqlx::postgres::{PgArguments, PgConnection, PgRow};
use sqlx::query::Query;
use tokio::task::yield_now;

use super::PostgresDatabase;
use super::idle_pool::Purpose;
use super::transaction::query;
use crate::store::driver::{Visited, Visitors};

impl PostgresDatabase {
    /// What is read again is lent to a visitor of its own: the first one has seen rows already.
    pub(super) async fn lend_rows(
        &self,
        statement: Statement,
        visitors: Visitors,
    ) -> DatabaseResult<Visited> {
        let (statement, visitors) = (&statement, &visitors);
        let attempt = |deadline| async move {
            let mut visitor = visitors();
            let mut lease = self.reading(Purpose::Read, deadline).await?;
            let visit = |row: PgRow| {
                visitor.visit(&row)?;
                Ok(visitor.should_yield())
            };
            let rows = self
                .for_each_row(lease.connection()?, statement, visit)
                .await?;
            self.done(lease).await;
            Ok((visitor, rows))
        };
        self.with_retries(attempt).await
    }

    /// The first row that is found by what `ask` makes anew for each attempt.
    pub(super) async fn first_row(
        &self,
        ask: impl Fn() -> DatabaseResult<Query<'static, Postgres, PgArguments>>,
    ) -> DatabaseResult<Option<PgRow>> {
        let ask = &ask;
        let attempt = |deadline| async move {
            let mut lease = self.reading(Purpose::Read, deadline).await?;
            let row = ask()?.fetch_optional(lease.connection()?);
            let row = self.timeout.run(row).await?;
            self.done(lease).await;
            Ok(row)
        };
        self.with_retries(attempt).await
    }

    /// Hands each row to `visit` as it comes, which answers whether other tasks run before the next one;
    /// answers how many there were.
    pub(super) async fn for_each_row(
        &self,
        connection: &mut PgConnection,
        statement: &Statement,
        mut visit: impl FnMut(PgRow) -> DatabaseResult<bool>,
    ) -> DatabaseResult<u64> {
        let mut rows = query(statement)?.fetch(connection);
        let visits = async {
            let mut visited = 0;
            while let Some(row) = rows.try_next().await? {
                match visit(row) {
                    Ok(false) => {}
                    // What has come already is read without a wait, up to a page of many megabytes.
                    Ok(true) => yield_now().await,
                    Err(failure) => return Ok(Err(failure)),
                }
                visited += 1;
            }
            Ok(Ok(visited))
        };
        self.timeout.run(visits).await?
    }
}
