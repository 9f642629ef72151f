use std::time::Duration;

use resource_model::error::Error;

use super::Database;

/// Settings of a database connection; start from [`Database::options`].
///
/// ```no_run
/// use std::time::Duration;
/// use resource_runtime::Database;
///
/// # async fn example() -> Result<(), resource_runtime::Error> {
/// let database = Database::options()
///     .acquire_timeout(Duration::from_secs(2))
///     .statement_timeout(Duration::from_secs(10))
///     .connections(20)
///     .connect("postgres://shop@db.example.com/shop?sslmode=verify-full")
///     .await?;
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone)]
pub struct DatabaseOptions {
    pub(super) acquire_timeout: Duration,
    pub(super) statement_timeout: Duration,
    pub(super) idle_timeout: Duration,
    pub(super) max_lifetime: Duration,
    pub(super) durability: Durability,
    pub(super) readers: usize,
    pub(super) page_cache: u32,
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

#[cfg(feature = "sqlite")]
impl Durability {
    /// What SQLite calls it: the value of its setting `synchronous`.
    pub(super) const fn synchronous(self) -> &'static str {
        match self {
            Self::PowerCut => "FULL",
            Self::ProcessCrash => "NORMAL",
        }
    }
}

impl DatabaseOptions {
    pub(super) fn new() -> Self {
        Self {
            acquire_timeout: Duration::from_secs(3),
            statement_timeout: Duration::from_secs(5),
            idle_timeout: Duration::from_mins(10),
            max_lifetime: Duration::from_mins(30),
            durability: Durability::PowerCut,
            readers: std::thread::available_parallelism().map_or(2, usize::from),
            page_cache: 64,
            connections: 10,
        }
    }

    /// How long a request may wait for its turn before the client is told 503; 3 seconds by
    /// default.
    ///
    /// PostgreSQL: for a connection, tries over included, and each of its statements for a lock.
    /// SQLite: a write for the file's lock; of a read it also is the time until it must be done.
    #[must_use]
    pub const fn acquire_timeout(mut self, timeout: Duration) -> Self {
        self.acquire_timeout = timeout;
        self
    }

    /// How long a statement may run before it is given up and the client is told 503; 5 seconds by
    /// default.
    ///
    /// PostgreSQL: the server gives it up by itself, and a second later we give up the server; a
    /// `statement_timeout` in the `options` of the URL counts instead, and zero is no limit.
    /// SQLite: of reads alone, as [`acquire_timeout`](Self::acquire_timeout) is.
    #[must_use]
    pub const fn statement_timeout(mut self, timeout: Duration) -> Self {
        self.statement_timeout = timeout;
        self
    }

    /// How long a connection to PostgreSQL may lie idle before it is closed; 10 minutes by default.
    #[must_use]
    pub const fn idle_timeout(mut self, timeout: Duration) -> Self {
        self.idle_timeout = timeout;
        self
    }

    /// How old a connection to PostgreSQL may become before another takes its place; 30 minutes by
    /// default.
    #[must_use]
    pub const fn max_lifetime(mut self, timeout: Duration) -> Self {
        self.max_lifetime = timeout;
        self
    }

    /// What an acknowledged write survives, on SQLite; [`Durability::PowerCut`] by default.
    #[must_use]
    pub const fn durability(mut self, durability: Durability) -> Self {
        self.durability = durability;
        self
    }

    /// How many lists are read from a SQLite file at once, at least one; by default one for each
    /// processor. Short ones are done where the request is, others on as many threads. A quarter more
    /// connections, at least one, are left for reads by key, which wait behind no list.
    #[must_use]
    pub const fn readers(mut self, threads: usize) -> Self {
        self.readers = if threads == 0 { 1 } else { threads };
        self
    }

    /// How many MiB of a SQLite file each connection that reads, and the thread that writes, keeps in memory at most;
    /// 64 by default. Large tables are counted much faster where their indexes stay in memory.
    ///
    /// ```no_run
    /// use resource_runtime::Database;
    ///
    /// # async fn example() -> Result<(), resource_runtime::Error> {
    /// let small = Database::options().readers(1).page_cache(4);
    /// let database = small.connect("sqlite://settings.db").await?;
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub const fn page_cache(mut self, mebibytes: u32) -> Self {
        self.page_cache = mebibytes;
        self
    }

    /// How many connections to PostgreSQL are open at most; 10 by default. A fifth of them, at least one of two,
    /// is for reads alone.
    ///
    /// One whose request was given up counts until the server is done with it. While one is at work for longer
    /// than it may be, a further connection asks now and then, for a moment, what became of it.
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
