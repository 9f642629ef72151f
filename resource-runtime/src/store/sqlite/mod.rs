//! Embedded SQLite: several threads that read, one that writes what is a statement, and one connection
//! for the transactions of hooks.

pub(super) mod connect;
mod disk_space;
pub(super) mod failure;
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

use std::sync::Arc;
use std::time::Duration;

use resource_model::error::{DatabaseFailure, Error};
use resource_model::schema::{Identifier, StoredTable, Table};
use resource_sql::{self, Dialect, PageQuery, Statement};
use sqlx::SqlitePool;

#[cfg(feature = "metrics")]
use super::PoolStats;
use super::driver::{Asked, Driver, DriverTransaction, Isolation, Visited, Visitors};
use super::state::State;
use super::{DatabaseOptions, Diverting};
use disk_space::DiskSpace;
use group_commit::GroupCommitter;
use open_transaction::Endings;
use opened_file::OpenedFile;
use readers::Readers;
use transaction::SqliteTransaction;
use write_lock::WriteLock;

/// Clones share the connections.
#[derive(Debug, Clone)]
pub(super) struct SqliteDatabase {
    writer: SqlitePool,
    endings: Endings,
    write_lock: WriteLock,
    /// Before the writer, whose last act waits for those who read.
    readers: Arc<Readers>,
    group_committer: Arc<GroupCommitter>,
    opened: Arc<OpenedFile>,
    disk_space: Arc<DiskSpace>,
    acquire_timeout: Duration,
}

impl SqliteDatabase {
    pub(super) async fn open(url: &str, options: &DatabaseOptions) -> Result<Self, Error> {
        let file = connect::parse(url)?;
        let path = file.get_filename();
        if connect::mode(url).is_none_or(|mode| mode == connect::CREATING) {
            connect::create_missing(&file)?;
        }
        let endings = Endings::default();
        let writer = connect::writer(&file, options, &endings).await?;
        let opened = OpenedFile::at(path).map_err(|error| connect::cannot_open(path, error))?;
        let opened = Arc::new(opened);
        let readers = Readers::start(path, options, Arc::clone(&opened))?;
        let write_lock = WriteLock::default();
        let is_read_only = connect::mode(url) == Some(connect::READING);
        let group_committer = GroupCommitter::start(
            path,
            is_read_only,
            options,
            write_lock.clone(),
            Arc::clone(&opened),
        )?;
        // The further connections have opened the same file.
        opened.verify().map_err(|failure| {
            Error::configuration(format!("cannot open the SQLite file: {failure}"))
        })?;
        let disk_space =
            DiskSpace::beside(path).map_err(|error| connect::cannot_open(path, error))?;
        Ok(Self {
            writer,
            endings,
            write_lock,
            group_committer: Arc::new(group_committer),
            readers: Arc::new(readers),
            opened,
            disk_space: Arc::new(disk_space),
            acquire_timeout: options.acquire_timeout,
        })
    }
}

impl Driver for SqliteDatabase {
    fn dialect(&self) -> Dialect {
        Dialect::Sqlite
    }

    fn read(&self, statement: Statement, visitors: Visitors) -> Asked<'_, Visited> {
        Box::pin(self.readers.lend_rows(statement, visitors))
    }

    fn page(self: Arc<Self>, page: PageQuery, visitors: Visitors) -> Asked<'static, Visited> {
        Box::pin(async move { self.readers.page(page, visitors).await })
    }

    fn exists(&self, statement: Statement) -> Asked<'_, bool> {
        Box::pin(self.readers.exists(statement))
    }

    /// Each holds the lock of the file's one writer from its beginning, so that it is isolated, too.
    fn begin(&self, _: Isolation) -> Asked<'_, Box<dyn DriverTransaction>> {
        Box::pin(async {
            let begun = Box::pin(self.begun()).await?;
            Ok(SqliteTransaction::boxed(self, State::Begun(begun)))
        })
    }

    fn begin_single(&self) -> Box<dyn DriverTransaction> {
        SqliteTransaction::boxed(self, State::Single)
    }

    fn stored_tables<'a>(&'a self, tables: &'a [Table]) -> Asked<'a, Vec<Option<StoredTable>>> {
        Box::pin(self.readers.stored_tables(tables.to_vec()))
    }

    /// A row that a trigger drops leaves nothing behind: each change is rolled back that stored nothing.
    fn diverting(&self, _: Identifier) -> Asked<'_, Diverting> {
        Box::pin(async { Ok(Diverting::default()) })
    }

    fn ping(&self) -> Asked<'_, ()> {
        Box::pin(async {
            self.opened.verify()?;
            let found = self.readers.exists(resource_sql::ping(Dialect::Sqlite));
            found.await.map(drop)
        })
    }

    /// Fails where the file, its folder or its disk takes no writes. Nobody who writes is waited for.
    fn takes_writes(&self) -> Asked<'_, ()> {
        Box::pin(async {
            if self.group_committer.is_read_only {
                let cause = "the SQLite file is opened to be read alone: its mode or the URL forbids writes";
                return Err(DatabaseFailure::unavailable(cause.to_owned()));
            }
            let disk_space = Arc::clone(&self.disk_space);
            // A disk may keep whoever writes to it waiting.
            let tried = tokio::task::spawn_blocking(move || disk_space.probe()).await;
            let tried = tried.map_err(DatabaseFailure::internal)?;
            tried.map_err(|error| {
            DatabaseFailure::unavailable(format!(
                "the folder of the SQLite file takes no file of 64 KiB: {error}; free space on its disk, \
                 and let the service write to the folder"
            ))
        })
        })
    }

    #[cfg(feature = "metrics")]
    fn pools(&self) -> Vec<PoolStats> {
        vec![
            PoolStats::of("write", &self.writer),
            self.readers.pool_stats(),
        ]
    }
}

#[cfg(test)]
mod tests;
