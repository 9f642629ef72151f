use std::time::Duration;

use super::Database;
use crate::error::Error;

/// Settings of a database connection; start from [`Database::options`].
#[derive(Debug, Clone)]
pub struct DatabaseOptions {
    pub(super) acquire_timeout: Duration,
    pub(super) durability: Durability,
    pub(super) readers: usize,
    pub(super) connections: u32,
}

/// What an acknowledged write survives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Durability {
    /// A crash of the process and a power cut: SQLite's `synchronous=FULL`.
    PowerCut,
    /// A crash of the process; a power cut may lose the newest writes, never damage the file:
    /// SQLite's `synchronous=NORMAL`.
    ProcessCrash,
}

impl DatabaseOptions {
    pub(super) fn new() -> Self {
        Self {
            acquire_timeout: Duration::from_secs(3),
            durability: Durability::PowerCut,
            readers: std::thread::available_parallelism().map_or(2, usize::from),
            connections: 10,
        }
    }

    /// How long a read may take, and a write may wait for its turn, before the client is told 503;
    /// 3 seconds by default.
    #[must_use]
    pub const fn acquire_timeout(mut self, timeout: Duration) -> Self {
        self.acquire_timeout = timeout;
        self
    }

    /// What an acknowledged write survives; [`Durability::PowerCut`] by default.
    #[must_use]
    pub const fn durability(mut self, durability: Durability) -> Self {
        self.durability = durability;
        self
    }

    /// How many threads read at once, at least one; by default one for each processor.
    #[must_use]
    pub const fn readers(mut self, threads: usize) -> Self {
        self.readers = if threads == 0 { 1 } else { threads };
        self
    }

    /// How many connections to PostgreSQL are open at most; 10 by default.
    #[must_use]
    pub const fn connections(mut self, connections: u32) -> Self {
        self.connections = if connections == 0 { 1 } else { connections };
        self
    }

    /// Opens the database at `url`; see [`Database::connect`].
    pub async fn connect(self, url: &str) -> Result<Database, Error> {
        Database::open(url, &self).await
    }
}
