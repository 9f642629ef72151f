//! Connections that were given up while the server is still at work for them: each keeps its place until that ends.

use std::collections::BTreeMap;
use std::future::Future;
use std::pin::pin;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use sqlx::postgres::{PgConnectOptions, PgConnection};
use sqlx::{Connection as _, query_scalar};
use tokio::time::{sleep, timeout};

use super::idle_pool::IdlePool;
use crate::store::locked;

/// How many sessions of this role, from this address, have been at work for longer than `$1` seconds. Where the
/// server does not track that, all are counted.
const AT_WORK: &str = "SELECT count(*) FROM pg_stat_activity \
    WHERE pid <> pg_backend_pid() AND usename = session_user AND datname = current_database() \
    AND client_addr IS NOT DISTINCT FROM inet_client_addr() AND COALESCE(state, '') <> 'idle' \
    AND COALESCE(clock_timestamp() - state_change > make_interval(secs => $1), TRUE)";

/// How long it may take until we learn that the server is done.
const REPORT_DELAY: Duration = Duration::from_secs(1);

#[derive(Debug, Default)]
pub(super) struct CancelledStatements {
    all: Mutex<All>,
    /// How many of them write.
    writes: AtomicUsize,
    /// The server is asked by one at a time, so by one connection more than there are places.
    looks: tokio::sync::Mutex<()>,
}

#[derive(Debug, Default)]
struct All {
    last_number: u64,
    /// Whether each writes, by its number.
    writes: BTreeMap<u64, bool>,
}

/// One that was given up, for as long as the server is at work for it.
#[derive(Debug)]
struct Entry {
    number: u64,
    cancelled: Arc<CancelledStatements>,
}

impl CancelledStatements {
    /// How many places of those who write are taken by what was given up.
    pub(super) fn writes(&self) -> usize {
        self.writes.load(Ordering::Relaxed)
    }

    fn enter(self: Arc<Self>, writes: bool) -> Entry {
        let mut all = locked(&self.all);
        all.last_number += 1;
        let number = all.last_number;
        all.writes.insert(number, writes);
        self.writes.fetch_add(writes.into(), Ordering::Relaxed);
        drop(all);
        Entry {
            number,
            cancelled: self,
        }
    }

    fn leave(&self, number: u64) {
        if locked(&self.all).writes.remove(&number) == Some(true) {
            self.writes.fetch_sub(1, Ordering::Relaxed);
        }
    }

    /// Tests that the server has fewer sessions at work than were given up, so that one of those is over; which
    /// one does not matter. The network may have swallowed its end, or another server have taken the place of
    /// its own. The news of an end may be under way, too, so those are not counted that leave a moment later.
    async fn has_lost_one(&self, server: &PgConnectOptions, limit: Duration) -> bool {
        let before: Vec<u64> = locked(&self.all).writes.keys().copied().collect();
        let Ok(Ok(at_work)) = timeout(limit, at_work(server, limit)).await else {
            return false;
        };
        let is_less = |count| usize::try_from(at_work).is_ok_and(|at_work| at_work < count);
        if !is_less(before.len()) {
            return false;
        }
        sleep(REPORT_DELAY).await;
        let all = locked(&self.all);
        let left = before.iter().filter(|it| all.writes.contains_key(it));
        is_less(left.count())
    }
}

impl Drop for Entry {
    fn drop(&mut self) {
        self.cancelled.leave(self.number);
    }
}

/// Waits until the server is `done` with what may have been abandoned half-way; none once it is not at work for
/// it any more, though we never heard of that.
pub(super) async fn finished_by_server<T>(
    idle_pool: &IdlePool,
    limit: Option<Duration>,
    writes: bool,
    done: impl Future<Output = T>,
) -> Option<T> {
    let mut done = pin!(done);
    let Some(limit) = limit else {
        return Some(done.await);
    };
    if let Ok(done) = timeout(limit, done.as_mut()).await {
        return Some(done);
    }
    tracing::warn!(
        ?limit,
        "the server is at work for longer than it may be; its connection counts until that ends"
    );
    let entry = idle_pool.cancelled.clone().enter(writes);
    loop {
        tokio::select! {
            done = done.as_mut() => return Some(done),
            true = is_lost(idle_pool, &entry, limit) => return None,
            () = sleep(limit.saturating_add(REPORT_DELAY)) => {}
        }
    }
}

/// Tests that the server is not at work for this one, or for another in its stead.
async fn is_lost(idle_pool: &IdlePool, entry: &Entry, limit: Duration) -> bool {
    let cancelled = &entry.cancelled;
    let looks = cancelled.looks.lock().await;
    let server = idle_pool.pool.connect_options();
    let is_lost = cancelled.has_lost_one(&server, limit).await;
    if is_lost {
        cancelled.leave(entry.number);
    }
    drop(looks);
    is_lost
}

async fn at_work(server: &PgConnectOptions, limit: Duration) -> sqlx::Result<i64> {
    let mut connection = PgConnection::connect_with(server).await?;
    let at_work = query_scalar(AT_WORK).bind(limit.as_secs_f64());
    let at_work = at_work.persistent(false).fetch_one(&mut connection).await?;
    connection.close().await?;
    Ok(at_work)
}
