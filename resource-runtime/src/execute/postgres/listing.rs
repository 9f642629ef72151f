//! Lists: each page with the total of its own snapshot.

use sqlx::Row as _;
use sqlx::postgres::{PgConnection, PgRow};
use tokio::time::{Instant, timeout};

use super::PostgresDatabase;
use super::crowds::{Answer, Joined, SharedPage, Ticket};
use super::lease::Lease;
use super::pool::repeated_until;
use super::together::{Missing, Work};
use super::transaction::query;
use crate::error::DatabaseFailure;
use crate::execute::RowVisitor;
use crate::plan::{Count, KnownTotal, PageRead};
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
        let mut lease = self.lease(deadline).await?;
        let connection = lease.connection()?;
        let total = match &read.whole {
            Some(whole) => {
                let (rows, total) = self
                    .whole(connection, whole, &read.count, &mut visitor)
                    .await?;
                total.or_else(|| read.total_told_by(rows))
            }
            None => Some(self.count(connection, &read.count).await?),
        };
        lease.done();
        match total {
            Some(total) => Ok((visitor, total)),
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
        let mut snapshot = lease.begin(SNAPSHOT).await?;
        let page = self.page_of(&mut snapshot, read, &mut None).await;
        visited(&page.map_err(Missing::into_failure)?, visitor)
    }

    /// How many rows there are, and the total where the page is full.
    async fn whole(
        &self,
        connection: &mut PgConnection,
        whole: &Count,
        count: &Count,
        visitor: &mut impl RowVisitor,
    ) -> Result<(u64, Option<u64>), DatabaseFailure> {
        let asked = Instant::now();
        let statement = whole.unless(self.totals.known(count).as_ref());
        let mut total = None;
        let visit = |row: PgRow| {
            // Only the last row has one.
            total = total_of(&row)?;
            visitor.visit(&row)
        };
        let rows = self.step(connection, &statement, visit).await?;
        let total = total.map(|total| self.kept(count, total, asked));
        Ok((rows, total))
    }

    pub(super) async fn count(
        &self,
        connection: &mut PgConnection,
        count: &Count,
    ) -> Result<u64, DatabaseFailure> {
        let asked = Instant::now();
        let statement = count.unless(self.totals.known(count).as_ref());
        let row = query(&statement)?.fetch_one(connection);
        let row = self.watch.step(row).await?;
        let total = total_of(&row)?;
        let total = total.ok_or_else(|| DatabaseFailure::unexpected("a count tells no total"))?;
        Ok(self.kept(count, total, asked))
    }

    fn kept(&self, count: &Count, told: Total, asked: Instant) -> u64 {
        let Total { total, snapshot } = told;
        if let Some(snapshot) = snapshot {
            let known = KnownTotal { snapshot, total };
            self.totals.keep(count, known, asked.into_std());
        }
        total
    }
}

/// A total, and the name of its snapshot where it has one.
struct Total {
    total: u64,
    snapshot: Option<String>,
}

/// What the last two columns tell.
fn total_of(row: &PgRow) -> Result<Option<Total>, DatabaseFailure> {
    let snapshot = row.len().saturating_sub(1);
    let ValueRef::Integer(total) = row.value(snapshot.saturating_sub(1))? else {
        return Ok(None);
    };
    let snapshot = match row.value(snapshot)? {
        ValueRef::Text(snapshot) => Some(snapshot.to_owned()),
        _ => None,
    };
    let total = u64::try_from(total).map_err(DatabaseFailure::unexpected)?;
    Ok(Some(Total { total, snapshot }))
}

fn visited<V: RowVisitor>(page: &SharedPage, mut visitor: V) -> Result<(V, u64), DatabaseFailure> {
    for row in &page.rows {
        visitor.visit(row)?;
    }
    Ok((visitor, page.total))
}
