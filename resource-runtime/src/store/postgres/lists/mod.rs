//! Lists on PostgreSQL: each page with the total of its own snapshot.
//!
//! A page is quick, but counting a large collection costs as much as a hundred pages. A list takes the
//! first of these ways that applies:
//!
//! 1. **The filter names a few keys**: page and total are [pipelined](super::pipeline), as reads by key are.
//! 2. **The total is cached** ([`totals`]): the page is read on the condition that no transaction that wrote
//!    has ended since the count ([`PageQuery::rows_while`]). If one has, the server reads nothing, and the
//!    list continues with the next way. A page that was quick is so again while nothing changes, and is
//!    [pipelined](super::pipeline).
//! 3. **Another list needs the same count** ([`coalesce`]): at most two lists with the same count read at a
//!    time. Later ones queue, and a leader reads for up to 64 of them in one snapshot: equal pages once, the count
//!    once.
//! 4. **One statement for rows and total** ([`PageQuery::rows_with_total`]): the last row of a full page
//!    carries the total; the total of a page that is not full follows from its length, without a count. A
//!    page past the end has no row to carry it: its rows are read again and counted, as two statements in one
//!    new snapshot.
//!
//! Callers with different rights never share: the rows that a caller may see are part of the statement, and
//! only equal statements with equal values share a count or a page.

mod coalesce;
mod totals;

use std::sync::Arc;
use std::time::Duration;

use futures_util::TryFutureExt as _;
use resource_model::error::{DatabaseFailure, DatabaseResult};
use resource_model::value::ValueRef;
use resource_sql::PageQuery;
use sqlx::Row as _;
use sqlx::postgres::{PgConnection, PgRow};
use tokio::time::Instant;

use super::PostgresDatabase;
use super::connection_pool::Purpose;
use super::pipeline::PAGE_ROOM;
use super::retry::retry_until;
use super::transaction::query;
use crate::store::driver::{Visited, Visitors};
use crate::store::row::NoValues;
use crate::store::{Row, RowVisitor};
pub(super) use coalesce::{Flights, LeaderGuard};
use coalesce::{PageReadError, Role};
use totals::CacheState;
pub(super) use totals::Totals;

/// Longest time to read a page that is pipelined from then on.
const QUICK: Duration = Duration::from_millis(5);

impl PostgresDatabase {
    /// Reads a page and its total by the first way that applies.
    pub(super) async fn read_page(
        &self,
        query: PageQuery,
        visitors: Visitors,
    ) -> DatabaseResult<Visited> {
        // One deadline for all ways: a list that falls back to the next one does not wait longer in total.
        let (query, deadline) = (Arc::new(query), Instant::now() + self.acquire_timeout);
        if query.has_few_keys
            && let Some(page) = self.page_of_few_keys(&query, visitors()).await
        {
            return page;
        }
        let attempt = |deadline| {
            let page = self.page_with_cached_total(deadline, &query, &visitors);
            page.map_err(final_once_sent(&visitors))
        };
        if let Some(page) = retry_until(deadline, attempt).await? {
            return Ok(page);
        }
        match self.flights.join(&query, deadline) {
            Role::Leader(flight) => {
                // The leases of all attempts hold it, so that the share in the flight ends with the last one.
                let leader = Arc::new(LeaderGuard::new(self, flight));
                let attempt = |deadline| {
                    let page = self.page(deadline, &query, &leader, visitors());
                    page.map_err(final_once_sent(&visitors))
                };
                retry_until(deadline, attempt).await
            }
            Role::Follower(handle) => {
                // The leader has retried for its followers, so that a failure is final here.
                let page = self.flights.follow(handle, deadline).await?;
                let mut visitor = visitors();
                let total = page.lend(&mut *visitor).await?;
                Ok((visitor, total))
            }
        }
    }

    /// A page of few keys with its total, pipelined; none where it has to be read in another way.
    async fn page_of_few_keys(
        &self,
        query: &PageQuery,
        mut visitor: Box<dyn RowVisitor>,
    ) -> Option<DatabaseResult<Visited>> {
        // Hooks that format items may take long.
        let statement = query.rows_with_total(None);
        let statement = statement.filter(|_| visitor.runs_no_hook())?;
        let mut tagged = None;
        let inspect = |row: &tokio_postgres::Row| find_total(&mut tagged, row, row.len());
        let pipelines = &self.pipelines;
        let read = pipelines.read(PAGE_ROOM, &statement, &mut *visitor, inspect);
        let total = match (read.await?, tagged) {
            (Ok(_), Some(tagged)) => number(&tagged),
            // A page past the end implies no total.
            (Ok(rows), None) => Ok(query.total_from_row_count(rows)?),
            (Err(failure), _) => Err(failure),
        };
        Some(total.map(|total| (visitor, total)))
    }

    /// A page with its cached total; none where the total is probably outdated, or proves so, or the page has no rows, which
    /// the reply does not distinguish. Each attempt that finds the total outdated costs a round trip.
    async fn page_with_cached_total(
        &self,
        deadline: Instant,
        query: &Arc<PageQuery>,
        visitors: &Visitors,
    ) -> DatabaseResult<Option<Visited>> {
        let lookup = self.totals.look_up(&query.matching);
        let Some(cached) = lookup.likely().cloned() else {
            return Ok(None);
        };
        let (statement, mut visitor) = (query.rows_while(&cached), visitors());
        let mut lent = None;
        if visitor.runs_no_hook() && self.totals.was_quick(query, &cached) {
            let pipelines = &self.pipelines;
            let read = pipelines.read(PAGE_ROOM, &statement, &mut *visitor, |_| Ok(()));
            lent = read.await;
            if lent.is_none() {
                visitor = visitors();
            }
        }
        let rows = if let Some(rows) = lent {
            rows?
        } else {
            let mut lease = self.lease_for_read(Purpose::List, deadline).await?;
            let begun = Instant::now();
            // A list of the total alone gets one row without meaning, which no visitor may see.
            let seeing: &mut dyn RowVisitor = match query.rows {
                Some(_) => &mut *visitor,
                None => &mut NoValues,
            };
            let rows = self.lend(lease.connection()?, &statement, seeing, |_| Ok(()));
            let rows = rows.await?;
            if query.rows.is_some() && rows > 0 && begun.elapsed() < QUICK {
                self.totals.remember_quick(query, &cached);
            }
            self.finish_read(lease).await;
            rows
        };
        if rows == 0 {
            return Ok(None);
        }
        // The server has compared: the total still holds, and its time to expire starts anew.
        let (total, tagged) = (number(&cached.tagged)?, cached.tagged.clone());
        self.totals
            .remember(&query.matching, tagged, lookup, Some(true));
        Ok(Some((visitor, total)))
    }

    /// A page with its total in one statement, read as a leader.
    async fn page(
        &self,
        deadline: Instant,
        query: &PageQuery,
        leader: &Arc<LeaderGuard>,
        mut visitor: Box<dyn RowVisitor>,
    ) -> DatabaseResult<Visited> {
        let mut lease = self.lease_for_read(Purpose::List, deadline).await?;
        // Kept before the statement is sent: a client that disconnects leaves the server at work, and the
        // next batch must not start beside it.
        lease.keep_leader(leader);
        let connection = lease.connection()?;
        let total = self.rows_with_total(connection, query, &mut *visitor);
        if let Some(total) = total.await? {
            self.finish_read(lease).await;
            return Ok((visitor, total));
        }
        // A page past the end has no row to carry the total.
        let mut snapshot = self.in_snapshot(lease).await?;
        let page = self.shared_page(&mut snapshot, query, &mut None).await;
        let page =
            page.map_err(|(PageReadError::Rows(failure) | PageReadError::Count(failure))| failure)?;
        let total = page.lend(&mut *visitor).await?;
        Ok((visitor, total))
    }

    /// Lends the rows of a page, and returns the total; none where the page is past the end.
    async fn rows_with_total(
        &self,
        connection: &mut PgConnection,
        query: &PageQuery,
        visitor: &mut dyn RowVisitor,
    ) -> DatabaseResult<Option<u64>> {
        // Before the statement is sent: only processes that are known by now are older than its total.
        let lookup = self.totals.look_up(&query.matching);
        // A list of the total alone has no rows to carry it.
        let Some(statement) = query.rows_with_total(lookup.usable()) else {
            return self.count(connection, query).await.map(Some);
        };
        let mut tagged = None;
        let inspect = |row: &PgRow| find_total(&mut tagged, row, row.len());
        let rows = self.lend(connection, &statement, visitor, inspect).await?;
        match tagged {
            Some(tagged) => self
                .remember_total(connection, query, tagged, lookup)
                .await
                .map(Some),
            // The page is not full: its length implies the total, unless it is past the end.
            None => Ok(query.total_from_row_count(rows)),
        }
    }

    /// Counts the items of a page's query, unless the cached total is still right.
    pub(super) async fn count(
        &self,
        connection: &mut PgConnection,
        page: &PageQuery,
    ) -> DatabaseResult<u64> {
        let lookup = self.totals.look_up(&page.matching);
        let statement = page.matching.total(lookup.usable());
        let row = query(&statement)?.fetch_one(&mut *connection);
        let row = self.timeout.run(row).await?;
        let mut tagged = None;
        find_total(&mut tagged, &row, row.len())?;
        let tagged =
            tagged.ok_or_else(|| DatabaseFailure::internal("a count returned no total"))?;
        self.remember_total(connection, page, tagged, lookup).await
    }

    /// Returns the total, and caches it where its tables allow that. The tables are checked after the count,
    /// which is safe: a change in between gives every later snapshot another id, so that the total is never reused.
    async fn remember_total(
        &self,
        connection: &mut PgConnection,
        query: &PageQuery,
        tagged: String,
        lookup: CacheState,
    ) -> DatabaseResult<u64> {
        let (total, matching) = (number(&tagged)?, &query.matching);
        let is_cacheable = match lookup.is_cacheable(&tagged) {
            // A check costs a round trip, so quick counts of tables that change all the time are not cached.
            None if lookup.is_worth_checking(&tagged) => {
                Some(self.is_cacheable(connection, &matching.tables).await?)
            }
            known => known,
        };
        self.totals.remember(matching, tagged, lookup, is_cacheable);
        Ok(total)
    }
}

/// Keeps the total with the ids of its process and its snapshot (its tag), which one row of a page has in its last column.
fn find_total(tagged: &mut Option<String>, row: &dyn Row, columns: usize) -> DatabaseResult<()> {
    if let ValueRef::Text(found) = row.value(columns.saturating_sub(1))? {
        *tagged = Some(found.to_owned());
    }
    Ok(())
}

/// The total before its tag.
fn number(tagged: &str) -> DatabaseResult<u64> {
    // The process and the snapshot follow after spaces; a standby returns the total alone.
    let total = tagged.split(' ').next().unwrap_or_default();
    total.parse().map_err(DatabaseFailure::internal)
}

/// Makes the failure of an attempt final where the response has begun: rows that were sent cannot be read again. Another
/// visitor of the same response knows that, asked after the failure.
pub(super) fn final_once_sent(
    visitors: &Visitors,
) -> impl FnOnce(DatabaseFailure) -> DatabaseFailure {
    |failure| {
        if visitors().may_begin() {
            failure
        } else {
            failure.exhausted_retries()
        }
    }
}
