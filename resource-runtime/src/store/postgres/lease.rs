//! Connections that are lent, and how the pool learns that they are broken.

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

/// Tests that the session is within the transaction that we began, which alone has the setting.
const IS_OPEN: &str = "SELECT current_setting('resource_runtime.transaction', true) = 'begun'";

const ENDED: &str = "the transaction has ended before its time: a hook sent COMMIT, ROLLBACK or RESET ALL; \
    leave them to the service";

const NESTED: &str = "a transaction that a hook nested was neither committed nor rolled back";

/// A connection of the pool, lent for one request; what it has begun and not committed by its end
/// is rolled back.
///
/// Nobody else is lent its place before the server is done with what was abandoned half-way: it
/// would work for more sessions than it was told to expect.
#[derive(Debug)]
pub(super) struct Lease {
    /// None once it has ended.
    lent: Option<Lent>,
    timeout: StatementTimeout,
    /// Whether nothing is left to be done on it.
    is_done: bool,
    /// Set once the developer's SQL may have left settings, locks or temporary tables behind.
    was_lent: bool,
    /// Set while the developer's SQL may have ended the transaction since that was last verified.
    is_unverified: bool,
}

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
            is_done: true,
            was_lent: false,
            is_unverified: false,
        }
    }

    /// The connection, on which something is left to be done until [`done`](Self::done) is told.
    pub(super) fn connection(&mut self) -> DatabaseResult<&mut PgConnection> {
        self.is_done = false;
        let lent = self.lent.as_mut();
        let lent = lent.ok_or_else(|| DatabaseFailure::internal("a lease has ended"))?;
        Ok(&mut lent.connection.connection)
    }

    /// Keeps the leader of a flight until the server is done, even if its request is given up.
    pub(super) fn keep_leader(&mut self, leader: &Arc<LeaderGuard>) {
        if let Some(lent) = &mut self.lent {
            lent.permit.leader = Some(leader.clone());
        }
    }

    /// The connection, for the developer's SQL.
    pub(super) fn lend(&mut self) -> DatabaseResult<&mut PgConnection> {
        self.was_lent = true;
        self.is_unverified = true;
        self.connection()
    }

    /// Asks the server whether the transaction goes on. The developer's SQL may have failed, of
    /// which COMMIT says nothing but its tag, or have ended it, after which each statement would
    /// be committed by itself.
    pub(super) async fn verify_open(&mut self) -> DatabaseResult<()> {
        if !self.is_unverified {
            return Ok(());
        }
        let timeout = self.timeout.clone();
        let asked = sqlx::query_scalar(IS_OPEN).fetch_one(self.connection()?);
        let is_open: Option<bool> = timeout.run(asked).await?;
        if is_open != Some(true) {
            return Err(DatabaseFailure::internal(ENDED));
        }
        self.is_unverified = false;
        Ok(())
    }

    /// The last statement was carried out, and its answer was read to the end.
    pub(super) const fn mark_idle(&mut self) {
        self.is_done = true;
    }

    /// Begins a transaction, whether or not anyone still waits for it: abandoned half-way, the
    /// connection would be lent again within a transaction of which the driver does not know, and
    /// what others write by one statement would never be committed.
    pub(super) async fn begin(self, command: SqlStr) -> DatabaseResult<Self> {
        let begun = tokio::spawn(self.begin_uncancellable(command));
        begun.await.map_err(DatabaseFailure::internal)?
    }

    /// Begins a transaction, where nobody gives it up half-way.
    pub(super) async fn begin_uncancellable(mut self, command: SqlStr) -> DatabaseResult<Self> {
        let timeout = self.timeout.clone();
        let begun = PgTransactionManager::begin(self.connection()?, Some(command));
        timeout.run(begun).await.map(|()| self)
    }

    pub(super) async fn commit(mut self) -> DatabaseResult<()> {
        // Within one that is nested, the driver would release a savepoint instead.
        if PgTransactionManager::get_transaction_depth(self.connection()?) != 1 {
            return Err(DatabaseFailure::internal(NESTED));
        }
        let timeout = self.timeout.clone();
        let committed = PgTransactionManager::commit(self.connection()?);
        timeout.run_commit(committed).await?;
        self.mark_idle();
        Ok(())
    }
}

impl Lent {
    fn end(mut self, is_done: bool, was_lent: bool, limit: Option<Duration>) {
        let connection = &mut self.connection.connection;
        let is_open = PgTransactionManager::get_transaction_depth(connection) > 0;
        while PgTransactionManager::get_transaction_depth(connection) > 0 {
            // Only noted down: it is sent with what brings the connection to rest.
            PgTransactionManager::start_rollback(connection);
        }
        if was_lent {
            return self.connection.reset(self.idle_pool, self.permit);
        }
        if !is_done || is_open {
            return self.connection.settle(self.idle_pool, self.permit);
        }
        if let Err(due) = self.idle_pool.park(self.connection) {
            due.return_to_pool(limit, self.permit);
        }
    }
}

impl Drop for Lease {
    fn drop(&mut self) {
        if let Some(lent) = self.lent.take() {
            lent.end(self.is_done, self.was_lent, self.timeout.limit);
        }
    }
}

/// How often connections are replaced by others that may be no better.
const RECORD_INTERVAL: Duration = Duration::from_secs(1);

/// When the server last failed us: what ended one connection ended its contemporaries, too, so
/// those are replaced instead of each being tried.
#[derive(Debug, Default)]
pub(super) struct Health {
    last: Mutex<Option<Instant>>,
}

impl Health {
    pub(super) fn record_fault(&self) {
        *locked(&self.last) = Some(Instant::now());
    }

    /// Notes what new connections need not mend: else each request would have all of them replaced.
    pub(super) fn record_fault_rate_limited(&self) {
        let mut last = locked(&self.last);
        if last.is_none_or(|last| last.elapsed() > RECORD_INTERVAL) {
            *last = Some(Instant::now());
        }
    }

    /// Whether a connection that is `age` old was made before the last fault.
    pub(super) fn is_stale(&self, age: Duration) -> bool {
        let last = *locked(&self.last);
        last.is_some_and(|last| last.elapsed() <= age)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::Health;

    #[test]
    fn a_server_that_only_reads_outdates_no_connection_of_this_moment() {
        let health = Health::default();
        health.record_fault_rate_limited();
        let age = std::time::Instant::now();
        health.record_fault_rate_limited();
        assert!(!health.is_stale(age.elapsed()));
        assert!(health.is_stale(Duration::from_hours(1)));
    }

    #[test]
    fn a_fault_outdates_what_was_there_before_it() {
        let health = Health::default();
        assert!(!health.is_stale(Duration::from_hours(1)));
        health.record_fault();
        assert!(health.is_stale(Duration::from_hours(1)));
        assert!(!health.is_stale(Duration::ZERO));
    }
}
