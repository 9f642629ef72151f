//! Leases of pooled connections.

use std::sync::Arc;

use resource_model::error::{DatabaseFailure, DatabaseResult};
use sqlx::postgres::PgTransactionManager;
use sqlx::{Connection as _, PgConnection, SqlStr};
use sqlx_core::transaction::TransactionManager as _;
use tokio::runtime::Handle;
use tokio::time::{Instant, timeout_at};

use super::PostgresDatabase;
use super::cancelled::wait_until_finished;
use super::connection_pool::{ConnectionPool, Permit, PooledConnection, Purpose};
use super::failure::{acquire_failure, commit_failure, is_fault};
use super::lists::LeaderGuard;
use super::statement_timeout::StatementTimeout;
use super::transaction::BEGIN_REPEATABLE_READ;

/// Tests whether the transaction we began is still open: it alone has the setting.
const IS_OPEN: &str = "SELECT current_setting('resource_runtime.transaction', true) = 'begun'";

const ENDED: &str = "the transaction has ended before its time: the developer's SQL sent COMMIT, ROLLBACK \
    or RESET ALL; leave them to the service";

const NESTED: &str =
    "a transaction that the developer's SQL nested was neither committed nor rolled back";

/// A connection of the pool for one request. Dropping it rolls back an open transaction.
///
/// The permit is released only after the server has finished a cancelled statement; otherwise the
/// server could run more statements than the pool has connections.
#[derive(Debug)]
pub(super) struct Lease {
    /// Taken when the lease is dropped.
    leased: Option<LeasedConnection>,
    timeout: StatementTimeout,
    /// False from each call of `connection` until `mark_idle`, so also after a statement that finished without
    /// that call.
    is_idle: bool,
    /// Set once the developer's SQL may have left settings, locks or temporary tables behind.
    ran_developer_sql: bool,
    /// Set while the developer's SQL may have ended the transaction since the last check.
    is_unverified: bool,
}

/// The connection of a lease with the permit for it, which is dropped after it.
#[derive(Debug)]
struct LeasedConnection {
    connection: PooledConnection,
    permit: Permit,
    connection_pool: Arc<ConnectionPool>,
}

impl Lease {
    /// The connection for a statement, which counts as unfinished until [`mark_idle`](Self::mark_idle).
    pub(super) fn connection(&mut self) -> DatabaseResult<&mut PgConnection> {
        // Set before the statement is sent: its future may be dropped at any await, which runs no code here.
        self.is_idle = false;
        let leased = self.leased.as_mut();
        let leased = leased.ok_or_else(|| DatabaseFailure::internal("a lease has ended"))?;
        Ok(&mut leased.connection.connection)
    }

    /// Keeps the leader of a flight until the server has finished, even if its request is cancelled.
    pub(super) fn keep_leader(&mut self, leader: &Arc<LeaderGuard>) {
        if let Some(leased) = &mut self.leased {
            leased.permit.leader = Some(leader.clone());
        }
    }

    /// The connection, for the developer's SQL.
    pub(super) fn connection_for_developer(&mut self) -> DatabaseResult<&mut PgConnection> {
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

    /// Begins a transaction in a task of its own, so that cancellation cannot interrupt it: sqlx would
    /// not know of the transaction, and single statements of later requests would never be committed.
    pub(super) async fn begin(self, command: SqlStr) -> DatabaseResult<Self> {
        // The join fails only if the task panics, or if the runtime shuts down.
        let begun = tokio::spawn(self.begin_in_this_task(command));
        begun.await.map_err(DatabaseFailure::internal)?
    }

    /// Begins a transaction in the task of the caller, which must not be cancelled. A timeout drops the statement, too,
    /// but records a fault, so that the connection is closed instead of lent again.
    pub(super) async fn begin_in_this_task(mut self, command: SqlStr) -> DatabaseResult<Self> {
        let timeout = self.timeout.clone();
        let begun = PgTransactionManager::begin(self.connection()?, Some(command));
        timeout.run(begun).await.map(|()| self)
    }

    pub(super) async fn commit(mut self) -> DatabaseResult<()> {
        // At a greater depth sqlx would release a savepoint instead of committing.
        if PgTransactionManager::get_transaction_depth(self.connection()?) != 1 {
            return Err(DatabaseFailure::internal(NESTED));
        }
        let timeout = self.timeout.clone();
        // After a failure the lease is not idle, so that its drop waits for the server in the background.
        let committed = PgTransactionManager::commit(self.connection()?);
        timeout.run_as(commit_failure, committed).await?;
        self.mark_idle();
        Ok(())
    }
}

impl LeasedConnection {
    /// Rolls back, and returns the connection by the quickest way that its state allows.
    fn end(mut self, is_idle: bool, ran_developer_sql: bool) {
        let connection = &mut self.connection.connection;
        // Asked before the rollback, which counts as done once it is queued.
        let is_open = PgTransactionManager::get_transaction_depth(connection) > 0;
        // Hooks may have nested transactions, each of which is a level of its own to sqlx.
        while PgTransactionManager::get_transaction_depth(connection) > 0 {
            // Only queued: it is sent with the reset or the ping below.
            PgTransactionManager::start_rollback(connection);
        }
        // The reset also waits for an unfinished statement and for the rollback.
        // So does the ping, where a statement was cancelled or failed, or a transaction is open.
        if ran_developer_sql || !is_idle || is_open {
            return self.park_when_finished(ran_developer_sql);
        }
        // The usual end of a request: the next one gets the connection without a round trip.
        self.connection_pool.park(self.connection, self.permit);
    }

    /// Makes the connection idle once the server has finished, after a `reset` of what the developer's SQL may have left
    /// in the session; closes it if that fails or is never learned. The permit is released afterwards.
    fn park_when_finished(mut self, reset: bool) {
        // Without a runtime nothing can wait for the server: the drop of the connection closes it.
        let Ok(runtime) = Handle::try_current() else {
            return;
        };
        runtime.spawn(async move {
            // sqlx first sends the ROLLBACK that the lease queued. The server responds after it has finished.
            let connection = &mut self.connection.connection;
            let response = async {
                if !reset {
                    return connection.ping().await;
                }
                sqlx::raw_sql(RESET).execute(connection).await.map(drop)
            };
            let is_write = self.permit.purpose == Purpose::Write;
            match wait_until_finished(&self.connection_pool, is_write, response).await {
                Some(Ok(())) => self.connection_pool.park(self.connection, self.permit),
                Some(Err(error)) if is_fault(&error) => {
                    self.connection_pool.timeout.last_fault.record_fault();
                }
                // The drop closes the connection, and the server discards the state of the session.
                _ => {}
            }
        });
    }
}

impl Drop for Lease {
    fn drop(&mut self) {
        if let Some(leased) = self.leased.take() {
            leased.end(self.is_idle, self.ran_developer_sql);
        }
    }
}

impl PostgresDatabase {
    /// Waits until `deadline` for a permit, then for a connection.
    pub(super) async fn lease(&self, purpose: Purpose, deadline: Instant) -> DatabaseResult<Lease> {
        let acquire = async {
            // The permit comes first, since it decides whether this purpose may use a further connection at all.
            let permit = self.connection_pool.permit(purpose).await?;
            let connection = self.connection_pool.acquire(deadline).await?;
            let connection_pool = self.connection_pool.clone();
            Ok(Lease {
                leased: Some(LeasedConnection {
                    connection,
                    permit,
                    connection_pool,
                }),
                timeout: self.timeout.clone(),
                is_idle: true,
                ran_developer_sql: false,
                is_unverified: false,
            })
        };
        // Both waits share the deadline: to the request they are one wait for a connection.
        let acquired = timeout_at(deadline, acquire).await;
        let acquired = acquired.unwrap_or(Err(sqlx::Error::PoolTimedOut));
        acquired.map_err(acquire_failure)
    }

    /// Leases a connection for reads, in a transaction where the limits need one.
    pub(super) async fn lease_for_read(
        &self,
        purpose: Purpose,
        deadline: Instant,
    ) -> DatabaseResult<Lease> {
        let lease = self.lease(purpose, deadline).await?;
        if !self.limits.need_transaction() {
            return Ok(lease);
        }
        // Boxed: few databases are behind such a pooler, and the others keep a small future.
        Box::pin(lease.begin(self.limits.begin(BEGIN_REPEATABLE_READ))).await
    }

    /// Ends a read and the transaction for its limits, so that the connection can be reused at once.
    pub(super) async fn finish_read(&self, mut lease: Lease) {
        // The rows have been read to their end, so that nothing is left to wait for.
        lease.mark_idle();
        if self.limits.need_transaction() {
            // The rows are read: a failed COMMIT only costs the connection.
            drop(Box::pin(lease.commit()).await);
        }
    }

    /// Begins a snapshot, unless the transaction for the limits is one already.
    pub(super) async fn in_snapshot(&self, lease: Lease) -> DatabaseResult<Lease> {
        if self.limits.need_transaction() {
            return Ok(lease);
        }
        lease.begin(self.limits.begin(BEGIN_REPEATABLE_READ)).await
    }
}

/// Resets the state that the developer's SQL may have left in a session. These are the
/// steps of `DISCARD ALL` and `RESET ROLE`, without `DEALLOCATE ALL` and `DISCARD PLANS`: sqlx relies on its
/// prepared statements, and plans hold no state of a hook.
const RESET: &str = "CLOSE ALL; SET SESSION AUTHORIZATION DEFAULT; RESET ROLE; RESET ALL; UNLISTEN *; \
    SELECT pg_advisory_unlock_all(); DISCARD TEMP; DISCARD SEQUENCES";
