//! Embedded SQLite: several threads that read, one that writes what is a statement, and one connection
//! for the transactions of hooks.

pub(super) mod connect;
mod driver;
mod failure;
mod functions;
mod gathered;
mod open_transaction;
mod opened_file;
mod readers;
mod room;
mod row;
mod stored;
mod threads;
mod totals;
mod transaction;
mod turn;
#[cfg(feature = "metrics")]
mod usage;

use std::sync::Arc;
use std::time::Duration;

use resource_model::error::{DatabaseFailure, Error};
use sqlx::SqlitePool;

use super::DatabaseOptions;
#[cfg(feature = "metrics")]
use super::PoolUse;
use gathered::Gathered;
use open_transaction::Endings;
use opened_file::OpenedFile;
use readers::Readers;
use room::Room;
use transaction::SqliteTransaction;
use turn::Turns;

/// Clones share the connections.
#[derive(Debug, Clone)]
pub(super) struct SqliteDatabase {
    writer: SqlitePool,
    endings: Endings,
    turns: Turns,
    /// Before the writer, whose last act waits for those who read.
    readers: Arc<Readers>,
    gathered: Arc<Gathered>,
    opened: Arc<OpenedFile>,
    room: Arc<Room>,
    patience: Duration,
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
        let turns = Turns::default();
        let is_read_only = connect::mode(url) == Some(connect::READING);
        let gathered = Gathered::start(
            path,
            is_read_only,
            options,
            turns.clone(),
            Arc::clone(&opened),
        )?;
        opened.require()?;
        let room = Room::beside(path).map_err(|error| connect::cannot_open(path, error))?;
        Ok(Self {
            writer,
            endings,
            turns,
            gathered: Arc::new(gathered),
            readers: Arc::new(readers),
            opened,
            room: Arc::new(room),
            patience: options.acquire_timeout,
        })
    }

    #[cfg(feature = "metrics")]
    fn pool_use(&self) -> [PoolUse; 2] {
        [PoolUse::of("write", &self.writer), self.readers.pool_use()]
    }
}

/// What readiness is told of writes.
impl SqliteDatabase {
    /// Fails where the file, its folder or its disk takes no writes. Nobody who writes is waited for.
    async fn try_out_writing(&self) -> Result<(), DatabaseFailure> {
        if self.gathered.is_read_only {
            let cause =
                "the SQLite file is opened to be read alone: its mode or the URL forbids writes";
            return Err(DatabaseFailure::unavailable(cause.to_owned()));
        }
        let room = Arc::clone(&self.room);
        // A disk may keep whoever writes to it waiting.
        let tried = tokio::task::spawn_blocking(move || room.try_out()).await;
        let tried = tried.map_err(DatabaseFailure::unexpected)?;
        tried.map_err(|error| {
            DatabaseFailure::unavailable(format!(
                "the folder of the SQLite file takes no file of 64 KiB: {error}; free space on its disk, \
                 and let the service write to the folder"
            ))
        })
    }
}

/// The failure that an error of the developer's own SQL stands for.
pub(super) fn failure(error: &sqlx::Error) -> DatabaseFailure {
    failure::of_developer(error)
}

#[cfg(test)]
mod tests;
