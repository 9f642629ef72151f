//! A transaction on the connection that hooks are lent.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use resource_model::error::{DatabaseFailure, DatabaseResult};
use sqlx::pool::PoolConnection;
use sqlx::sqlite::SqliteTransactionManager;
use sqlx::{Connection as _, SqlSafeStr as _, Sqlite, SqliteConnection};
use sqlx_core::transaction::TransactionManager as _;
use tokio::runtime::Handle;

use super::failure::{of_commit, of_statement};
use super::write_lock::WriteGuard;

const ENDED: &str = "the transaction has ended before its time: a trigger or a full disk had SQLite roll \
    it back, or a hook sent COMMIT or ROLLBACK; hand errors on by `?`, and leave both to the service";

const NESTED: &str = "a transaction that a hook nested was neither committed nor rolled back";

/// Number of transactions that have ended on the connection. SQLite ends some by itself, and a hook may
/// ignore the error: each statement after it would be committed by itself.
#[derive(Debug, Clone, Default)]
pub(super) struct Endings(Arc<AtomicU64>);

/// A transaction that holds the file's write lock from its first moment, so that what it reads
/// is still true when it writes.
#[derive(Debug)]
pub(super) struct OpenTransaction {
    /// None once it is given back.
    connection: Option<PoolConnection<Sqlite>>,
    /// Released after the connection, when nothing is left to be rolled back.
    guard: Option<WriteGuard>,
    endings: Endings,
    /// Number of endings when it began.
    ended_before: u64,
    /// Set once the developer's SQL may have left settings or temporary tables behind.
    was_lent: bool,
    /// Set while the developer's SQL may have ended it since that was last verified.
    is_unverified: bool,
}

impl Endings {
    /// Counts the endings on `connection` from now on.
    pub(super) async fn count(self, connection: &mut SqliteConnection) -> sqlx::Result<()> {
        let mut handle = connection.lock_handle().await?;
        let (committed, rolled_back) = (self.clone(), self);
        handle.set_commit_hook(move || {
            committed.0.fetch_add(1, Ordering::Release);
            true
        });
        handle.set_rollback_hook(move || {
            rolled_back.0.fetch_add(1, Ordering::Release);
        });
        Ok(())
    }

    fn so_far(&self) -> u64 {
        self.0.load(Ordering::Acquire)
    }
}

impl OpenTransaction {
    pub(super) async fn begin(
        mut connection: PoolConnection<Sqlite>,
        guard: WriteGuard,
        endings: &Endings,
    ) -> DatabaseResult<Self> {
        let command = Some("BEGIN IMMEDIATE".into_sql_str());
        let begun = SqliteTransactionManager::begin(&mut connection, command).await;
        begun.map_err(of_statement)?;
        Ok(Self {
            connection: Some(connection),
            guard: Some(guard),
            endings: endings.clone(),
            ended_before: endings.so_far(),
            was_lent: false,
            is_unverified: false,
        })
    }

    pub(super) fn connection(&mut self) -> DatabaseResult<&mut SqliteConnection> {
        let connection = self.connection.as_deref_mut();
        connection.ok_or_else(|| DatabaseFailure::internal("a transaction has ended"))
    }

    /// The connection, for the developer's SQL; none once the transaction has ended, as each statement
    /// would be committed by itself.
    pub(super) fn lend(&mut self) -> Option<&mut SqliteConnection> {
        if self.endings.so_far() != self.ended_before {
            return None;
        }
        self.was_lent = true;
        self.is_unverified = true;
        self.connection.as_deref_mut()
    }

    /// Fails where the transaction has ended by itself, or by the developer's SQL.
    pub(super) async fn verify_open(&mut self) -> DatabaseResult<()> {
        if self.is_unverified {
            // A statement that was abandoned is carried out all the same, before what comes now.
            let waited = self.connection()?.ping().await;
            waited.map_err(of_statement)?;
            self.is_unverified = false;
        }
        if self.endings.so_far() == self.ended_before {
            return Ok(());
        }
        Err(DatabaseFailure::internal(ENDED))
    }

    pub(super) async fn commit(mut self) -> DatabaseResult<()> {
        // Within one that is nested, the driver would release a savepoint instead.
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
        let is_open = SqliteTransactionManager::get_transaction_depth(&connection) > 0;
        if is_open {
            SqliteTransactionManager::start_rollback(&mut connection);
        } else {
            drop(guard.take());
        }
        let Ok(runtime) = Handle::try_current() else {
            return drop(connection.return_to_pool());
        };
        let was_lent = self.was_lent;
        runtime.spawn(async move {
            if was_lent {
                let _ = connection.close().await;
            } else {
                connection.return_to_pool().await;
            }
            drop(guard);
        });
    }
}
