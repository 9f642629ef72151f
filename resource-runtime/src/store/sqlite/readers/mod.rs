//! Reads: what is short is read where the request is, at once; what is not is left to a thread. Reads
//! by key never wait behind lists.

mod interrupt;
mod pool;
mod progress;
mod reader;

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use resource_model::error::{DatabaseFailure, DatabaseResult, Error};
use resource_sql::{PageQuery, Statement};
use tokio::sync::oneshot;
use tokio::time::timeout_at;
use tracing::Span;

use super::DatabaseOptions;
use super::opened_file::OpenedFile;
use super::threads::Threads;
#[cfg(feature = "metrics")]
use crate::store::PoolStats;
use crate::store::{RowVisitor, misconfigured};
use pool::ReaderPool;
use progress::Progress;
pub(super) use reader::Reader;

/// Requests that may wait for a reader before further ones are told that we are overloaded.
const QUEUE_LENGTH: usize = 4096;

type Job = Box<dyn FnOnce(&Reader) + Send>;

/// Connections that read, and threads for what takes its time with them. A request is one job: its
/// statements are stepped where the rows are, without a hop between threads for each of them, and
/// without any where it is short.
///
/// Reads by key and lists have a queue each, and as many threads as lists are read at once. There are a
/// quarter more connections than that, at least one, so that lists never have them all.
#[derive(Debug)]
pub(in crate::store) struct Readers {
    pool: Arc<ReaderPool>,
    by_key: flume::Sender<Job>,
    lists: flume::Sender<Job>,
    acquire_timeout: Duration,
    /// How long a read may run; zero is no limit of its own.
    limit: Duration,
    opened: Arc<OpenedFile>,
    /// Behind the queues, whose end ends them.
    _threads: Threads,
    #[cfg(feature = "metrics")]
    count: usize,
    /// Held by each reader that works for somebody, too.
    #[cfg(feature = "metrics")]
    in_use: Arc<()>,
}

/// The queue in which a read waits for a thread, where it needs one.
#[derive(Debug, Clone, Copy)]
pub(super) enum Lane {
    ByKey,
    Lists,
}

/// Gives up a read that nobody waits for any more.
struct Waiting(Arc<Progress>);

impl Drop for Waiting {
    fn drop(&mut self) {
        self.0.give_up();
    }
}

impl Readers {
    pub(super) fn start(
        file: &Path,
        options: &DatabaseOptions,
        opened: Arc<OpenedFile>,
    ) -> Result<Self, Error> {
        let most = options.readers + options.readers.div_ceil(4);
        let readers = (0..most).map(|_| Reader::open(file, options));
        let readers: rusqlite::Result<Vec<Reader>> = readers.collect();
        let readers =
            readers.map_err(|error| misconfigured("cannot read the SQLite file", error))?;
        let pool = Arc::new(ReaderPool::of(readers));
        let (by_key, reads) = flume::bounded(QUEUE_LENGTH);
        let (lists, pages) = flume::bounded(QUEUE_LENGTH);
        let works = (0..options.readers).flat_map(|_| {
            [&reads, &pages].map(|jobs| {
                let (pool, jobs) = (Arc::clone(&pool), jobs.clone());
                move || work(&pool, &jobs)
            })
        });
        let threads = Threads::start("sqlite-reader", works)
            .map_err(|error| misconfigured("cannot start a reader thread", error))?;
        Ok(Self {
            pool,
            by_key,
            lists,
            acquire_timeout: options.acquire_timeout,
            limit: options.statement_timeout,
            opened,
            _threads: threads,
            #[cfg(feature = "metrics")]
            count: most,
            #[cfg(feature = "metrics")]
            in_use: Arc::default(),
        })
    }

    #[cfg(feature = "metrics")]
    pub(super) fn pool_stats(&self) -> PoolStats {
        let number = |count| u64::try_from(count).unwrap_or(u64::MAX);
        PoolStats {
            name: "read",
            most: number(self.count),
            open: number(self.count),
            in_use: number(Arc::strong_count(&self.in_use) - 1),
            waiting: number(self.by_key.len() + self.lists.len()),
        }
    }

    pub(in crate::store) async fn lend_rows<V: RowVisitor>(
        &self,
        statement: Statement,
        visitor: impl Fn() -> V,
    ) -> DatabaseResult<(V, u64)> {
        let read = move |reader: &Reader, visitor| reader.rows(&statement, visitor);
        self.read(Lane::ByKey, visitor, read).await
    }

    pub(in crate::store) async fn page<V: RowVisitor>(
        &self,
        read: PageQuery,
        visitor: impl Fn() -> V,
    ) -> DatabaseResult<(V, u64)> {
        let read = move |reader: &Reader, visitor| reader.page(&read, visitor);
        self.read(Lane::Lists, visitor, read).await
    }

    pub(in crate::store) async fn exists(&self, statement: Statement) -> DatabaseResult<bool> {
        if let Some(found) = self.read_inline(|reader| reader.exists(&statement)) {
            return found;
        }
        let exists = move |reader: &Reader| reader.exists(&statement);
        Box::pin(self.run(Lane::ByKey, exists)).await
    }

    /// At once where that is quick, else on a thread, for a visitor that has seen no rows.
    async fn read<V: RowVisitor, T: Send + 'static>(
        &self,
        lane: Lane,
        visitor: impl Fn() -> V,
        read: impl Fn(&Reader, V) -> DatabaseResult<T> + Send + 'static,
    ) -> DatabaseResult<T> {
        let first = visitor();
        if first.is_quick()
            && let Some(done) = self.read_inline(|reader| read(reader, first))
        {
            return done;
        }
        let visitor = visitor();
        // On the heap, so that reads that need no thread do not carry it about.
        Box::pin(self.run(lane, move |reader| read(reader, visitor))).await
    }

    /// Reads where the request is, if a reader is free and that takes no time to speak of: handing
    /// it to a thread and waking for the answer costs more than most reads do. It overtakes what waits
    /// for a thread, which takes far longer.
    fn read_inline<T>(
        &self,
        read: impl FnOnce(&Reader) -> DatabaseResult<T>,
    ) -> Option<DatabaseResult<T>> {
        if self.opened.verify_if_lost().is_err() {
            return None;
        }
        self.pool.lend_idle(|reader| {
            #[cfg(feature = "metrics")]
            let _used = Arc::clone(&self.in_use);
            interrupt::run_inline(reader, read)
        })?
    }

    /// Reads on a thread.
    pub(super) async fn run<T: Send + 'static>(
        &self,
        lane: Lane,
        read: impl FnOnce(&Reader) -> DatabaseResult<T> + Send + 'static,
    ) -> DatabaseResult<T> {
        self.opened.verify_if_lost()?;
        let (reply, mut answer) = oneshot::channel();
        let progress = Arc::new(Progress::default());
        let _waiting = Waiting(Arc::clone(&progress));
        let (deadline, limit) = (Instant::now() + self.acquire_timeout, self.limit);
        #[cfg(feature = "metrics")]
        let in_use = Arc::downgrade(&self.in_use);
        let request = Span::current();
        let seen = Arc::clone(&progress);
        let job: Job = Box::new(move |reader| {
            let _of_the_request = request.enter();
            #[cfg(feature = "metrics")]
            let _used = in_use.upgrade();
            let deadline = seen.overdue_at(limit, deadline);
            // A client that has gone needs no answer.
            if !reply.is_closed() {
                let _ = reply.send(interrupt::run_until(deadline, &seen, reader, read));
            }
        });
        let queue = match lane {
            Lane::ByKey => &self.by_key,
            Lane::Lists => &self.lists,
        };
        queue.try_send(job).map_err(|_| {
            DatabaseFailure::unavailable(String::from("too many requests wait for a reader"))
        })?;
        // The thread keeps to the limit by itself, except while it counts.
        loop {
            let overdue = progress.overdue_at(limit, deadline);
            if overdue <= Instant::now() {
                return Err(interrupt::overdue());
            }
            if let Ok(answer) = timeout_at(overdue.into(), &mut answer).await {
                return answer.map_err(|_| {
                    DatabaseFailure::internal("a reader stopped in the midst of a request")
                })?;
            }
        }
    }
}

fn work(pool: &ReaderPool, jobs: &flume::Receiver<Job>) {
    while let Ok(job) = jobs.recv() {
        pool.lend(job);
    }
}

#[cfg(test)]
mod tests;
