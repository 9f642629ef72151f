//! The SQLite driver: a pool of readers, a thread for group commits of single-statement writes, and one
//! connection for transactions.

pub(super) mod connect;
mod disk_space;
pub(super) mod failure;
mod followed_totals;
mod functions;
mod group_commit;
mod introspection;
mod open_transaction;
mod opened_file;
mod readers;
mod row;
mod threads;
mod totals;
mod transaction;
mod write_lock;

#[cfg(unix)]
use std::os::unix::fs::PermissionsExt;
use std::sync::Arc;
use std::time::Duration;

use percent_encoding::NON_ALPHANUMERIC;
use resource_model::error::{DatabaseFailure, Error};
use resource_model::schema::{Identifier, StoredTable, Table};
use resource_sql::{self, Dialect, PageQuery, Statement};
use sqlx::SqlitePool;
use tempfile::TempDir;

#[cfg(feature = "metrics")]
use super::PoolStats;
use super::driver::{
    DbFuture, Driver, DriverTransaction, ReadKind, TransactionKind, Visited, Visitors,
};
use super::row::no_values;
use super::transaction_state::TransactionState;
use super::{DatabaseOptions, DivertedWrites, misconfigured};
use disk_space::DiskSpace;
use group_commit::GroupCommitter;
use open_transaction::Endings;
use opened_file::OpenedFile;
use readers::Readers;
use transaction::SqliteTransaction;
use write_lock::WriteLock;

/// The driver of one SQLite file; clones share its connections.
#[derive(Debug, Clone)]
pub(super) struct SqliteDatabase {
    transaction_pool: SqlitePool,
    snapshot_pool: SqlitePool,
    endings: Endings,
    write_lock: WriteLock,
    /// Dropped before the group committer, whose final checkpoint waits for readers.
    readers: Arc<Readers>,
    group_committer: Arc<GroupCommitter>,
    opened: Arc<OpenedFile>,
    disk_space: Arc<DiskSpace>,
    acquire_timeout: Duration,
    /// The folder of a temporary database; dropped last, when no connection uses its file any more.
    #[allow(dead_code, reason = "held, to be dropped")]
    temporary: Option<Arc<TempDir>>,
}

impl SqliteDatabase {
    pub(super) async fn open(url: &str, options: &DatabaseOptions) -> Result<Self, Error> {
        let file = connect::parse(url)?;
        let path = file.get_filename();
        // SQLite would create the file readable by everybody, so no connection may be the one to create it.
        if connect::mode(url).is_none_or(|mode| mode == connect::MODE_CREATE) {
            connect::create_missing(&file)?;
        }
        let endings = Endings::default();
        // The connection for transactions comes first: it switches the file to WAL mode, and its first read creates
        // the files beside the database, whose identities are recorded next.
        let is_read_only = connect::mode(url) == Some(connect::MODE_READ_ONLY);
        let transaction_pool =
            connect::transaction_pool(&file, is_read_only, options, &endings).await?;
        let opened = OpenedFile::at(path).map_err(|error| connect::cannot_open(path, error))?;
        let opened = Arc::new(opened);
        let write_lock = WriteLock::default();
        let group_committer = GroupCommitter::start(
            path,
            is_read_only,
            options,
            write_lock.clone(),
            Arc::clone(&opened),
        )?;
        let totals = &group_committer.totals;
        let readers = Readers::start(path, options, Arc::clone(&opened), totals)?;
        // All connections must have opened the same file, even if it was replaced meanwhile.
        opened.verify().map_err(|failure| {
            Error::configuration(format!("cannot open the SQLite file: {failure}"))
        })?;
        let disk_space =
            // The probe resolves links, which needs an existing file.
            DiskSpace::beside(path).map_err(|error| connect::cannot_open(path, error))?;
        Ok(Self {
            transaction_pool,
            snapshot_pool: connect::snapshot_pool(&file, options),
            endings,
            write_lock,
            group_committer: Arc::new(group_committer),
            readers: Arc::new(readers),
            opened,
            disk_space: Arc::new(disk_space),
            acquire_timeout: options.acquire_timeout,
            temporary: None,
        })
    }

    /// Creates a database in a folder that is removed with it.
    pub(super) async fn temporary(options: &DatabaseOptions) -> Result<Self, Error> {
        let mut folder = tempfile::Builder::new();
        #[cfg(unix)]
        folder.permissions(PermissionsExt::from_mode(0o700));
        let folder = folder.prefix("resource-").tempdir().map_err(|error| {
            misconfigured("cannot create a folder for a temporary database", error)
        })?;
        let file = folder.path().join("items.db");
        // Characters with a meaning in URLs may stand in the path of the system's folder.
        let path = file.to_string_lossy();
        let path = percent_encoding::utf8_percent_encode(&path, NON_ALPHANUMERIC);
        let database = Self::open(&format!("sqlite://{path}"), options).await?;
        Ok(Self {
            temporary: Some(Arc::new(folder)),
            ..database
        })
    }
}

impl Driver for SqliteDatabase {
    fn dialect(&self) -> Dialect {
        Dialect::Sqlite
    }

    fn read(
        &self,
        statement: Statement,
        kind: ReadKind,
        visitors: Visitors,
    ) -> DbFuture<'_, Visited> {
        Box::pin(self.readers.lend_rows(statement, kind, visitors))
    }

    fn page(self: Arc<Self>, page: PageQuery, visitors: Visitors) -> DbFuture<'static, Visited> {
        Box::pin(async move { self.readers.page(page, visitors).await })
    }

    /// Every transaction that writes holds the write lock from its beginning, and so has every isolation level.
    fn begin(&self, kind: TransactionKind) -> DbFuture<'_, Box<dyn DriverTransaction>> {
        Box::pin(async move {
            let begun = match kind {
                TransactionKind::Write(_) | TransactionKind::SchemaChange => {
                    Box::pin(self.begin_transaction()).await?
                }
                TransactionKind::Snapshot => Box::pin(self.begin_snapshot()).await?,
            };
            Ok(SqliteTransaction::boxed(
                self,
                TransactionState::Begun(begun),
            ))
        })
    }

    fn begin_single(&self) -> Box<dyn DriverTransaction> {
        // Nothing is locked or begun yet: the statement joins a group commit.
        SqliteTransaction::boxed(self, TransactionState::Single)
    }

    fn stored_tables<'a>(&'a self, tables: &'a [Table]) -> DbFuture<'a, Vec<Option<StoredTable>>> {
        Box::pin(self.readers.stored_tables(tables.to_vec()))
    }

    #[cfg(feature = "catalogue")]
    fn table_names(&self) -> DbFuture<'_, Vec<String>> {
        Box::pin(self.readers.table_names())
    }

    /// A write whose row a trigger drops is rolled back by its savepoint, so there is nothing to undo.
    fn diverted_writes(&self, _: Identifier) -> DbFuture<'_, DivertedWrites> {
        Box::pin(async { Ok(DivertedWrites::default()) })
    }

    fn ping(&self) -> DbFuture<'_, ()> {
        Box::pin(async {
            // Reads of a file that was deleted still succeed, so its identity is verified first.
            self.opened.verify()?;
            let ping = resource_sql::ping(Dialect::Sqlite);
            self.read(ping, ReadKind::Item, no_values()).await.map(drop)
        })
    }

    /// Fails if the file, its folder or its disk takes no writes. The probe does not wait for other writers.
    fn takes_writes(&self) -> DbFuture<'_, ()> {
        Box::pin(async {
            // No space on the disk helps a file that was opened read-only.
            if self.group_committer.is_read_only {
                let cause =
                    "the SQLite file is opened read-only: its mode or the URL forbids writes";
                return Err(DatabaseFailure::unavailable(cause.to_owned()));
            }
            let disk_space = Arc::clone(&self.disk_space);
            // A slow disk must not block a thread of the runtime.
            let probed = tokio::task::spawn_blocking(move || disk_space.probe()).await;
            // The outer result fails only if the probe panicked or the runtime ends.
            let probed = probed.map_err(DatabaseFailure::internal)?;
            probed.map_err(|error| {
                DatabaseFailure::unavailable(format!(
                    "the folder of the SQLite file takes no file of 64 KiB: {error}; free space on \
                     its disk, and let the service write to the folder"
                ))
            })
        })
    }

    #[cfg(feature = "metrics")]
    fn pools(&self) -> Vec<PoolStats> {
        vec![
            // The connection for transactions alone: that of the group committer is in no statistics.
            PoolStats::of("write", &self.transaction_pool),
            self.readers.pool_stats(),
        ]
    }
}

#[cfg(test)]
mod tests;
