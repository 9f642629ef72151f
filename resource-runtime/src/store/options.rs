//! The settings of a database connection.

use std::time::Duration;

use resource_model::error::Error;
use resource_model::setters;

use super::Database;

/// Settings of a database connection; start from [`Database::options`]. Durations of more than 2³¹ - 1 milliseconds,
/// almost 25 days, count as that.
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

/// The greatest number of milliseconds that both databases take, almost 25 days. The time until a longer timeout may
/// also lie beyond the range of the clock.
const LONGEST: Duration = Duration::from_millis(i32::MAX as u64);

/// Shortens a timeout to [`LONGEST`].
const fn at_most_longest(timeout: Duration) -> Duration {
    if timeout.as_millis() > LONGEST.as_millis() {
        LONGEST
    } else {
        timeout
    }
}

/// The failures that an acknowledged write survives.
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
    /// The value of SQLite's setting `synchronous`.
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
            page_cache: 16,
            connections: 10,
        }
    }

    setters! {
        /// Sets how long a request may wait for a connection or a lock before the response is 503; 3 seconds by
        /// default.
        ///
        /// PostgreSQL: the wait for a connection and for a server that takes writes, retries included, and the wait of each
        /// statement for a lock.
        /// SQLite: the wait of a write for the file's lock, and the whole time of a read.
        acquire_timeout(timeout: Duration) => acquire_timeout = at_most_longest(timeout);

        /// Sets how long a statement may run before it is cancelled and the response is 503; 5 seconds by
        /// default.
        ///
        /// PostgreSQL: the server cancels the statement, and a second later the service stops waiting for the
        /// server. A `statement_timeout` in the `options` of the URL takes precedence, and zero is no limit.
        /// SQLite: reads alone, which [`acquire_timeout`](Self::acquire_timeout) limits, too.
        statement_timeout(timeout: Duration) => statement_timeout = at_most_longest(timeout);

        /// Sets how long a connection to PostgreSQL may be idle before it is closed; 10 minutes by default.
        idle_timeout(timeout: Duration) => idle_timeout = at_most_longest(timeout);

        /// Sets the age at which a connection to PostgreSQL is replaced; 30 minutes by default.
        max_lifetime(timeout: Duration) => max_lifetime = at_most_longest(timeout);

        /// Sets the failures that an acknowledged write survives, on SQLite; [`Durability::PowerCut`] by default.
        durability(durability: Durability) => durability = durability;

        /// Sets how many lists are read from a SQLite file at once, at least one; by default one for each
        /// processor. Short reads run on the thread of the request, others on threads: as many for lists, and as
        /// many again for reads by key. A quarter more connections, at least one, are never used by lists on
        /// threads, so that reads by key do not wait for long lists.
        // A pool without readers would let every list wait for ever.
        readers(threads: usize) => readers = if threads == 0 { 1 } else { threads };

        /// Sets how many MiB of a SQLite file each reading connection and the writer thread cache at most; 16 by
        /// default. Each commit empties the cache of every other connection, which takes the longer the larger it has been; a
        /// larger one pays where large tables are counted and seldom change.
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
        page_cache(mebibytes: u32) => page_cache = mebibytes;

        /// Sets how many connections to PostgreSQL are open at most; 10 by default. One in five, at most four,
        /// are pipelines, which answer reads by key and quick lists of all clients. Neither writes nor lists may use all the
        /// others, unless there is only one, so that they do not keep each other waiting:
        ///
        /// | connections | 1 | 2 | 5 | 10 | 20 | 50 |
        /// |---|---|---|---|---|---|---|
        /// | pipelines | 0 | 0 | 1 | 2 | 4 | 4 |
        /// | writes at the same time | 1 | 1 | 3 | 6 | 12 | 36 |
        /// | lists on no pipeline | 1 | 1 | 3 | 6 | 12 | 36 |
        ///
        /// There are no pipelines where a pooler makes each transaction set its timeouts.
        ///
        /// The connection of a cancelled statement counts until the server has finished the statement. While that
        /// exceeds the statement timeout, a further short-lived connection asks the server from time to time whether
        /// the statement has ended.
        // A pool without connections would let every request wait for ever.
        connections(connections: u32) => connections = if connections == 0 { 1 } else { connections };
    }

    /// Opens the database at `url`; see [`Database::connect`].
    pub async fn connect(self, url: &str) -> Result<Database, Error> {
        Database::open(url, &self).await
    }
}
