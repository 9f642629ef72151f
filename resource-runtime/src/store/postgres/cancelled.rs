//! Statements that nobody waits for and that the server still executes after the statement timeout: each keeps its
//! permit until the server has finished.

use std::collections::BTreeMap;
use std::future::Future;
use std::pin::pin;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use sqlx::postgres::{PgConnectOptions, PgConnection};
use sqlx::{Connection as _, query_scalar};
use tokio::time::{sleep, timeout};

use super::connection_pool::ConnectionPool;
use crate::locked::locked;

/// Counts the sessions of this role, database and address that have been in a state other than `idle` for longer
/// than `$1` seconds. Where the server does not track activities, all sessions count.
const ACTIVE_SESSIONS: &str = "SELECT count(*) FROM pg_stat_activity \
    WHERE pid <> pg_backend_pid() AND usename = session_user AND datname = current_database() \
    AND client_addr IS NOT DISTINCT FROM inet_client_addr() AND COALESCE(state, '') <> 'idle' \
    AND COALESCE(clock_timestamp() - state_change > make_interval(secs => $1), TRUE)";

/// Time that the end of a statement may take to reach us.
const REPORT_DELAY: Duration = Duration::from_secs(1);

/// The cancelled statements of a pool.
#[derive(Debug, Default)]
pub(super) struct CancelledStatements {
    all: Mutex<Entries>,
    /// Number of the entries that write.
    write_count: AtomicUsize,
    /// Held while the server is asked, so that this takes one connection beyond the limit at most.
    query_lock: tokio::sync::Mutex<()>,
}

#[derive(Debug, Default)]
struct Entries {
    last_number: u64,
    /// True for each statement that writes, by its number.
    is_write: BTreeMap<u64, bool>,
}

/// A cancelled statement; dropping it removes it from the list.
#[derive(Debug)]
struct Entry {
    number: u64,
    cancelled: Arc<CancelledStatements>,
}

impl CancelledStatements {
    /// Number of permits for writes held by statements that outlast the statement timeout.
    pub(super) fn write_count(&self) -> usize {
        self.write_count.load(Ordering::Relaxed)
    }

    fn add(self: Arc<Self>, is_write: bool) -> Entry {
        let mut all = locked(&self.all);
        all.last_number += 1;
        let number = all.last_number;
        all.is_write.insert(number, is_write);
        self.write_count
            .fetch_add(is_write.into(), Ordering::Relaxed);
        drop(all);
        Entry {
            number,
            cancelled: self,
        }
    }

    fn remove(&self, number: u64) {
        // An entry may be gone already: `has_ended_unnoticed` removes it before its drop does.
        if locked(&self.all).is_write.remove(&number) == Some(true) {
            self.write_count.fetch_sub(1, Ordering::Relaxed);
        }
    }

    /// Tests whether the server has fewer active sessions than there are entries, so that one of the statements has
    /// ended without our knowledge; which one does not matter. The network may have lost the report, or a failover
    /// replaced the server. A report may also still be on its way: entries that are removed within
    /// [`REPORT_DELAY`] do not count.
    async fn has_missed_an_end(&self, server: &PgConnectOptions, limit: Duration) -> bool {
        // Collected before the query: an entry that is added during it has no session in the result yet.
        let before: Vec<u64> = locked(&self.all).is_write.keys().copied().collect();
        // A server that cannot be asked proves nothing, so all permits stay taken.
        let Ok(Ok(active)) = timeout(limit, active_sessions(server, limit)).await else {
            return false;
        };
        let exceeds_active = |count| usize::try_from(active).is_ok_and(|active| active < count);
        if !exceeds_active(before.len()) {
            return false;
        }
        sleep(REPORT_DELAY).await;
        let all = locked(&self.all);
        let left = before.iter().filter(|it| all.is_write.contains_key(it));
        exceeds_active(left.count())
    }
}

impl Drop for Entry {
    fn drop(&mut self) {
        self.cancelled.remove(self.number);
    }
}

/// Waits for `response`, which the server sends once it has finished a cancelled statement or the reset of a
/// session; none once the server has ended it without our learning of it.
pub(super) async fn wait_until_finished<T>(
    connection_pool: &ConnectionPool,
    limit: Option<Duration>,
    is_write: bool,
    response: impl Future<Output = T>,
) -> Option<T> {
    let mut response = pin!(response);
    // Without a statement timeout any duration is legitimate, and a lost end looks like a slow statement.
    let Some(limit) = limit else {
        return Some(response.await);
    };
    // The usual case: the server finishes or cancels the statement within the statement timeout.
    if let Ok(response) = timeout(limit, response.as_mut()).await {
        return Some(response);
    }
    tracing::warn!(
        ?limit,
        "the server has not finished what was sent on a connection; the connection stays in use until it has"
    );
    // Dropped on every way out, also if the task is, so that the count of writes stays right.
    let entry = connection_pool.cancelled.clone().add(is_write);
    loop {
        tokio::select! {
            response = response.as_mut() => return Some(response),
            // A false result disables this branch, and the sleep below paces the next query.
            true = has_ended_unnoticed(connection_pool, &entry, limit) => return None,
            () = sleep(limit.saturating_add(REPORT_DELAY)) => {}
        }
    }
}

/// Tests whether this statement has ended, or another one whose permit can be released in its place.
async fn has_ended_unnoticed(
    connection_pool: &ConnectionPool,
    entry: &Entry,
    limit: Duration,
) -> bool {
    let cancelled = &entry.cancelled;
    // A network failure cancels many statements at once, which ask in turn.
    let _query_lock = cancelled.query_lock.lock().await;
    // After a failover that is another one, where none of the statements runs.
    let server = connection_pool.hosts.current();
    let has_ended = cancelled.has_missed_an_end(&server, limit).await;
    // Removed under the lock: the next query must not count the same end again.
    if has_ended {
        cancelled.remove(entry.number);
    }
    has_ended
}

/// Asks on a connection of its own, since the pool may have none left.
async fn active_sessions(server: &PgConnectOptions, limit: Duration) -> sqlx::Result<i64> {
    let mut connection = PgConnection::connect_with(server).await?;
    // The connection serves this query alone, so that a prepared statement would be wasted.
    let query = query_scalar(ACTIVE_SESSIONS).bind(limit.as_secs_f64());
    let active = query.persistent(false).fetch_one(&mut connection).await?;
    connection.close().await?;
    Ok(active)
}
