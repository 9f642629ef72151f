//! Embedded SQLite: one connection that writes, several threads that read.

pub(super) mod connect;
mod failure;
mod functions;
mod readers;
mod row;
mod stored;
#[cfg(feature = "metrics")]
mod usage;
mod writer;

use std::sync::Arc;

use sqlx::SqlitePool;

use super::DatabaseOptions;
#[cfg(feature = "metrics")]
use super::PoolUse;
use crate::error::{DatabaseFailure, Error};
use readers::Readers;
pub(crate) use writer::SqliteTransaction;

/// Clones share the connections.
#[derive(Debug, Clone)]
pub(super) struct SqliteDatabase {
    writer: SqlitePool,
    readers: Arc<Readers>,
}

impl SqliteDatabase {
    pub(super) async fn open(url: &str, options: &DatabaseOptions) -> Result<Self, Error> {
        let file = connect::parse(url)?;
        let writer = connect::writer(&file, options).await?;
        let readers = Readers::start(file.get_filename(), options)?;
        Ok(Self {
            writer,
            readers: Arc::new(readers),
        })
    }

    #[cfg(feature = "metrics")]
    pub(super) fn pool_use(&self) -> [PoolUse; 2] {
        [PoolUse::of("write", &self.writer), self.readers.pool_use()]
    }

    pub(super) fn readers(&self) -> &Readers {
        &self.readers
    }

    pub(super) async fn begin(&self) -> Result<SqliteTransaction, DatabaseFailure> {
        SqliteTransaction::begin(&self.writer).await
    }
}

/// The failure that an error of the driver stands for.
pub(super) fn failure(error: &sqlx::Error) -> DatabaseFailure {
    failure::of_writer(error)
}

#[cfg(test)]
mod tests;
