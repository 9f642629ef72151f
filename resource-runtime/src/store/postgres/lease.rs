//! Leases of pooled connections, and the record of server faults that makes connections stale.

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use resource_model::error::{DatabaseFailure, DatabaseResult};
use sqlx::postgres::PgTransactionManager;
use sqlx::{PgConnection, SqlStr};
use sqlx_core::transaction::TransactionManager as _;

use super::deadline::StatementTimeout;
use super::idle_pool::{IdlePool, Permit, PooledConnection};
use super::lists::LeaderGuard;
use crate::store::locked;

/// Tests that the transaction we began is still open: it alone has the setting.
const IS_OPEN: &str = "SELECT current_setting('resource_runtime.transaction', true) = 'begun'";

const ENDED: &str = "the transaction has ended before its time: the developer's SQL sent COMMIT, ROLLBACK \
    or RESET ALL; leave them to the service";

const NESTED: &str =
    "a transaction that the developer's SQL nested was neither committed nor rolled back";

/// A connection of the pool for one request. Dropping it rolls back an open transaction.
///
/// The permit is released only after the server has finished a cancelled statement; otherwise the
/// server could run more sessions than `max_connections`.
#[derive(Debug)]
pub(super) struct Lease {
    /// Taken when the lease is dropped.
    lent: Option<Lent>,
    timeout: StatementTimeout,
    /// True while no statement is unfinished.
    is_idle: bool,
    /// Set once the developer's SQL may have left settings, locks or temporary tables behind.
    ran_developer_sql: bool,
    /// Set while the developer's SQL may have ended the transaction since the last check.
    is_unverified: bool,
}

/// The connection of a lease with the permit for it.
#[derive(Debug)]
struct Lent {
    connection: PooledConnection,
    permit: Permit,
    idle_pool: Arc<IdlePool>,
}

impl Lease {
    pub(super) fn new(
        connection: PooledConnection,
        permit: Permit,
        idle_pool: &Arc<IdlePool>,
        timeout: &StatementTimeout,
    ) -> Self {
        let idle_pool = idle_pool.clone();
        Self {
            lent: Some(Lent {
                connection,
                permit,
                idle_pool,
            }),
            timeout: timeout.clone(),
            is_idle: true,
            ran_developer_sql: false,
            is_unverified: false,
        }
    }

    /// The connection for a statement, which counts as unfinished until [`mark_idle`](Self::mark_idle).
    pub(super) fn connection(&mut self) -> DatabaseResult<&mut PgConnection> {
        // Set before the statement is sent: its future may be dropped at any await, which runs no code here.
        self.is_idle = false;
        let lent = self.lent.as_mut();
        let lent = lent.ok_or_else(|| DatabaseFailure::internal("a lease has ended"))?;
        Ok(&mut lent.connection.connection)
    }

    /// Keeps the leader of a flight until the server has finished, even if its request is cancelled.
    pub(super) fn keep_leader(&mut self, leader: &Arc<LeaderGuard>) {
        if let Some(lent) = &mut self.lent {
            lent.permit.leader = Some(leader.clone());
        }
    }

    /// The connection, for the developer's SQL.
    pub(super) fn lend(&mut self) -> DatabaseResult<&mut PgConnection> {
        self.ran_developer_sql = true;
        self.is_unverified = true;
        self.connection()
    }

    /// Asks the server whether the transaction is still open. The developer's SQL may have failed,
    /// which COMMIT reveals only by its command tag, or have ended the transaction, after which each
    /// further statement would commit by itself.
    pub(super) async fn verify_open(&mut self) -> DatabaseResult<()> {
        // Only the developer's SQL can end the transaction unnoticed, so others save the round trip.
        if !self.is_unverified {
            return Ok(());
        }
        let timeout = self.timeout.clone();
        let query = sqlx::query_scalar(IS_OPEN).fetch_one(self.connection()?);
        let is_open: Option<bool> = timeout.run(query).await?;
        // Null means that the session never had the setting, false that the setting has ended.
        if is_open != Some(true) {
            return Err(DatabaseFailure::internal(ENDED));
        }
        self.is_unverified = false;
        Ok(())
    }

    /// Notes that the last statement was executed and its result read to the end.
    pub(super) const fn mark_idle(&mut self) {
        self.is_idle = true;
    }

    /// Begins a transaction in a task of its own, so that cancellation cannot interrupt it: the driver would
    /// not know of the transaction, and single statements of later requests would never be committed.
    pub(super) async fn begin(self, command: SqlStr) -> DatabaseResult<Self> {
        // The join fails only if the task panics, or if the runtime shuts down.
        let begun = tokio::spawn(self.begin_uncancellable(command));
        begun.await.map_err(DatabaseFailure::internal)?
    }

    /// Begins a transaction, for callers that are never cancelled.
    pub(super) async fn begin_uncancellable(mut self, command: SqlStr) -> DatabaseResult<Self> {
        let timeout = self.timeout.clone();
        let begun = PgTransactionManager::begin(self.connection()?, Some(command));
        timeout.run(begun).await.map(|()| self)
    }

    pub(super) async fn commit(mut self) -> DatabaseResult<()> {
        // At a greater depth the driver would release a savepoint instead of committing.
        if PgTransactionManager::get_transaction_depth(self.connection()?) != 1 {
            return Err(DatabaseFailure::internal(NESTED));
        }
        let timeout = self.timeout.clone();
        // After a failure the lease is not idle, so that its drop settles with the server.
        let committed = PgTransactionManager::commit(self.connection()?);
        timeout.run_commit(committed).await?;
        self.mark_idle();
        Ok(())
    }
}

impl Lent {
    /// Rolls back, and returns the connection by the quickest way that its state allows.
    fn end(mut self, is_idle: bool, ran_developer_sql: bool, limit: Option<Duration>) {
        let connection = &mut self.connection.connection;
        // Asked before the rollback, which counts as done once it is queued.
        let is_open = PgTransactionManager::get_transaction_depth(connection) > 0;
        // Hooks may have nested transactions, each of which is a level of its own to the driver.
        while PgTransactionManager::get_transaction_depth(connection) > 0 {
            // Only queued: it is sent with the reset or the ping below.
            PgTransactionManager::start_rollback(connection);
        }
        // The reset also waits for an unfinished statement and for the rollback.
        if ran_developer_sql {
            return self.connection.reset(self.idle_pool, self.permit);
        }
        // A statement was cancelled or failed, or a transaction is open: the server may be at work.
        if !is_idle || is_open {
            return self.connection.settle(self.idle_pool, self.permit);
        }
        // The usual end of a request: the next one gets the connection without a round trip.
        if let Err(connection) = self.idle_pool.park(self.connection) {
            connection.return_to_pool(limit, self.permit);
        }
    }
}

impl Drop for Lease {
    fn drop(&mut self) {
        if let Some(lent) = self.lent.take() {
            lent.end(self.is_idle, self.ran_developer_sql, self.timeout.limit);
        }
    }
}

/// Shortest time between two faults that new connections may not fix.
const RECORD_INTERVAL: Duration = Duration::from_secs(1);

/// The last fault of the server. A fault that ends one connection has usually ended all older ones, so those
/// are replaced without a try of each.
#[derive(Debug, Default)]
pub(super) struct Health {
    last: Mutex<Option<Instant>>,
}

impl Health {
    pub(super) fn record_fault(&self) {
        *locked(&self.last) = Some(Instant::now());
    }

    /// Records a fault that new connections may not fix: without the limit each request would replace
    /// all of them.
    pub(super) fn record_fault_rate_limited(&self) {
        let mut last = locked(&self.last);
        if last.is_none_or(|last| last.elapsed() > RECORD_INTERVAL) {
            *last = Some(Instant::now());
        }
    }

    /// Tests that a connection of this age was made before the last fault.
    pub(super) fn is_stale(&self, age: Duration) -> bool {
        let last = *locked(&self.last);
        // A connection of the same instant counts as older: a needless replacement is the lesser evil.
        last.is_some_and(|last| last.elapsed() <= age)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::Health;

    #[test]
    fn new_connections_to_a_read_only_server_are_not_stale() {
        let health = Health::default();
        health.record_fault_rate_limited();
        let age = std::time::Instant::now();
        health.record_fault_rate_limited();
        assert!(!health.is_stale(age.elapsed()));
        assert!(health.is_stale(Duration::from_hours(1)));
    }

    #[test]
    fn a_fault_makes_older_connections_stale() {
        let health = Health::default();
        assert!(!health.is_stale(Duration::from_hours(1)));
        health.record_fault();
        assert!(health.is_stale(Duration::from_hours(1)));
        assert!(!health.is_stale(Duration::ZERO));
    }
}
