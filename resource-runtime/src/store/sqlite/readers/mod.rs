//! The reader pool: short reads run inline on the task of the request, if a reader is idle and no hook runs, all
//! others on threads. Reads by key do not wait for long lists.

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
use super::followed_totals::FollowedTotals;
use super::opened_file::OpenedFile;
use super::threads::Threads;
#[cfg(feature = "metrics")]
use crate::store::PoolStats;
use crate::store::driver::{ReadKind, Visited, Visitors};
use crate::store::{RowVisitor, misconfigured};
use pool::ReaderPool;
use progress::Progress;
pub(super) use reader::{Reader, Snapshot};

/// Requests that may wait for a reader before further ones are refused as overload.
const QUEUE_LENGTH: usize = 4096;

type Job = Box<dyn FnOnce(&Reader) + Send>;

/// Reading connections and the threads for long reads. A request is one job: all its rows are read and encoded
/// on one thread, without a switch between threads for each row.
///
/// Reads by key and lists each have a queue and `readers` threads. There are a quarter more connections than
/// `readers`, at least one more, so that lists on threads never use all of them; an inline list may use one of
/// the others for a moment.
#[derive(Debug)]
pub(in crate::store) struct Readers {
    pool: Arc<ReaderPool>,
    reads: flume::Sender<Job>,
    lists: flume::Sender<Job>,
    acquire_timeout: Duration,
    /// Time limit of a read that has begun; zero is no limit.
    limit: Duration,
    opened: Arc<OpenedFile>,
    /// Dropped after the queues, whose end ends the threads.
    _threads: Threads,
    #[cfg(feature = "metrics")]
    count: usize,
    /// Has one further clone for each reader in use.
    #[cfg(feature = "metrics")]
    in_use: Arc<()>,
}

/// Cancels a read when its request no longer waits.
struct CancelOnDrop(Arc<Progress>);

impl Drop for CancelOnDrop {
    fn drop(&mut self) {
        self.0.cancel();
    }
}

impl Readers {
    pub(super) fn start(
        file: &Path,
        options: &DatabaseOptions,
        opened: Arc<OpenedFile>,
        totals: &Arc<FollowedTotals>,
    ) -> Result<Self, Error> {
        let count = options.readers + options.readers.div_ceil(4);
        let readers = (0..count).map(|_| Reader::open(file, options, totals));
        let readers: rusqlite::Result<Vec<Reader>> = readers.collect();
        let readers =
            readers.map_err(|error| misconfigured("cannot read the SQLite file", error))?;
        let pool = Arc::new(ReaderPool::of(readers));
        // Each queue has threads of its own, so that long lists never hold up reads by key.
        let (reads, read_jobs) = flume::bounded(QUEUE_LENGTH);
        let (lists, list_jobs) = flume::bounded(QUEUE_LENGTH);
        let bodies = (0..options.readers).flat_map(|_| {
            [&read_jobs, &list_jobs].map(|jobs| {
                let (pool, jobs) = (Arc::clone(&pool), jobs.clone());
                move || run_jobs(&pool, &jobs)
            })
        });
        let threads = Threads::start("sqlite-reader", bodies)
            .map_err(|error| misconfigured("cannot start a reader thread", error))?;
        Ok(Self {
            pool,
            reads,
            lists,
            acquire_timeout: options.acquire_timeout,
            limit: options.statement_timeout,
            opened,
            _threads: threads,
            #[cfg(feature = "metrics")]
            count,
            #[cfg(feature = "metrics")]
            in_use: Arc::default(),
        })
    }

    #[cfg(feature = "metrics")]
    pub(super) fn pool_stats(&self) -> PoolStats {
        PoolStats {
            name: "read",
            most: self.count,
            open: self.count,
            // The field itself is one of the references.
            in_use: Arc::strong_count(&self.in_use) - 1,
            waiting: self.reads.len() + self.lists.len(),
        }
    }

    pub(in crate::store) async fn lend_rows(
        &self,
        statement: Statement,
        kind: ReadKind,
        visitors: Visitors,
    ) -> DatabaseResult<Visited> {
        let read = move |reader: &Reader, visitor: &mut _| reader.rows(&statement, visitor);
        self.read(kind, visitors, read).await
    }

    pub(in crate::store) async fn page(
        &self,
        read: PageQuery,
        visitors: Visitors,
    ) -> DatabaseResult<Visited> {
        let read = move |reader: &Reader, visitor: &mut _| reader.page(&read, visitor);
        self.read(ReadKind::List, visitors, read).await
    }

    /// Reads inline if that is quick, else on a thread.
    async fn read(
        &self,
        kind: ReadKind,
        visitors: Visitors,
        read: impl Fn(&Reader, &mut dyn RowVisitor) -> DatabaseResult<u64> + Send + 'static,
    ) -> DatabaseResult<Visited> {
        let mut visitor = visitors();
        // A visitor that runs code of the developer might block the other tasks of this thread.
        if visitor.runs_no_hook() {
            if let Some(number) = self.read_inline(|reader| read(reader, &mut *visitor)) {
                return Ok((visitor, number?));
            }
            // The first visitor may have seen rows.
            visitor = visitors();
        }
        let read = move |reader: &Reader| {
            let number = read(reader, &mut *visitor)?;
            Ok((visitor, number))
        };
        // Boxed: the future is large, and most reads need no thread.
        Box::pin(self.run(kind, read)).await
    }

    /// Reads on the task of the request, if a reader is idle and the read is short: the switch to a thread and back
    /// costs more than most reads. Such a read overtakes those in the queues, which take far longer.
    fn read_inline<T>(
        &self,
        read: impl FnOnce(&Reader) -> DatabaseResult<T>,
    ) -> Option<DatabaseResult<T>> {
        // The read on a thread reports this failure.
        if self.opened.verify_if_lost().is_err() {
            return None;
        }
        // The outer option is none if no reader was idle, the inner one if the read took too long.
        self.pool.lend_idle(|reader| {
            #[cfg(feature = "metrics")]
            let _used = Arc::clone(&self.in_use);
            interrupt::run_inline(reader, read)
        })?
    }

    /// Reads on a thread.
    pub(super) async fn run<T: Send + 'static>(
        &self,
        kind: ReadKind,
        read: impl FnOnce(&Reader) -> DatabaseResult<T> + Send + 'static,
    ) -> DatabaseResult<T> {
        self.opened.verify_if_lost()?;
        let (reply, mut result) = oneshot::channel();
        let progress = Arc::new(Progress::default());
        // Dropped with this future, which also happens when the client disconnects.
        let _cancel = CancelOnDrop(Arc::clone(&progress));
        // The deadline covers the wait and the read; the limit counts from the beginning of the read.
        let (deadline, limit) = (Instant::now() + self.acquire_timeout, self.limit);
        // A weak reference does not count: a job that waits uses no reader.
        #[cfg(feature = "metrics")]
        let in_use = Arc::downgrade(&self.in_use);
        let request = Span::current();
        let of_job = Arc::clone(&progress);
        // Boxed, since one queue takes reads with results of all types.
        let job: Job = Box::new(move |reader| {
            // The thread logs in the span of the request.
            let _entered = request.enter();
            #[cfg(feature = "metrics")]
            let _used = in_use.upgrade();
            let deadline = of_job.times_out_at(limit, deadline);
            // No read for a client that has disconnected.
            if !reply.is_closed() {
                // The client may disconnect during the read, and nobody misses the rows then.
                let _ = reply.send(interrupt::run_until(deadline, &of_job, reader, read));
            }
        });
        let queue = match kind {
            ReadKind::FewKeys | ReadKind::Item => &self.reads,
            ReadKind::List => &self.lists,
        };
        // The threads live as long as the queue, so the only reason for a failure is that it is full.
        queue.try_send(job).map_err(|_| {
            DatabaseFailure::unavailable(String::from("too many requests wait for a reader"))
        })?;
        // The thread checks the limit by itself, except during a count, which must be interrupted from here.
        loop {
            // A read that began meanwhile has a later timeout, so the loop waits again.
            let timeout = progress.times_out_at(limit, deadline);
            if timeout <= Instant::now() {
                return Err(interrupt::timeout_failure());
            }
            if let Ok(result) = timeout_at(timeout.into(), &mut result).await {
                return result.map_err(|_| {
                    DatabaseFailure::internal("a reader thread ended during a request")
                })?;
            }
        }
    }
}

/// Executes jobs until the queue ends.
fn run_jobs(pool: &ReaderPool, jobs: &flume::Receiver<Job>) {
    while let Ok(job) = jobs.recv() {
        // The reader is taken for one job alone, since inline reads share the readers.
        pool.lend(job);
    }
}

#[cfg(test)]
mod tests;
