//! An open transaction, on the one connection for transactions.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use resource_model::error::{DatabaseFailure, DatabaseResult};
use sqlx::pool::PoolConnection;
use sqlx::sqlite::SqliteTransactionManager;
use sqlx::{Connection as _, SqlSafeStr as _, Sqlite, SqliteConnection};
use sqlx_core::transaction::TransactionManager as _;
use tokio::runtime::Handle;

use super::failure::{of_commit, of_statement};
use super::write_lock::WriteGuard;

const ENDED: &str = "the transaction has ended before its time: a trigger or a full disk had SQLite roll \
    it back, or the developer's SQL sent COMMIT or ROLLBACK; hand errors on by `?`, and leave both to the service";

const NESTED: &str =
    "a transaction that the developer's SQL nested was neither committed nor rolled back";

/// The time after which a transaction is logged, since others wait for the lock that it holds.
const LONG_HOLD: Duration = Duration::from_secs(1);

/// Number of transactions that have ended on the connection. SQLite ends some by itself, and a hook may ignore
/// the error: each later statement would then commit by itself.
#[derive(Debug, Clone, Default)]
pub(super) struct Endings(Arc<AtomicU64>);

/// A transaction that holds the write lock from its beginning, so that its reads are still true when it
/// writes, or one that only reads.
#[derive(Debug)]
pub(super) struct OpenTransaction {
    /// Taken when the transaction is dropped.
    connection: Option<PoolConnection<Sqlite>>,
    /// Released after the rollback; none of a transaction that only reads.
    guard: Option<WriteGuard>,
    begun: Instant,
    endings: Endings,
    endings_at_begin: u64,
    /// Set once the developer's SQL may have left settings or temporary tables behind.
    ran_developer_sql: bool,
    /// Set while the developer's SQL may have ended the transaction since the last check.
    is_unverified: bool,
}

impl Endings {
    /// Installs SQLite's commit and rollback hooks on `connection`, which count the endings.
    pub(super) async fn count(self, connection: &mut SqliteConnection) -> sqlx::Result<()> {
        let mut handle = connection.lock_handle().await?;
        let (committed, rolled_back) = (self.clone(), self);
        // SQLite's commit and rollback hooks run on the connection's thread. Release and acquire let a request see
        // the number as soon as the statement has returned.
        handle.set_commit_hook(move || {
            committed.0.fetch_add(1, Ordering::Release);
            // True lets the commit continue.
            true
        });
        handle.set_rollback_hook(move || {
            rolled_back.0.fetch_add(1, Ordering::Release);
        });
        Ok(())
    }

    fn number(&self) -> u64 {
        self.0.load(Ordering::Acquire)
    }
}

impl OpenTransaction {
    /// Begins a transaction that writes, and so holds the write lock, or without it one that only reads.
    pub(super) async fn begin(
        mut connection: PoolConnection<Sqlite>,
        guard: Option<WriteGuard>,
        endings: &Endings,
    ) -> DatabaseResult<Self> {
        // A plain BEGIN takes the lock of the file at the first write, which fails at once if another process
        // has committed since the first read.
        let command = if guard.is_some() {
            "BEGIN IMMEDIATE"
        } else {
            "BEGIN; SAVEPOINT resource_runtime"
        };
        let command = Some(command.into_sql_str());
        let begun = SqliteTransactionManager::begin(&mut connection, command).await;
        begun.map_err(of_statement)?;
        Ok(Self {
            connection: Some(connection),
            guard,
            begun: Instant::now(),
            endings: endings.clone(),
            // Read after BEGIN: each later ending is one of this transaction.
            endings_at_begin: endings.number(),
            ran_developer_sql: false,
            is_unverified: false,
        })
    }

    pub(super) fn connection(&mut self) -> DatabaseResult<&mut SqliteConnection> {
        let connection = self.connection.as_deref_mut();
        connection.ok_or_else(|| DatabaseFailure::internal("a transaction has ended"))
    }

    /// The connection, for the developer's SQL; none once the transaction has ended, since each statement would
    /// commit by itself.
    pub(super) fn lend(&mut self) -> Option<&mut SqliteConnection> {
        if self.endings.number() != self.endings_at_begin {
            return None;
        }
        // Set before the connection is lent, since a hook may be cancelled in the middle of a statement.
        self.ran_developer_sql = true;
        self.is_unverified = true;
        self.connection.as_deref_mut()
    }

    /// Fails if SQLite or the developer's SQL has ended the transaction.
    pub(super) async fn verify_open(&mut self) -> DatabaseResult<()> {
        if self.is_unverified && self.guard.is_none() {
            // The end of a transaction that only reads calls no hook, but releases its savepoint.
            let renewal = sqlx::raw_sql("RELEASE resource_runtime; SAVEPOINT resource_runtime");
            let renewed = renewal.execute(self.connection()?).await;
            renewed.map_err(|_| DatabaseFailure::internal(ENDED))?;
        } else if self.is_unverified {
            // The connection's thread executes even a cancelled statement. The ping waits for that.
            self.connection()?.ping().await.map_err(of_statement)?;
        }
        self.is_unverified = false;
        if self.endings.number() == self.endings_at_begin {
            return Ok(());
        }
        Err(DatabaseFailure::internal(ENDED))
    }

    pub(super) async fn commit(mut self) -> DatabaseResult<()> {
        // At a greater depth sqlx would release a savepoint instead of committing.
        if SqliteTransactionManager::get_transaction_depth(self.connection()?) != 1 {
            return Err(DatabaseFailure::internal(NESTED));
        }
        let committed = SqliteTransactionManager::commit(self.connection()?).await;
        committed.map_err(of_commit)
    }
}

impl Drop for OpenTransaction {
    fn drop(&mut self) {
        let (Some(mut connection), mut guard) = (self.connection.take(), self.guard.take()) else {
            return;
        };
        let held = self.begun.elapsed();
        if guard.is_some() && held > LONG_HOLD {
            tracing::warn!(
                ?held,
                "a transaction kept all other writers waiting; do slow work before it, and read by `Api::read` (the \
                 creation of an index on a large table takes its time)"
            );
        }
        if SqliteTransactionManager::get_transaction_depth(&connection) > 0 {
            // This only queues the rollback; the connection's thread executes it before any later statement.
            SqliteTransactionManager::start_rollback(&mut connection);
        } else {
            // Nothing to roll back: the next writer need not wait for the return of the connection.
            drop(guard.take());
        }
        // Outside of a runtime nothing can wait for the rollback. The future is dropped unpolled, which closes the
        // connection and so rolls back; the next writer waits by its busy timeout.
        let Ok(runtime) = Handle::try_current() else {
            return drop(connection.return_to_pool());
        };
        let ran_developer_sql = self.ran_developer_sql;
        // Drop cannot wait for the rollback, so a task does, and only then lets the next writer in.
        runtime.spawn(async move {
            if ran_developer_sql {
                // Settings, temporary tables and nested transactions of a hook end with their connection.
                let _ = connection.close().await;
            } else {
                connection.return_to_pool().await;
            }
            drop(guard);
        });
    }
}
