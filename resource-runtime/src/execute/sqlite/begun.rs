//! A transaction on the connection that hooks are lent.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use sqlx::pool::PoolConnection;
use sqlx::sqlite::SqliteTransactionManager;
use sqlx::{Connection as _, SqlSafeStr as _, Sqlite, SqliteConnection};
use sqlx_core::transaction::TransactionManager as _;
use tokio::runtime::Handle;

use super::failure::{of_commit, of_writer};
use super::turn::Turn;
use crate::error::DatabaseFailure;

const ENDED: &str = "SQLite rolled the transaction back, because a trigger, the disk or SQL of a hook \
    had it do so, or a hook committed it; hand errors on by `?`, and leave its end to the service";

const NESTED: &str = "a transaction that a hook nested was neither committed nor rolled back";

/// How many transactions have ended on the connection: SQLite ends some by itself, of which a hook
/// may ignore the error, and each statement after it would be committed by itself.
#[derive(Debug, Clone, Default)]
pub(super) struct Endings(Arc<AtomicU64>);

/// A transaction that holds the file's write lock from its first moment, so that what it reads
/// is still true when it writes.
#[derive(Debug)]
pub(super) struct Begun {
    /// None once it was given back.
    connection: Option<PoolConnection<Sqlite>>,
    /// Given back with the connection, at which nothing is left to be rolled back.
    turn: Option<Turn>,
    endings: Endings,
    /// The endings before its own.
    ended_before: u64,
    /// Whether SQL of the developer's may have left settings or temporary tables behind.
    was_lent: bool,
    /// Whether such SQL may be under way since it was last waited for.
    is_unsure: bool,
}

impl Endings {
    /// Counts those of `connection` from now on.
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

impl Begun {
    pub(super) async fn begin(
        mut connection: PoolConnection<Sqlite>,
        turn: Turn,
        endings: &Endings,
    ) -> Result<Self, DatabaseFailure> {
        let command = Some("BEGIN IMMEDIATE".into_sql_str());
        let begun = SqliteTransactionManager::begin(&mut connection, command).await;
        begun.map_err(|error| of_writer(&error))?;
        Ok(Self {
            connection: Some(connection),
            turn: Some(turn),
            endings: endings.clone(),
            ended_before: endings.so_far(),
            was_lent: false,
            is_unsure: false,
        })
    }

    pub(super) fn connection(&mut self) -> Result<&mut SqliteConnection, DatabaseFailure> {
        let connection = self.connection.as_deref_mut();
        connection.ok_or_else(|| DatabaseFailure::unexpected("a transaction has ended"))
    }

    /// The connection, for SQL of the developer's.
    pub(super) fn lend(&mut self) -> Result<&mut SqliteConnection, DatabaseFailure> {
        self.was_lent = true;
        self.is_unsure = true;
        self.connection()
    }

    /// Fails where the transaction has ended by itself, or by SQL of the developer's.
    pub(super) async fn require_begun(&mut self) -> Result<(), DatabaseFailure> {
        if self.is_unsure {
            // A statement that was abandoned is carried out all the same, before what comes now.
            let waited = self.connection()?.ping().await;
            waited.map_err(|error| of_writer(&error))?;
            self.is_unsure = false;
        }
        if self.endings.so_far() == self.ended_before {
            return Ok(());
        }
        Err(DatabaseFailure::unexpected(ENDED))
    }

    pub(super) async fn commit(mut self) -> Result<(), DatabaseFailure> {
        let committed = SqliteTransactionManager::commit(self.connection()?).await;
        committed.map_err(|error| of_commit(of_writer(&error)))?;
        // Within one that is nested, the driver has released a savepoint instead.
        if self.endings.so_far() == self.ended_before {
            return Err(DatabaseFailure::unexpected(NESTED));
        }
        Ok(())
    }
}

impl Drop for Begun {
    fn drop(&mut self) {
        let (Some(mut connection), mut turn) = (self.connection.take(), self.turn.take()) else {
            return;
        };
        let is_open = SqliteTransactionManager::get_transaction_depth(&connection) > 0;
        if is_open {
            SqliteTransactionManager::start_rollback(&mut connection);
        } else if !self.was_lent {
            drop(turn.take());
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
            drop(turn);
        });
    }
}
