//! Lists that are read for others, within one snapshot.

use std::sync::Arc;

use sqlx::postgres::PgRow;
use tokio::runtime::Handle;
use tokio::time::Instant;

use super::PostgresDatabase;
use super::crowds::{Answer, SharedPage, Waiting};
use super::lease::Lease;
use super::listing::SNAPSHOT;
use super::places::Purpose;
use super::pool::repeated_until;
use crate::error::DatabaseFailure;
use crate::sql::{PageQuery, Statement};

/// The work of one of a crowd. However it ends, also on the server, it is then handed on to those who wait.
#[derive(Debug)]
pub(super) struct Work {
    database: PostgresDatabase,
    crowd: u64,
}

/// Why a page was not read.
pub(super) enum Missing {
    Rows(DatabaseFailure),
    Count(DatabaseFailure),
}

impl Missing {
    pub(super) fn into_failure(self) -> DatabaseFailure {
        match self {
            Self::Rows(failure) | Self::Count(failure) => failure,
        }
    }
}

impl Work {
    pub(super) fn new(database: &PostgresDatabase, crowd: u64) -> Self {
        Self {
            database: database.clone(),
            crowd,
        }
    }
}

impl Drop for Work {
    fn drop(&mut self) {
        if self.database.crowds.end(self.crowd) {
            return;
        }
        // Where everything ends, nobody waits.
        if let Ok(runtime) = Handle::try_current() {
            runtime.spawn(go_on(self.database.clone(), self.crowd));
        }
    }
}

/// Reads for those of a crowd that wait, all that come before the snapshot is taken.
async fn go_on(database: PostgresDatabase, crowd: u64) {
    let work = Arc::new(Work::new(&database, crowd));
    let Some(deadline) = database.crowds.deadline(crowd) else {
        return;
    };
    let snapshot = |deadline| database.snapshot(deadline, &work);
    match repeated_until(deadline, snapshot).await {
        Ok(snapshot) => {
            let members = database.crowds.take(crowd);
            let wait_on = database.read_for(snapshot, members).await;
            database.crowds.wait_on(crowd, wait_on);
        }
        // Whoever came later has more time.
        Err(failure) => {
            if let Some(first) = database.crowds.take_first(crowd) {
                first.tell(Err(failure));
            }
        }
    }
}

impl PostgresDatabase {
    async fn snapshot(
        &self,
        deadline: Instant,
        work: &Arc<Work>,
    ) -> Result<Lease, DatabaseFailure> {
        let mut lease = self.lease(Purpose::List, deadline).await?;
        lease.keep_at_work(work);
        lease.begin_unabandoned(self.limits.begin(SNAPSHOT)).await
    }

    /// Answers those for whom something else has to be tried.
    async fn read_for(&self, mut snapshot: Lease, members: Vec<Waiting>) -> Vec<Waiting> {
        let mut unread = members;
        let mut count = None;
        loop {
            // Nothing is read for who has gone meanwhile.
            unread.retain(Waiting::is_there);
            let Some(read) = unread.first().map(|first| first.read.clone()) else {
                break;
            };
            let alone = self.crowds.alone().await;
            let page = self.page_of(&mut snapshot, &read, &mut count).await;
            let (equal, others) = unread.into_iter().partition(|it| it.read == read);
            unread = others;
            match page {
                Ok(page) => tell(equal, &Ok(self.crowds.share(page, alone))),
                Err(missing) => return after(missing, equal, unread),
            }
        }
        // They have their answers; what is left is to give back the connection as it was lent.
        drop(snapshot.commit().await);
        unread
    }

    /// A page within a snapshot, whose total is counted only where `count` is not known by now.
    pub(super) async fn page_of(
        &self,
        snapshot: &mut Lease,
        read: &PageQuery,
        count: &mut Option<u64>,
    ) -> Result<SharedPage, Missing> {
        let rows = self.rows(snapshot, read.rows.as_ref()).await;
        let rows = rows.map_err(Missing::Rows)?;
        let told = u64::try_from(rows.len())
            .ok()
            .and_then(|it| read.total_told_by(it));
        let total = match told.or(*count) {
            Some(total) => total,
            None => self.counted(snapshot, read).await.map_err(Missing::Count)?,
        };
        if told.is_none() {
            *count = Some(total);
        }
        Ok(SharedPage::new(rows, total))
    }

    async fn rows(
        &self,
        snapshot: &mut Lease,
        statement: Option<&Statement>,
    ) -> Result<Vec<PgRow>, DatabaseFailure> {
        let mut rows = Vec::new();
        if let Some(statement) = statement {
            let keep = |row| {
                rows.push(row);
                Ok(false)
            };
            self.step(snapshot.connection()?, statement, keep).await?;
        }
        Ok(rows)
    }

    async fn counted(
        &self,
        snapshot: &mut Lease,
        read: &PageQuery,
    ) -> Result<u64, DatabaseFailure> {
        self.count(snapshot.connection()?, read).await
    }
}

fn tell(members: Vec<Waiting>, answer: &Answer) {
    for member in members {
        member.tell(answer.clone());
    }
}

/// Who is to wait on after a page was not read: a failed statement ends the snapshot for all.
fn after(missing: Missing, concerned: Vec<Waiting>, others: Vec<Waiting>) -> Vec<Waiting> {
    match missing {
        Missing::Rows(failure @ DatabaseFailure::Again(_))
        | Missing::Count(failure @ DatabaseFailure::Again(_)) => {
            let all = concerned.into_iter().chain(others);
            all.filter_map(|member| member.again(&failure)).collect()
        }
        Missing::Rows(failure) => {
            tell(concerned, &Err(failure));
            others
        }
        Missing::Count(failure) => {
            tell(concerned, &Err(failure.clone()));
            tell(others, &Err(failure));
            Vec::new()
        }
    }
}
