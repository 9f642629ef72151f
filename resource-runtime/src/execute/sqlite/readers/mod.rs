//! Reads: what is short is read where the request is, at once; what is not is left to a thread.

mod bounds;
mod reader;
mod shelf;

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::sync::oneshot;
use tracing::Span;

use super::DatabaseOptions;
use super::opened_file::OpenedFile;
use super::threads::Threads;
#[cfg(feature = "metrics")]
use super::usage::Usage;
use crate::error::{DatabaseFailure, Error};
#[cfg(feature = "metrics")]
use crate::execute::PoolUse;
use crate::execute::RowVisitor;
use crate::plan::{PageRead, Statement};
pub(super) use reader::Reader;
use shelf::Shelf;

/// Requests that may wait for a reader before further ones are told that we are overloaded.
const QUEUE_LENGTH: usize = 4096;

type Job = Box<dyn FnOnce(&mut Reader) + Send>;

/// Connections that read, and as many threads for what takes its time with them. A request is one
/// job: its statements are stepped where the rows are, without a hop between threads for each of
/// them, and without any where it is short.
#[derive(Debug)]
pub(in crate::execute) struct Readers {
    shelf: Arc<Shelf>,
    queue: flume::Sender<Job>,
    patience: Duration,
    /// How long a read may run; zero is no limit of its own.
    limit: Duration,
    opened: Arc<OpenedFile>,
    _threads: Threads,
    #[cfg(feature = "metrics")]
    usage: Usage,
}

impl Readers {
    pub(super) fn start(
        file: &Path,
        options: &DatabaseOptions,
        opened: Arc<OpenedFile>,
    ) -> Result<Self, Error> {
        let readers = (0..options.readers).map(|_| Reader::open(file, options));
        let readers: rusqlite::Result<Vec<Reader>> = readers.collect();
        let readers =
            readers.map_err(|error| Error::new(format!("cannot read the SQLite file: {error}")))?;
        let shelf = Arc::new(Shelf::of(readers));
        let (queue, jobs) = flume::bounded(QUEUE_LENGTH);
        let works = (0..options.readers).map(|_| {
            let (shelf, jobs) = (Arc::clone(&shelf), jobs.clone());
            move || work(&shelf, &jobs)
        });
        let threads = Threads::start("sqlite-reader", works)
            .map_err(|error| Error::new(format!("cannot start a reader thread: {error}")))?;
        Ok(Self {
            shelf,
            queue,
            patience: options.acquire_timeout,
            limit: options.statement_timeout,
            opened,
            _threads: threads,
            #[cfg(feature = "metrics")]
            usage: Usage::of(options.readers),
        })
    }

    #[cfg(feature = "metrics")]
    pub(super) fn pool_use(&self) -> PoolUse {
        self.usage.told(self.queue.len())
    }

    pub(in crate::execute) async fn lend_rows<V: RowVisitor>(
        &self,
        statement: Statement,
        visitor: impl Fn() -> V,
    ) -> Result<(V, u64), DatabaseFailure> {
        let read = move |reader: &mut Reader, visitor| reader.rows(&statement, visitor);
        self.read(visitor, read).await
    }

    pub(in crate::execute) async fn page<V: RowVisitor>(
        &self,
        read: PageRead,
        visitor: impl Fn() -> V,
    ) -> Result<(V, u64), DatabaseFailure> {
        let read = move |reader: &mut Reader, visitor| reader.page(&read, visitor);
        self.read(visitor, read).await
    }

    pub(in crate::execute) async fn finds(
        &self,
        statement: Statement,
    ) -> Result<bool, DatabaseFailure> {
        self.run(move |reader| reader.finds(&statement)).await
    }

    /// At once where that is quick, else on a thread, for a visitor that has seen no rows.
    async fn read<V: RowVisitor, T: Send + 'static>(
        &self,
        visitor: impl Fn() -> V,
        read: impl Fn(&mut Reader, V) -> Result<T, DatabaseFailure> + Send + 'static,
    ) -> Result<T, DatabaseFailure> {
        let first = visitor();
        if first.is_quick()
            && let Some(done) = self.at_once(|reader| read(reader, first))
        {
            return done;
        }
        let visitor = visitor();
        // On the heap, so that reads that need no thread do not carry it about.
        Box::pin(self.run(move |reader| read(reader, visitor))).await
    }

    /// Reads where the request is, if a reader is free and that takes no time to speak of: handing
    /// it to a thread and waking for the answer costs more than most reads do.
    fn at_once<T>(
        &self,
        read: impl FnOnce(&mut Reader) -> Result<T, DatabaseFailure>,
    ) -> Option<Result<T, DatabaseFailure>> {
        // Whoever came before is served before.
        if !self.queue.is_empty() || self.opened.verify_if_lost().is_err() {
            return None;
        }
        self.shelf.lend_idle(|reader| {
            #[cfg(feature = "metrics")]
            let _used = self.usage.begin();
            bounds::in_place(reader, read)
        })?
    }

    pub(super) async fn run<T: Send + 'static>(
        &self,
        read: impl FnOnce(&mut Reader) -> Result<T, DatabaseFailure> + Send + 'static,
    ) -> Result<T, DatabaseFailure> {
        self.opened.verify_if_lost()?;
        let (reply, answer) = oneshot::channel();
        // Alive for as long as this future is.
        let waiting = Arc::new(());
        let waits = Arc::downgrade(&waiting);
        let (deadline, limit) = (Instant::now() + self.patience, self.limit);
        #[cfg(feature = "metrics")]
        let usage = self.usage.clone();
        let request = Span::current();
        let job: Job = Box::new(move |reader| {
            let _of_the_request = request.enter();
            #[cfg(feature = "metrics")]
            let _used = usage.begin();
            let deadline = if limit.is_zero() {
                deadline
            } else {
                deadline.min(Instant::now() + limit)
            };
            // A client that has gone needs no answer.
            if !reply.is_closed() {
                let _ = reply.send(bounds::before(deadline, waits, reader, read));
            }
        });
        self.queue.try_send(job).map_err(|_| {
            DatabaseFailure::Unavailable(String::from("too many requests wait for a reader"))
        })?;
        let answer = tokio::time::timeout(self.patience, answer).await;
        drop(waiting);
        answer.map_err(|_| bounds::overdue())?.map_err(|_| {
            DatabaseFailure::unexpected("a reader stopped in the midst of a request")
        })?
    }
}

fn work(shelf: &Shelf, jobs: &flume::Receiver<Job>) {
    while let Ok(job) = jobs.recv() {
        shelf.lend(job);
    }
}

#[cfg(test)]
mod tests;
