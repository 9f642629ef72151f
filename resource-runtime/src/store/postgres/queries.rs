//! Reads outside of transactions, with retries.

use std::future::ready;

use futures_util::{Stream, TryFutureExt as _, TryStreamExt as _};
use resource_model::error::DatabaseResult;
use resource_sql::Statement;
use sqlx::postgres::{PgArguments, PgConnection, PgRow};
use sqlx::query::Query;
use sqlx::{Executor as _, Postgres};
use tokio::task::yield_now;

use super::PostgresDatabase;
use super::connection_pool::Purpose;
use super::lists::final_once_sent;
use super::pipeline::ITEM_ROOM;
use super::transaction::query;
use crate::store::driver::{ReadKind, Visited, Visitors};
use crate::store::{Row, RowVisitor};

impl PostgresDatabase {
    /// Lends the rows to a visitor. Each attempt has a new one, since the last one may have seen rows.
    pub(super) async fn lend_rows(
        &self,
        statement: Statement,
        kind: ReadKind,
        visitors: Visitors,
    ) -> DatabaseResult<Visited> {
        if kind == ReadKind::FewKeys {
            let mut visitor = visitors();
            let pipelines = &self.pipelines;
            let read = pipelines.read(ITEM_ROOM, &statement, &mut *visitor, |_| Ok(()));
            if let Some(rows) = read.await {
                return Ok((visitor, rows?));
            }
        }
        let purpose = match kind {
            ReadKind::FewKeys | ReadKind::Item => Purpose::Read,
            ReadKind::List => Purpose::List,
        };
        // Borrowed by every attempt, none of which may consume them.
        let (statement, visitors) = (&statement, &visitors);
        let attempt = |deadline| async move {
            let mut visitor = visitors();
            let mut lease = self.lease_for_read(purpose, deadline).await?;
            let connection = lease.connection()?;
            let rows = self.lend(connection, statement, &mut *visitor, |_| Ok(()));
            let rows = rows.await?;
            // Only after success: the drop of an unfinished lease waits for the server in the background.
            self.finish_read(lease).await;
            Ok((visitor, rows))
        };
        let attempt = |deadline| attempt(deadline).map_err(final_once_sent(visitors));
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

    /// Lends the rows of a statement to a visitor, each once it is inspected; returns their number.
    pub(super) async fn lend(
        &self,
        connection: &mut PgConnection,
        statement: &Statement,
        visitor: &mut dyn RowVisitor,
        inspect: impl FnMut(&PgRow) -> DatabaseResult<()>,
    ) -> DatabaseResult<u64> {
        let rows = rows(connection, statement)?;
        // One future for all rows: the statement timeout limits the whole result, not each row.
        self.timeout.run(lend_each(rows, visitor, inspect)).await?
    }
}

/// The rows of a statement. `fetch` would box this stream once more, which costs as much as the rest of a row.
pub(super) fn rows<'all>(
    connection: &'all mut PgConnection,
    statement: &Statement,
) -> DatabaseResult<impl Stream<Item = sqlx::Result<PgRow>> + Send + Unpin + use<'all>> {
    let results = connection.fetch_many(query(statement)?);
    // The end of the rows is a result, too.
    Ok(results.try_filter_map(|it| ready(Ok(it.right()))))
}

/// Lends rows to a visitor as they arrive, so that memory never holds the whole result; returns their number. The inner
/// failure is the visitor's, which is no fault of the server, and makes no connection stale.
pub(super) async fn lend_each<R: Row, E>(
    mut rows: impl Stream<Item = Result<R, E>> + Unpin,
    visitor: &mut dyn RowVisitor,
    mut inspect: impl FnMut(&R) -> DatabaseResult<()>,
) -> Result<DatabaseResult<u64>, E> {
    let mut number = 0;
    while let Some(row) = rows.try_next().await? {
        if let Err(failure) = inspect(&row).and_then(|()| visitor.visit(&row)) {
            return Ok(Err(failure));
        }
        // Rows that have arrived never suspend the task, and a page may have many megabytes.
        if visitor.should_yield() {
            yield_now().await;
        }
        number += 1;
    }
    Ok(Ok(number))
}
