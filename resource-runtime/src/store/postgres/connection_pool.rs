//! Permits for connections, and a list of idle connections that bypasses the checks of the sqlx pool.

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use sqlx::pool::PoolConnection;
use sqlx::{Connection as _, PgPool, Postgres};
use tokio::runtime::Handle;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{sleep, timeout};

use super::cancelled::{CancelledStatements, wait_until_finished};
use super::lists::LeaderGuard;
use super::statement_timeout::StatementTimeout;
use crate::locked::locked;

/// Time for which a connection is reused without a check by the sqlx pool. The check tests that it is
/// alive, not too old and still needed; it costs a round trip.
const REVALIDATE_AFTER: Duration = Duration::from_secs(1);

/// Writes leave one in this many permits, rounded up, to other purposes, and so do lists, unless there is only one
/// permit.
const RESERVED_DIVISOR: usize = 5;

/// A connection that the sqlx pool has handed out.
#[derive(Debug)]
pub(super) struct PooledConnection {
    pub(super) connection: PoolConnection<Postgres>,
    /// The last check by the sqlx pool.
    checked_at: Instant,
}

/// The right to use one connection, held until the server has finished everything sent on it.
#[derive(Debug)]
pub(super) struct Permit {
    _any: OwnedSemaphorePermit,
    /// A permit for the purpose, where requests of that purpose may not use all connections.
    _for_purpose: Option<OwnedSemaphorePermit>,
    purpose: Purpose,
    /// A share in the flight of lists that is read on this connection (`lists/coalesce.rs`). The next batch starts once
    /// the last share is dropped, and so not before the server has finished.
    pub(super) leader: Option<Arc<LeaderGuard>>,
}

/// The use of a connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Purpose {
    /// Reads of a few rows by their keys, and of the server's catalogue and state.
    Read,
    /// A list, which may be long and slow.
    List,
    Write,
}

/// The sqlx pool with permits before it and idle connections beside it.
#[derive(Debug)]
pub(super) struct ConnectionPool {
    pub(super) pool: PgPool,
    /// One permit for each connection.
    all: Arc<Semaphore>,
    /// Fewer permits than connections: a commit may wait without limit for a standby that is gone.
    writes: Arc<Semaphore>,
    /// Fewer permits than connections: slow lists must not block reads of one item.
    lists: Arc<Semaphore>,
    max_per_purpose: usize,
    pub(super) cancelled: Arc<CancelledStatements>,
    /// A stack: the connection used last is reused first, while its caches are warm.
    idle: Mutex<Vec<PooledConnection>>,
    timeout: StatementTimeout,
}

impl Permit {
    pub(super) fn is_write(&self) -> bool {
        self.purpose == Purpose::Write
    }
}

impl ConnectionPool {
    pub(super) fn new(pool: PgPool, timeout: &StatementTimeout) -> Arc<Self> {
        let max = usize::try_from(pool.options().get_max_connections());
        // A semaphore panics above `MAX_PERMITS`; nobody has so many connections.
        let max = max.map_or(Semaphore::MAX_PERMITS, |it| it.min(Semaphore::MAX_PERMITS));
        // The reserve is rounded up, but a single connection has to serve every purpose.
        let max_per_purpose = max.saturating_sub(max.div_ceil(RESERVED_DIVISOR)).max(1);
        Arc::new(Self {
            pool,
            all: Arc::new(Semaphore::new(max)),
            writes: Arc::new(Semaphore::new(max_per_purpose)),
            lists: Arc::new(Semaphore::new(max_per_purpose)),
            max_per_purpose,
            cancelled: Arc::default(),
            idle: Mutex::default(),
            timeout: timeout.clone(),
        })
    }

    /// Waits for a permit. A write fails at once while cancelled writes that are overdue hold all permits for
    /// writes, since nobody knows when the server finishes them.
    pub(super) async fn permit(&self, purpose: Purpose) -> sqlx::Result<Permit> {
        // The permit of the purpose comes first: a waiter must not hold one that others could use.
        let for_purpose = match purpose {
            Purpose::Read => None,
            Purpose::List => Some(permit(&self.lists).await?),
            Purpose::Write if self.cancelled.write_count() >= self.max_per_purpose => {
                return Err(sqlx::Error::PoolTimedOut);
            }
            Purpose::Write => Some(permit(&self.writes).await?),
        };
        Ok(Permit {
            _any: permit(&self.all).await?,
            _for_purpose: for_purpose,
            purpose,
            leader: None,
        })
    }

    /// A connection for the holder of a permit: an idle one, or one of the sqlx pool.
    pub(super) async fn acquire(self: &Arc<Self>) -> sqlx::Result<PooledConnection> {
        // An idle connection costs no round trip, unlike one that the sqlx pool has to check.
        if let Some(idle) = self.pop_idle() {
            return Ok(idle);
        }
        // Boxed: the future is large, and most requests find an idle connection.
        let connection = Box::pin(self.pool.acquire()).await?;
        // Returns idle connections to the sqlx pool even if no request ever looks at them again.
        let connection_pool = Arc::downgrade(self);
        tokio::spawn(async move {
            sleep(REVALIDATE_AFTER).await;
            if let Some(connection_pool) = connection_pool.upgrade() {
                connection_pool.reap_idle();
            }
        });
        Ok(PooledConnection {
            connection,
            checked_at: Instant::now(),
        })
    }

    /// Adds a connection without unfinished work to the idle ones; returns one that needs a check.
    pub(super) fn park(&self, connection: PooledConnection) -> Result<(), PooledConnection> {
        // A connection in steady use is never idle for long, so its age counts from the last check.
        if self.needs_revalidation(&connection) {
            return Err(connection);
        }
        locked(&self.idle).push(connection);
        Ok(())
    }

    /// Number of idle connections, which the sqlx pool counts as used.
    #[cfg(feature = "metrics")]
    pub(super) fn idle_count(&self) -> usize {
        locked(&self.idle).len()
    }

    fn pop_idle(&self) -> Option<PooledConnection> {
        loop {
            let idle = locked(&self.idle).pop()?;
            if !self.needs_revalidation(&idle) {
                return Some(idle);
            }
            // The entries below were parked earlier, but may have been checked more recently.
            idle.return_to_pool(self.timeout.limit, ());
        }
    }

    /// Returns idle connections that need a check to the sqlx pool.
    fn reap_idle(&self) {
        let is_due = |it: &mut PooledConnection| self.needs_revalidation(it);
        // Collected first: the lock is not held while connections are returned.
        let due: Vec<PooledConnection> = locked(&self.idle).extract_if(.., is_due).collect();
        for connection in due {
            connection.return_to_pool(self.timeout.limit, ());
        }
    }

    fn needs_revalidation(&self, connection: &PooledConnection) -> bool {
        let age = connection.checked_at.elapsed();
        // Without a check for a second, or older than a fault, which has probably ended this connection, too.
        age >= REVALIDATE_AFTER || self.timeout.last_fault.is_stale(age)
    }
}

impl Drop for ConnectionPool {
    fn drop(&mut self) {
        // The drop of a `PoolConnection` panics without a runtime, which an explicit return does not.
        for connection in locked(&self.idle).drain(..) {
            connection.return_to_pool(self.timeout.limit, ());
        }
    }
}

impl PooledConnection {
    /// Resets a session that ran the developer's SQL and makes it idle, or closes it if that fails. Releases
    /// `permit` afterwards.
    pub(super) fn reset(mut self, connection_pool: Arc<ConnectionPool>, permit: Permit) {
        // Without a runtime nothing can wait for the server, and the return closes the connection.
        let Ok(runtime) = Handle::try_current() else {
            return self.return_to_pool(None, permit);
        };
        runtime.spawn(async move {
            let limit = connection_pool.timeout.limit;
            // sqlx first sends the ROLLBACK that the lease queued: within a failed
            // transaction the server would refuse the reset.
            let reset = sqlx::raw_sql(RESET).execute(&mut *self.connection);
            let reset =
                wait_until_finished(&connection_pool, limit, permit.is_write(), reset).await;
            // A session that may have kept state of a hook serves nobody else: the detached connection is
            // closed when it is dropped, and the server then discards the state.
            if !matches!(reset, Some(Ok(_))) {
                drop(self.connection.detach());
            } else if let Err(connection) = connection_pool.park(self) {
                return connection.return_to_pool(limit, permit);
            }
            drop(permit);
        });
    }

    /// Returns a connection on which the server may still be at work to the sqlx pool once it has finished, or closes
    /// the connection if that is never learned. Releases `permit` afterwards.
    pub(super) fn return_when_finished(
        mut self,
        connection_pool: Arc<ConnectionPool>,
        permit: Permit,
    ) {
        let Ok(runtime) = Handle::try_current() else {
            return self.return_to_pool(None, permit);
        };
        runtime.spawn(async move {
            let limit = connection_pool.timeout.limit;
            // The ping is answered after the statement. The sqlx pool itself might close an old connection
            // without waiting for the server.
            let ping = self.connection.ping();
            match wait_until_finished(&connection_pool, limit, permit.is_write(), ping).await {
                // A failed ping needs no branch: the sqlx pool pings again, and closes a dead connection.
                Some(_) => self.return_to_pool(limit, permit),
                None => drop(self.connection.detach()),
            }
        });
    }

    /// Returns the connection to the sqlx pool, and releases `permit` afterwards. A server that does not answer the
    /// pool's ping within `limit` has nothing left to do for us, so the wait ends.
    pub(super) fn return_to_pool(mut self, limit: Option<Duration>, permit: impl Send + 'static) {
        let returned = self.connection.return_to_pool();
        // Without a runtime the process is ending, which closes the connection.
        let Ok(runtime) = Handle::try_current() else {
            return;
        };
        runtime.spawn(async move {
            match limit {
                // A return includes a ping, which may never end on a network that drops packets.
                Some(limit) => drop(timeout(limit, returned).await),
                None => returned.await,
            }
            drop(permit);
        });
    }
}

async fn permit(semaphore: &Arc<Semaphore>) -> sqlx::Result<OwnedSemaphorePermit> {
    let permit = semaphore.clone().acquire_owned().await;
    permit.map_err(|_| sqlx::Error::PoolClosed)
}

/// Resets the state that the developer's SQL may have left in a session. These are the
/// steps of `DISCARD ALL` and `RESET ROLE`, without `DEALLOCATE ALL` and `DISCARD PLANS`: sqlx relies on its
/// prepared statements, and plans hold no state of a hook.
const RESET: &str = "CLOSE ALL; SET SESSION AUTHORIZATION DEFAULT; RESET ROLE; RESET ALL; UNLISTEN *; \
    SELECT pg_advisory_unlock_all(); DISCARD TEMP; DISCARD SEQUENCES";
