//! Lists: each page with the total of its own snapshot.

use sqlx::Row as _;
use sqlx::postgres::{PgConnection, PgRow};
use tokio::time::{Instant, timeout};

use super::PostgresDatabase;
use super::asked::Asked;
use super::crowds::{Answer, Joined, SharedPage, Ticket};
use super::lease::Lease;
use super::pool::repeated_until;
use super::together::{Missing, Work};
use super::transaction::query;
use crate::error::DatabaseFailure;
use crate::execute::RowVisitor;
use crate::plan::{Count, PageRead};
use crate::value::{Row as _, ValueRef};

/// What sees the same from its first statement to its end.
pub(super) const SNAPSHOT: &str = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY";

impl PostgresDatabase {
    pub(in crate::execute) async fn page<V: RowVisitor>(
        &self,
        read: PageRead,
        visitor: impl Fn() -> V,
    ) -> Result<(V, u64), DatabaseFailure> {
        let deadline = Instant::now() + self.acquire_timeout;
        // What is not counted need not be shared.
        let joined = (!self.totals.lasts(&read.count)).then(|| self.crowds.join(&read, deadline));
        let work = match joined {
            Some(Joined::AtWork(crowd)) => Some(Work::new(self, crowd)),
            Some(Joined::Waits(ticket)) => match self.answer(ticket).await {
                Some(answer) => return visited(&*answer?, visitor()),
                None => None,
            },
            None => None,
        };
        let alone = |deadline| self.page_once(deadline, &read, visitor());
        let page = repeated_until(deadline, alone).await;
        drop(work);
        page
    }

    /// What others have read; none where that takes so long that half of the time is over within
    /// which there has to be a connection.
    async fn answer(&self, mut ticket: Ticket) -> Option<Answer> {
        if let Ok(answer) = timeout(self.acquire_timeout / 2, &mut ticket.answer).await {
            return answer.ok();
        }
        if self.crowds.leave(&ticket) {
            return None;
        }
        ticket.answer.await.ok()
    }

    async fn page_once<V: RowVisitor>(
        &self,
        deadline: Instant,
        read: &PageRead,
        mut visitor: V,
    ) -> Result<(V, u64), DatabaseFailure> {
        let mut lease = self.reading(deadline).await?;
        let connection = lease.connection()?;
        let total = match &read.whole {
            Some(whole) => {
                let (rows, total) = self.whole(connection, whole, read, &mut visitor).await?;
                total.or_else(|| read.total_told_by(rows))
            }
            None => Some(self.count(connection, read).await?),
        };
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
        read: &PageRead,
        visitor: V,
    ) -> Result<(V, u64), DatabaseFailure> {
        let mut snapshot = self.in_snapshot(lease).await?;
        let page = self.page_of(&mut snapshot, read, &mut None).await;
        visited(&page.map_err(Missing::into_failure)?, visitor)
    }

    /// How many rows there are, and the total where the page is full.
    async fn whole(
        &self,
        connection: &mut PgConnection,
        whole: &Count,
        read: &PageRead,
        visitor: &mut impl RowVisitor,
    ) -> Result<(u64, Option<u64>), DatabaseFailure> {
        let asked = self.totals.asked(&read.count);
        let statement = whole.unless(asked.known());
        let mut told = None;
        let visit = |row: PgRow| {
            // Only the last row has one.
            told = total_of(&row)?;
            visitor.visit(&row)
        };
        let rows = self.step(connection, &statement, visit).await?;
        let total = match told {
            Some(told) => Some(self.remembered(connection, read, told, asked).await?),
            None => None,
        };
        Ok((rows, total))
    }

    pub(super) async fn count(
        &self,
        connection: &mut PgConnection,
        read: &PageRead,
    ) -> Result<u64, DatabaseFailure> {
        let asked = self.totals.asked(&read.count);
        let statement = read.count.unless(asked.known());
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
        read: &PageRead,
        told: String,
        asked: Asked,
    ) -> Result<u64, DatabaseFailure> {
        let total = told.split(' ').next().unwrap_or_default();
        let total = total.parse().map_err(DatabaseFailure::unexpected)?;
        let is_steady = match asked.is_steady(&told) {
            None if asked.is_worth_a_question(&told) => {
                Some(self.is_steady(connection, &read.counted_tables).await?)
            }
            known => known,
        };
        self.totals.keep(&read.count, told, asked, is_steady);
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

fn visited<V: RowVisitor>(page: &SharedPage, mut visitor: V) -> Result<(V, u64), DatabaseFailure> {
    for row in &page.rows {
        visitor.visit(row)?;
    }
    Ok((visitor, page.total))
}
