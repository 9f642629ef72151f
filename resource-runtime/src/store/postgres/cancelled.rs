//! Statements that nobody waits for and that the server still executes after the statement timeout: each keeps its
//! permit until the server has finished.

use std::collections::BTreeMap;
use std::future::Future;
use std::pin::pin;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use sqlx::postgres::{PgConnectOptions, PgConnection};
use sqlx::{Connection as _, query_scalar};
use tokio::time::{sleep, timeout};

use super::connection_pool::ConnectionPool;
use super::hosts::Hosts;
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
    /// True for each statement that writes, by its number.
    is_write: Mutex<BTreeMap<u64, bool>>,
    last_number: AtomicU64,
    /// Held while the server is asked, so that this takes one connection beyond the limit at most.
    query_lock: tokio::sync::Mutex<()>,
}

/// A cancelled statement; dropping it removes it from the list.
#[derive(Debug)]
struct Entry<'a> {
    number: u64,
    cancelled: &'a CancelledStatements,
}

impl CancelledStatements {
    /// Number of permits for writes held by statements that outlast the statement timeout.
    pub(super) fn write_count(&self) -> usize {
        locked(&self.is_write).values().filter(|it| **it).count()
    }
}

impl Drop for Entry<'_> {
    fn drop(&mut self) {
        locked(&self.cancelled.is_write).remove(&self.number);
    }
}

/// Waits for `response`, which the server sends once it has finished a cancelled statement or the reset of a
/// session; none once the server has ended it without our learning of it.
pub(super) async fn wait_until_finished<T>(
    connection_pool: &ConnectionPool,
    is_write: bool,
    response: impl Future<Output = T>,
) -> Option<T> {
    let mut response = pin!(response);
    // Without a statement timeout any duration is legitimate, and a lost end looks like a slow statement.
    let Some(limit) = connection_pool.timeout.limit else {
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
    let cancelled = &connection_pool.cancelled;
    let number = cancelled.last_number.fetch_add(1, Ordering::Relaxed);
    locked(&cancelled.is_write).insert(number, is_write);
    let entry = Entry { number, cancelled };
    loop {
        tokio::select! {
            response = response.as_mut() => return Some(response),
            // A false result disables this branch, and the sleep below paces the next query.
            true = has_ended_unnoticed(&connection_pool.hosts, &entry, limit) => return None,
            () = sleep(limit.saturating_add(REPORT_DELAY)) => {}
        }
    }
}

/// Tests whether this statement has ended without our knowledge, or another one whose permit can be released in its
/// place: the servers have fewer active sessions than there are entries. The network may have lost the report, or a
/// failover replaced the server. A report may also still be on its way: entries that are removed within
/// [`REPORT_DELAY`] do not count.
async fn has_ended_unnoticed(hosts: &Hosts, entry: &Entry<'_>, limit: Duration) -> bool {
    let cancelled = entry.cancelled;
    // A network failure cancels many statements at once, which ask in turn.
    let _query_lock = cancelled.query_lock.lock().await;
    // Collected before the query: an entry that is added during it has no session in the result yet.
    let before: Vec<u64> = locked(&cancelled.is_write).keys().copied().collect();
    let mut active = 0;
    // After a failover that is another server, where none of the statements runs.
    for server in hosts.in_use() {
        // A server that cannot be asked proves nothing, so all permits stay taken.
        let Ok(Ok(sessions)) = timeout(limit, active_sessions(&server, limit)).await else {
            return false;
        };
        active += usize::try_from(sessions).unwrap_or(usize::MAX);
    }
    if active >= before.len() {
        return false;
    }
    sleep(REPORT_DELAY).await;
    let mut all = locked(&cancelled.is_write);
    let left = before.iter().filter(|it| all.contains_key(it));
    let has_ended = active < left.count();
    // Removed under the lock: the next query must not count the same end again.
    if has_ended {
        all.remove(&entry.number);
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
