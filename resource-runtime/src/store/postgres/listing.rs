//! Lists: each page with the total of its own snapshot.

use std::sync::Arc;

use futures_util::TryFutureExt as _;
use sqlx::Row as _;
use sqlx::postgres::{PgConnection, PgRow};
use tokio::time::{Instant, timeout_at};

use super::PostgresDatabase;
use super::asked::Asked;
use super::crowds::{Answer, Joined, Ticket};
use super::lease::Lease;
use super::places::Purpose;
use super::pool::repeated_until;
use super::together::{Missing, Work};
use super::transaction::query;
use crate::error::DatabaseFailure;
use crate::sql::PageQuery;
use crate::store::RowVisitor;
use crate::value::{Row as _, ValueRef};

/// What sees the same from its first statement to its end.
pub(super) const SNAPSHOT: &str = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY";

/// Why a list was not read whose count others are to tell.
const UNSHARED: &str = "the count that the list shares with others was not begun in time";

impl PostgresDatabase {
    pub(super) async fn read_page<V: RowVisitor>(
        &self,
        read: PageQuery,
        visitor: impl Fn() -> V,
    ) -> Result<(V, u64), DatabaseFailure> {
        let deadline = Instant::now() + self.acquire_timeout;
        // What is not counted need not be shared.
        if self.totals.lasts(&read.matching) {
            let known = |deadline| {
                let page = self.known_page(deadline, &read, visitor());
                page.map_err(|failure| of_attempt(failure, &visitor()))
            };
            if let Some(page) = repeated_until(deadline, known).await? {
                return Ok(page);
            }
        }
        let joined = self.crowds.join(&read, deadline);
        let work = match joined {
            Joined::AtWork(crowd) => Arc::new(Work::new(self, crowd)),
            Joined::Waits(ticket) => {
                let page = self.answer(ticket, deadline).await?;
                let mut visitor = visitor();
                let total = page.lend(&mut visitor).await?;
                return Ok((visitor, total));
            }
        };
        let page = |deadline| {
            let page = self.page_once(deadline, &read, &work, visitor());
            page.map_err(|failure| of_attempt(failure, &visitor()))
        };
        repeated_until(deadline, page).await
    }

    /// A page whose total is what it was; none where that would have to be counted, or there are no rows.
    async fn known_page<V: RowVisitor>(
        &self,
        deadline: Instant,
        read: &PageQuery,
        mut visitor: V,
    ) -> Result<Option<(V, u64)>, DatabaseFailure> {
        let asked = self.totals.asked(&read.matching);
        let Some(known) = asked.known() else {
            return Ok(None);
        };
        let (told, statement) = (known.told.clone(), read.rows_while(known));
        let mut lease = self.reading(Purpose::List, deadline).await?;
        let visit = |row: PgRow| match read.rows {
            Some(_) => {
                visitor.visit(&row)?;
                Ok(visitor.should_yield())
            }
            None => Ok(false),
        };
        let rows = self.step(lease.connection()?, &statement, visit).await?;
        self.done(lease).await;
        if rows == 0 {
            return Ok(None);
        }
        let total = number(&told)?;
        self.totals.keep(&read.matching, told, asked, Some(true));
        Ok(Some((visitor, total)))
    }

    /// What others have read, where they began to in time.
    async fn answer(&self, mut ticket: Ticket, deadline: Instant) -> Answer {
        let answer = match timeout_at(deadline, &mut ticket.answer).await {
            Ok(answer) => answer.ok(),
            Err(_) if self.crowds.leave(&ticket) => None,
            Err(_) => ticket.answer.await.ok(),
        };
        answer.unwrap_or_else(|| Err(DatabaseFailure::Unavailable(UNSHARED.to_owned())))
    }

    async fn page_once<V: RowVisitor>(
        &self,
        deadline: Instant,
        read: &PageQuery,
        work: &Arc<Work>,
        mut visitor: V,
    ) -> Result<(V, u64), DatabaseFailure> {
        let mut lease = self.reading(Purpose::List, deadline).await?;
        lease.keep_at_work(work);
        let connection = lease.connection()?;
        let total = self.rows_with_total(connection, read, &mut visitor).await?;
        match total {
            Some(total) => {
                self.done(lease).await;
                Ok((visitor, total))
            }
            None => self.far_page(lease, read, visitor).await,
        }
    }

    /// A page behind the end, where no row had room for the total.
    async fn far_page<V: RowVisitor>(
        &self,
        lease: Lease,
        read: &PageQuery,
        mut visitor: V,
    ) -> Result<(V, u64), DatabaseFailure> {
        let mut snapshot = self.in_snapshot(lease).await?;
        let page = self.page_of(&mut snapshot, read, &mut None).await;
        let page = page.map_err(Missing::into_failure)?;
        let total = page.lend(&mut visitor).await?;
        Ok((visitor, total))
    }

    /// Lends the rows of a page, and returns the total; none where the page is behind the end.
    async fn rows_with_total(
        &self,
        connection: &mut PgConnection,
        read: &PageQuery,
        visitor: &mut impl RowVisitor,
    ) -> Result<Option<u64>, DatabaseFailure> {
        let asked = self.totals.asked(&read.matching);
        let Some(statement) = read.rows_with_total(asked.known()) else {
            return self.count(connection, read).await.map(Some);
        };
        let mut told = None;
        let visit = |row: PgRow| {
            // Only the last row has one.
            told = total_of(&row)?;
            visitor.visit(&row)?;
            Ok(visitor.should_yield())
        };
        let rows = self.step(connection, &statement, visit).await?;
        match told {
            Some(told) => self
                .remembered(connection, read, told, asked)
                .await
                .map(Some),
            None => Ok(read.total_told_by(rows)),
        }
    }

    pub(super) async fn count(
        &self,
        connection: &mut PgConnection,
        read: &PageQuery,
    ) -> Result<u64, DatabaseFailure> {
        let asked = self.totals.asked(&read.matching);
        let statement = read.matching.total(asked.known());
        let row = query(&statement)?.fetch_one(&mut *connection);
        let row = self.watch.step(row).await?;
        let told = total_of(&row)?;
        let told = told.ok_or_else(|| DatabaseFailure::unexpected("a count tells no total"))?;
        self.remembered(connection, read, told, asked).await
    }

    /// The total that the server told, remembered where it may be. What decides that is asked after
    /// it was counted: whatever changed in between has given the snapshot another name.
    async fn remembered(
        &self,
        connection: &mut PgConnection,
        read: &PageQuery,
        told: String,
        asked: Asked,
    ) -> Result<u64, DatabaseFailure> {
        let total = number(&told)?;
        let is_steady = match asked.is_steady(&told) {
            None if asked.is_worth_a_question(&told) => {
                Some(self.is_steady(connection, &read.matching.tables).await?)
            }
            known => known,
        };
        self.totals.keep(&read.matching, told, asked, is_steady);
        Ok(total)
    }
}

/// The total and the names of its process and its snapshot, in the last column of a row.
fn total_of(row: &PgRow) -> Result<Option<String>, DatabaseFailure> {
    match row.value(row.len().saturating_sub(1))? {
        ValueRef::Text(told) => Ok(Some(told.to_owned())),
        _ => Ok(None),
    }
}

/// The total that the server told before the names.
fn number(told: &str) -> Result<u64, DatabaseFailure> {
    let total = told.split(' ').next().unwrap_or_default();
    total.parse().map_err(DatabaseFailure::unexpected)
}

/// The failure of an attempt to read a page. What is being sent cannot be read anew: the first cause is
/// the one that counts.
fn of_attempt(failure: DatabaseFailure, next: &impl RowVisitor) -> DatabaseFailure {
    if next.may_begin() {
        failure
    } else {
        failure.given_up()
    }
}
