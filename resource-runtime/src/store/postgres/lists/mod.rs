//! Lists on PostgreSQL: each page with the total of its own snapshot.
//!
//! A page is quick; the count of a large collection costs as much as a hundred pages. A list takes the first
//! of these ways that fits:
//!
//! 1. **The total is remembered** ([`totals`]): the page is read on the condition that no transaction
//!    that wrote has ended since the count ([`PageQuery::rows_while`]). If one has, the server reads nothing,
//!    and the list goes on with the next way.
//! 2. **Another list counts the same** ([`coalesce`]): two lists of the same count read at a time. Those
//!    that come meanwhile queue, and a leader reads for all of them in one snapshot: equal pages
//!    once, the count once.
//! 3. **One statement for rows and total** ([`PageQuery::rows_with_total`]): the last row of a full page
//!    carries the total; a page that is not full tells it by its length, and nothing is counted. A page
//!    past the end has no row to carry it, and takes a second statement in the same snapshot.
//!
//! Callers with different rights never share: the rows that a caller may see are part of the
//! statement, and only equal statements with equal values are one count or one page.

mod coalesce;
mod totals;

use std::sync::Arc;

use futures_util::TryFutureExt as _;
use resource_model::error::{DatabaseFailure, DatabaseResult};
use resource_model::value::ValueRef;
use resource_sql::PageQuery;
use sqlx::Row as _;
use sqlx::postgres::{PgConnection, PgRow};
use tokio::time::Instant;

use super::PostgresDatabase;
use super::idle_pool::Purpose;
use super::retry::retry_until;
use super::transaction::query;
use crate::store::driver::{Visited, Visitors};
use crate::store::{Row as _, RowVisitor};
pub(super) use coalesce::{Flights, LeaderGuard};
use coalesce::{PageReadError, Role};
use totals::Asked;
pub(super) use totals::Totals;

/// Begins a transaction that sees the same from its first statement to its end.
pub(super) const BEGIN_SNAPSHOT: &str = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY";

impl PostgresDatabase {
    pub(super) async fn read_page(
        &self,
        query: PageQuery,
        visitors: Visitors,
    ) -> DatabaseResult<Visited> {
        let (query, deadline) = (Arc::new(query), Instant::now() + self.acquire_timeout);
        if self.totals.lasts(&query.matching) {
            let attempt = |deadline| {
                let page = self.page_while_known(deadline, &query, visitors());
                page.map_err(|failure| of_attempt(failure, &*visitors()))
            };
            if let Some(page) = retry_until(deadline, attempt).await? {
                return Ok(page);
            }
        }
        match self.flights.join(&query, deadline) {
            Role::Leader(flight) => {
                let leader = Arc::new(LeaderGuard::new(self, flight));
                let attempt = |deadline| {
                    let page = self.page(deadline, &query, &leader, visitors());
                    page.map_err(|failure| of_attempt(failure, &*visitors()))
                };
                retry_until(deadline, attempt).await
            }
            Role::Follower(handle) => {
                let page = self.flights.follow(handle, deadline).await?;
                let mut visitor = visitors();
                let total = page.lend(&mut *visitor).await?;
                Ok((visitor, total))
            }
        }
    }

    /// A page whose total is remembered and still right; none where it has to be counted, or there are no
    /// rows.
    async fn page_while_known(
        &self,
        deadline: Instant,
        query: &PageQuery,
        mut visitor: Box<dyn RowVisitor>,
    ) -> DatabaseResult<Option<Visited>> {
        let asked = self.totals.asked(&query.matching);
        let Some(known) = asked.known() else {
            return Ok(None);
        };
        let (told, statement) = (known.told.clone(), query.rows_while(known));
        let mut lease = self.reading(Purpose::List, deadline).await?;
        let visit = |row: PgRow| match query.rows {
            Some(_) => {
                visitor.visit(&row)?;
                Ok(visitor.should_yield())
            }
            None => Ok(false),
        };
        let rows = self
            .for_each_row(lease.connection()?, &statement, visit)
            .await?;
        self.done(lease).await;
        if rows == 0 {
            return Ok(None);
        }
        let total = number(&told)?;
        self.totals
            .remember(&query.matching, told, asked, Some(true));
        Ok(Some((visitor, total)))
    }

    /// A page with its total in one statement.
    async fn page(
        &self,
        deadline: Instant,
        query: &PageQuery,
        leader: &Arc<LeaderGuard>,
        mut visitor: Box<dyn RowVisitor>,
    ) -> DatabaseResult<Visited> {
        let mut lease = self.reading(Purpose::List, deadline).await?;
        lease.keep_leader(leader);
        let connection = lease.connection()?;
        let total = self.rows_with_total(connection, query, &mut *visitor);
        if let Some(total) = total.await? {
            self.done(lease).await;
            return Ok((visitor, total));
        }
        // No row of a page past the end carries the total.
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
        let asked = self.totals.asked(&query.matching);
        let Some(statement) = query.rows_with_total(asked.known()) else {
            return self.count(connection, query).await.map(Some);
        };
        let mut told = None;
        let visit = |row: PgRow| {
            // Only the last row has one.
            told = total_of(&row)?;
            visitor.visit(&row)?;
            Ok(visitor.should_yield())
        };
        let rows = self.for_each_row(connection, &statement, visit).await?;
        match told {
            Some(told) => self
                .remember_total(connection, query, told, asked)
                .await
                .map(Some),
            None => Ok(query.total_from_row_count(rows)),
        }
    }

    pub(super) async fn count(
        &self,
        connection: &mut PgConnection,
        page: &PageQuery,
    ) -> DatabaseResult<u64> {
        let asked = self.totals.asked(&page.matching);
        let statement = page.matching.total(asked.known());
        let row = query(&statement)?.fetch_one(&mut *connection);
        let row = self.timeout.run(row).await?;
        let told = total_of(&row)?;
        let told = told.ok_or_else(|| DatabaseFailure::internal("a count tells no total"))?;
        self.remember_total(connection, page, told, asked).await
    }

    /// The total that the server told, remembered where that is sound. Whether the tables are steady is asked
    /// after the count: whatever changed in between has given the snapshot another name.
    async fn remember_total(
        &self,
        connection: &mut PgConnection,
        query: &PageQuery,
        told: String,
        asked: Asked,
    ) -> DatabaseResult<u64> {
        let total = number(&told)?;
        let is_steady = match asked.is_steady(&told) {
            None if asked.is_worth_a_question(&told) => {
                Some(self.is_steady(connection, &query.matching.tables).await?)
            }
            known => known,
        };
        self.totals
            .remember(&query.matching, told, asked, is_steady);
        Ok(total)
    }
}

/// The total and the names of its process and its snapshot, in the last column of a row.
fn total_of(row: &PgRow) -> DatabaseResult<Option<String>> {
    match row.value(row.len().saturating_sub(1))? {
        ValueRef::Text(told) => Ok(Some(told.to_owned())),
        _ => Ok(None),
    }
}

/// The total that the server told before the names.
fn number(told: &str) -> DatabaseResult<u64> {
    let total = told.split(' ').next().unwrap_or_default();
    total.parse().map_err(DatabaseFailure::internal)
}

/// The failure of an attempt to read a page. What is being sent cannot be read anew: the first cause is
/// the one that counts.
fn of_attempt(failure: DatabaseFailure, next: &dyn RowVisitor) -> DatabaseFailure {
    if next.may_begin() {
        failure
    } else {
        failure.exhausted_retries()
    }
}
