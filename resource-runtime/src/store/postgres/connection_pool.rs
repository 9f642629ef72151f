//! The connections of a database: permits that bound them, and a list that keeps the idle ones.

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use sqlx::{Connection as _, PgConnection};
use tokio::runtime::Handle;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::task::JoinHandle;
use tokio::time::{self, sleep, timeout};

use super::cancelled::CancelledStatements;
use super::hosts::Hosts;
use super::lists::LeaderGuard;
use super::statement_timeout::StatementTimeout;
use crate::locked::locked;
use crate::store::DatabaseOptions;
#[cfg(feature = "metrics")]
use crate::store::PoolStats;

/// Time after its last answer for which a connection is used without a ping, which costs a round trip.
const TRUSTED: Duration = Duration::from_secs(1);

/// Time limit of a ping on an idle connection, and of the good-bye on one that is closed.
const PING_TIMEOUT: Duration = Duration::from_secs(1);

/// Writes leave one in this many permits, rounded up, to other purposes, and so do lists, unless there is only one
/// permit.
const RESERVED_DIVISOR: usize = 5;

/// An open connection.
#[derive(Debug)]
pub(super) struct PooledConnection {
    pub(super) connection: PgConnection,
    opened_at: Instant,
    /// The end of the last use.
    used_at: Instant,
    /// The last answer of the server: in the last use, or to a ping after it.
    answered_at: Instant,
}

/// The right to use one connection, held until the server has finished everything sent on it.
#[derive(Debug)]
pub(super) struct Permit {
    _any: OwnedSemaphorePermit,
    /// A permit for the purpose, where requests of that purpose may not use all connections.
    _for_purpose: Option<OwnedSemaphorePermit>,
    pub(super) purpose: Purpose,
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

/// Permits, and idle connections for their holders, who open further ones.
#[derive(Debug)]
pub(super) struct ConnectionPool {
    pub(super) hosts: Hosts,
    /// One permit for each connection.
    all: Arc<Semaphore>,
    /// Fewer permits than connections: a commit may wait without limit for a standby that is gone.
    writes: Arc<Semaphore>,
    /// Fewer permits than connections: slow lists must not block reads of one item.
    lists: Arc<Semaphore>,
    #[cfg(feature = "metrics")]
    max: usize,
    max_per_purpose: usize,
    pub(super) cancelled: CancelledStatements,
    /// A stack: the connection used last is reused first, while its caches are warm.
    idle: Mutex<Vec<PooledConnection>>,
    /// The task that looks after idle connections. It ends with its runtime, and so with the connections.
    keeper: Mutex<Option<JoinHandle<()>>>,
    pub(super) idle_timeout: Duration,
    max_lifetime: Duration,
    pub(super) timeout: StatementTimeout,
}

impl ConnectionPool {
    pub(super) fn new(
        hosts: Hosts,
        connections: u32,
        options: &DatabaseOptions,
        timeout: &StatementTimeout,
    ) -> Arc<Self> {
        let max = usize::try_from(connections);
        // A semaphore panics above `MAX_PERMITS`; nobody has so many connections.
        let max = max.map_or(Semaphore::MAX_PERMITS, |it| it.min(Semaphore::MAX_PERMITS));
        // The reserve is rounded up, but a single connection has to serve every purpose.
        let max_per_purpose = max.saturating_sub(max.div_ceil(RESERVED_DIVISOR)).max(1);
        Arc::new(Self {
            hosts,
            all: Arc::new(Semaphore::new(max)),
            writes: Arc::new(Semaphore::new(max_per_purpose)),
            lists: Arc::new(Semaphore::new(max_per_purpose)),
            #[cfg(feature = "metrics")]
            max,
            max_per_purpose,
            cancelled: CancelledStatements::default(),
            idle: Mutex::default(),
            keeper: Mutex::default(),
            idle_timeout: options.idle_timeout,
            max_lifetime: options.max_lifetime,
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

    /// A connection for the holder of a permit: an idle one, or a new one that is open by `deadline`.
    pub(super) async fn acquire(
        self: &Arc<Self>,
        deadline: time::Instant,
    ) -> sqlx::Result<PooledConnection> {
        let pop = || locked(&self.idle).pop();
        while let Some(idle) = pop() {
            let now = Instant::now();
            if now.duration_since(idle.answered_at) < TRUSTED && !self.is_spent(&idle, now) {
                return Ok(idle);
            }
            // Boxed, as below: the futures are large, and most requests find a connection of a moment ago.
            if let Some(idle) = Box::pin(self.checked(idle)).await {
                return Ok(idle);
            }
        }
        let connection = Box::pin(self.hosts.connect(deadline)).await?;
        self.ensure_keeper();
        let now = Instant::now();
        Ok(PooledConnection {
            connection,
            opened_at: now,
            used_at: now,
            answered_at: now,
        })
    }

    /// Adds a connection without unfinished work to the idle ones, or closes it; releases `permit` afterwards.
    pub(super) fn park(&self, mut connection: PooledConnection, permit: Permit) {
        let now = Instant::now();
        (connection.used_at, connection.answered_at) = (now, now);
        if self.is_spent(&connection, now) {
            return connection.close(permit);
        }
        locked(&self.idle).push(connection);
    }

    #[cfg(feature = "metrics")]
    pub(super) fn stats(&self) -> PoolStats {
        let in_use = self.max.saturating_sub(self.all.available_permits());
        PoolStats {
            name: "all",
            most: self.max,
            open: in_use + locked(&self.idle).len(),
            in_use,
            waiting: 0,
        }
    }

    /// Tests whether a connection is to be replaced: it is outdated, or was idle for too long.
    fn is_spent(&self, connection: &PooledConnection, now: Instant) -> bool {
        now.duration_since(connection.used_at) >= self.idle_timeout
            || self.is_outdated(connection.opened_at, now)
    }

    /// Tests whether a connection of this time is too old, or older than a fault, which has probably ended it, too.
    pub(super) fn is_outdated(&self, opened_at: Instant, now: Instant) -> bool {
        now.duration_since(opened_at) >= self.max_lifetime
            || self.timeout.last_fault.is_stale(opened_at)
    }

    /// Pings an idle connection; closes one that is spent or does not answer. One that is dead before a write is sent
    /// leaves no outcome unknown.
    async fn checked(&self, mut idle: PooledConnection) -> Option<PooledConnection> {
        if self.is_spent(&idle, Instant::now()) {
            idle.close(());
            return None;
        }
        let ping = timeout(PING_TIMEOUT, idle.connection.ping()).await;
        if !matches!(ping, Ok(Ok(()))) {
            self.timeout.last_fault.record_fault();
            return None;
        }
        idle.answered_at = Instant::now();
        Some(idle)
    }

    /// Starts the task that looks after idle connections, unless it runs.
    fn ensure_keeper(self: &Arc<Self>) {
        let (mut keeper, weak) = (locked(&self.keeper), Arc::downgrade(self));
        if keeper.as_ref().is_none_or(JoinHandle::is_finished) {
            *keeper = Some(tokio::spawn(async move {
                sleep(TRUSTED).await;
                while let Some(connection_pool) = weak.upgrade() {
                    connection_pool.check_idle().await;
                    drop(connection_pool);
                    sleep(TRUSTED).await;
                }
            }));
        }
    }

    /// Closes idle connections that are spent, and pings each once after its last use, so that the end of a server is
    /// noticed without a request.
    async fn check_idle(&self) {
        // The permit keeps the number of connections within its limit. Without one, all of them are in use.
        while let Ok(_permit) = self.all.try_acquire() {
            let now = Instant::now();
            let is_due = |it: &mut PooledConnection| {
                let is_unchecked = it.answered_at == it.used_at;
                self.is_spent(it, now) || is_unchecked && now.duration_since(it.used_at) >= TRUSTED
            };
            let due = locked(&self.idle).extract_if(.., is_due).next();
            let Some(due) = due else { return };
            if let Some(checked) = self.checked(due).await {
                // At the bottom of the stack, since the others were used later.
                locked(&self.idle).insert(0, checked);
            }
        }
    }
}

impl Drop for ConnectionPool {
    fn drop(&mut self) {
        for connection in locked(&self.idle).drain(..) {
            connection.close(());
        }
    }
}

impl PooledConnection {
    /// Closes the connection, and releases `permit` afterwards.
    pub(super) fn close(self, permit: impl Send + 'static) {
        // Without a runtime the process is ending, and the drop of the connection closes it.
        if let Ok(runtime) = Handle::try_current() {
            runtime.spawn(async move {
                // The server learns of it by the end of the stream, if not by the good-bye.
                drop(timeout(PING_TIMEOUT, self.connection.close()).await);
                drop(permit);
            });
        }
    }
}

async fn permit(semaphore: &Arc<Semaphore>) -> sqlx::Result<OwnedSemaphorePermit> {
    let permit = semaphore.clone().acquire_owned().await;
    permit.map_err(|_| sqlx::Error::PoolClosed)
}
