//! Reads outside of transactions, with retries.

use futures_util::{TryFutureExt as _, TryStreamExt as _};
use resource_model::error::DatabaseResult;
use resource_sql::Statement;
use sqlx::postgres::{PgArguments, PgConnection, PgRow};
use sqlx::query::Query;
use sqlx::{Either, Executor as _, Postgres};
use tokio::task::yield_now;

use super::PostgresDatabase;
use super::connection_pool::Purpose;
use super::lists::attempt_failure;
use super::transaction::query;
use crate::store::driver::{ReadKind, Visited, Visitors};

impl PostgresDatabase {
    /// Lends the rows to a visitor. Each attempt has a new one, since the last one may have seen rows.
    pub(super) async fn lend_rows(
        &self,
        statement: Statement,
        kind: ReadKind,
        visitors: Visitors,
    ) -> DatabaseResult<Visited> {
        if kind == ReadKind::Quick {
            let mut visitor = visitors();
            let read = self.pipelines.read(&statement, &mut *visitor, |_| Ok(()));
            if let Some(rows) = read.await {
                return Ok((visitor, rows?));
            }
        }
        let purpose = match kind {
            ReadKind::Quick | ReadKind::Item => Purpose::Read,
            ReadKind::List => Purpose::List,
        };
        // Borrowed by every attempt, none of which may consume them.
        let (statement, visitors) = (&statement, &visitors);
        let attempt = |deadline| async move {
            let mut visitor = visitors();
            let mut lease = self.lease_for_read(purpose, deadline).await?;
            // Rows are encoded as they arrive, so that memory never holds the whole result.
            let visit = |row: PgRow| {
                visitor.visit(&row)?;
                Ok(visitor.should_yield())
            };
            let rows = self
                .for_each_row(lease.connection()?, statement, visit)
                .await?;
            // Only after success: the drop of an unfinished lease waits for the server in the background.
            self.finish_read(lease).await;
            Ok((visitor, rows))
        };
        // Asked after the failure, as for a page.
        let attempt =
            |deadline| attempt(deadline).map_err(|failure| attempt_failure(failure, &*visitors()));
        self.with_retries(attempt).await
    }

    /// The first row of a query, which `query` builds anew for each attempt.
    pub(super) async fn first_row(
        &self,
        query: impl Fn() -> DatabaseResult<Query<'static, Postgres, PgArguments>>,
    ) -> DatabaseResult<Option<PgRow>> {
        let query = &query;
        let attempt = |deadline| async move {
            let mut lease = self.lease_for_read(Purpose::Read, deadline).await?;
            // A query of sqlx is consumed by its execution.
            let row = query()?.fetch_optional(lease.connection()?);
            let row = self.timeout.run(row).await?;
            self.finish_read(lease).await;
            Ok(row)
        };
        self.with_retries(attempt).await
    }

    /// Passes each row to `visit` as it arrives; returns their number. Other tasks run before the next row
    /// where `visit` returns true.
    pub(super) async fn for_each_row(
        &self,
        connection: &mut PgConnection,
        statement: &Statement,
        mut visit: impl FnMut(PgRow) -> DatabaseResult<bool>,
    ) -> DatabaseResult<u64> {
        // `fetch` would wrap this stream in another one, which costs as much as the rest of a row.
        let mut results = connection.fetch_many(query(statement)?);
        // One future for all rows: the statement timeout limits the whole result, not each row.
        let visits = async {
            let mut visited = 0;
            while let Some(result) = results.try_next().await? {
                // The end of the rows is a result, too.
                let Either::Right(row) = result else { continue };
                match visit(row) {
                    Ok(false) => {}
                    // Rows that have arrived never suspend the task, and a page may have many megabytes.
                    Ok(true) => yield_now().await,
                    // The failure of a visitor is no fault of the server, and makes no connection stale.
                    Err(failure) => return Ok(Err(failure)),
                }
                visited += 1;
            }
            Ok(Ok(visited))
        };
        self.timeout.run(visits).await?
    }
}
