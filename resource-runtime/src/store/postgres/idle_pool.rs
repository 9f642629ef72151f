//! The connections of a pool, and those of them that rest between two requests.

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use sqlx::pool::PoolConnection;
use sqlx::{Connection as _, PgPool, Postgres};
use tokio::runtime::Handle;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{sleep, timeout};

use super::cancelled::{CancelledStatements, finished_by_server};
use super::deadline::StatementTimeout;
use super::lists::LeaderGuard;
use crate::store::locked;

/// How long a connection is lent from hand to hand before the pool looks at it again: whether it
/// lives, how old it is, and whether it is needed at all. Each look makes the server answer once more.
const REVALIDATE_AFTER: Duration = Duration::from_secs(1);

/// One of so many places is left for others by those who write, and by those who list, if there are two.
const RESERVED_FRACTION: usize = 5;

/// A connection that the pool has handed out.
#[derive(Debug)]
pub(super) struct PooledConnection {
    pub(super) connection: PoolConnection<Postgres>,
    since: Instant,
}

/// The right to one of the connections, until the server is done with what was begun on it.
#[derive(Debug)]
pub(super) struct Permit {
    _any: OwnedSemaphorePermit,
    /// One of those for its like, where all of them together may not take all places.
    _of_its_like: Option<OwnedSemaphorePermit>,
    purpose: Purpose,
    /// The leader whose count is under way on it.
    pub(super) leader: Option<Arc<LeaderGuard>>,
}

/// The use of a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Purpose {
    /// A few rows by their keys.
    Read,
    /// As many rows, and as long, as a list may take.
    List,
    Write,
}

/// A connection may be lent by whoever has one of the places.
#[derive(Debug)]
pub(super) struct IdlePool {
    pub(super) pool: PgPool,
    free: Arc<Semaphore>,
    /// Not all may be taken by those who write: commits wait without limit for standbys that are gone.
    writes: Arc<Semaphore>,
    /// Nor by those who list, which may take as long as is allowed, while others look for one item.
    lists: Arc<Semaphore>,
    most_writes: usize,
    pub(super) cancelled: Arc<CancelledStatements>,
    /// The one used last is lent next, as long as the server and the processor remember it.
    idle: Mutex<Vec<PooledConnection>>,
    timeout: StatementTimeout,
}

impl Permit {
    pub(super) fn is_write(&self) -> bool {
        self.purpose == Purpose::Write
    }
}

impl IdlePool {
    pub(super) fn new(pool: PgPool, timeout: &StatementTimeout) -> Arc<Self> {
        let most = pool.options().get_max_connections();
        let most = usize::try_from(most).unwrap_or(Semaphore::MAX_PERMITS);
        let most = most.min(Semaphore::MAX_PERMITS);
        let most_writes = most.saturating_sub(most.div_ceil(RESERVED_FRACTION)).max(1);
        Arc::new(Self {
            pool,
            free: Arc::new(Semaphore::new(most)),
            writes: Arc::new(Semaphore::new(most_writes)),
            lists: Arc::new(Semaphore::new(most_writes)),
            most_writes,
            cancelled: Arc::default(),
            idle: Mutex::default(),
            timeout: timeout.clone(),
        })
    }

    /// A place, as soon as there is one. One who writes gets none while the server is at as many abandoned
    /// writes as there may be.
    pub(super) async fn permit(&self, purpose: Purpose) -> sqlx::Result<Permit> {
        let of_its_like = match purpose {
            Purpose::Read => None,
            Purpose::List => Some(permit(&self.lists).await?),
            Purpose::Write if self.cancelled.writes() >= self.most_writes => {
                return Err(sqlx::Error::PoolTimedOut);
            }
            Purpose::Write => Some(permit(&self.writes).await?),
        };
        Ok(Permit {
            _any: permit(&self.free).await?,
            _of_its_like: of_its_like,
            purpose,
            leader: None,
        })
    }

    /// A connection for whoever has a place.
    pub(super) async fn take(self: &Arc<Self>) -> sqlx::Result<PooledConnection> {
        if let Some(idle) = self.pop_idle() {
            return Ok(idle);
        }
        // On the heap, so that requests that need no new connection do not carry it about.
        let connection = Box::pin(self.pool.acquire()).await?;
        // Connections that nobody wants any more do not rest for ever.
        let idle_pool = Arc::downgrade(self);
        tokio::spawn(async move {
            sleep(REVALIDATE_AFTER).await;
            if let Some(idle_pool) = idle_pool.upgrade() {
                idle_pool.return_to_pool();
            }
        });
        Ok(PooledConnection {
            connection,
            since: Instant::now(),
        })
    }

    /// Lets a connection rest on which nothing is left to be done, unless the pool is to see it.
    pub(super) fn park(&self, connection: PooledConnection) -> Result<(), PooledConnection> {
        if self.needs_revalidation(&connection) {
            return Err(connection);
        }
        locked(&self.idle).push(connection);
        Ok(())
    }

    /// How many connections nobody uses that the pool takes to be used.
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
            idle.return_to_pool(self.timeout.limit, ());
        }
    }

    /// Gives the pool what nobody has used for long.
    fn return_to_pool(&self) {
        let due = |it: &mut PooledConnection| self.needs_revalidation(it);
        let due: Vec<PooledConnection> = locked(&self.idle).extract_if(.., due).collect();
        for connection in due {
            connection.return_to_pool(self.timeout.limit, ());
        }
    }

    fn needs_revalidation(&self, connection: &PooledConnection) -> bool {
        let since = connection.since.elapsed();
        since >= REVALIDATE_AFTER || self.timeout.health.is_stale(since)
    }
}

impl Drop for IdlePool {
    fn drop(&mut self) {
        for connection in locked(&self.idle).drain(..) {
            connection.return_to_pool(self.timeout.limit, ());
        }
    }
}

impl PooledConnection {
    /// Lets it rest once the session is as it was before it was lent to the developer, or closes it. Then lets
    /// go of `permit`.
    pub(super) fn reset(mut self, idle_pool: Arc<IdlePool>, permit: Permit) {
        let Ok(runtime) = Handle::try_current() else {
            return self.return_to_pool(None, permit);
        };
        runtime.spawn(async move {
            let limit = idle_pool.timeout.limit;
            let reset = sqlx::raw_sql(RESET).execute(&mut *self.connection);
            let reset = finished_by_server(&idle_pool, limit, permit.is_write(), reset).await;
            if !matches!(reset, Some(Ok(_))) {
                drop(self.connection.detach());
            } else if let Err(due) = idle_pool.park(self) {
                return due.return_to_pool(limit, permit);
            }
            drop(permit);
        });
    }

    /// Gives it back to the pool once the server is done with what was abandoned half-way, or closes it. Then
    /// lets go of `permit`.
    pub(super) fn settle(mut self, idle_pool: Arc<IdlePool>, permit: Permit) {
        let Ok(runtime) = Handle::try_current() else {
            return self.return_to_pool(None, permit);
        };
        runtime.spawn(async move {
            let limit = idle_pool.timeout.limit;
            // The pool would close one that is too old, and not wait for the server.
            let ready = self.connection.ping();
            let ready = finished_by_server(&idle_pool, limit, permit.is_write(), ready).await;
            match ready {
                Some(_) => self.return_to_pool(limit, permit),
                None => drop(self.connection.detach()),
            }
        });
    }

    /// Gives it back to the pool, and then lets go of `permit`; a server that is silent for longer than `limit` is
    /// not waited for: it has nothing left to do.
    pub(super) fn return_to_pool(mut self, limit: Option<Duration>, permit: impl Send + 'static) {
        let rest = self.connection.return_to_pool();
        // Where everything ends, so does the connection.
        let Ok(runtime) = Handle::try_current() else {
            return;
        };
        runtime.spawn(async move {
            match limit {
                Some(limit) => drop(timeout(limit, rest).await),
                None => rest.await,
            }
            drop(permit);
        });
    }
}

async fn permit(idle_pool: &Arc<Semaphore>) -> sqlx::Result<OwnedSemaphorePermit> {
    let permit = idle_pool.clone().acquire_owned().await;
    permit.map_err(|_| sqlx::Error::PoolClosed)
}

/// Resets the state that the developer's SQL may have left in a session. `DISCARD ALL` would forget the statements
/// that the driver knows to be prepared, too.
const RESET: &str = "CLOSE ALL; SET SESSION AUTHORIZATION DEFAULT; RESET ROLE; RESET ALL; UNLISTEN *; \
    SELECT pg_advisory_unlock_all(); DISCARD TEMP; DISCARD SEQUENCES";
