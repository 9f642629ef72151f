//! Pipelined reads: quick statements of several requests on one connection.
//!
//! Sending a read by key and receiving its row costs the service and the server more than the read itself. A pipeline
//! sends the statements of all requests that come at about the same time at once, without waiting for each answer, and
//! receives the rows of several of them at once. sqlx waits for each answer, so these connections are those of
//! tokio-postgres.
//!
//! The server answers in order, so that only statements that are certainly quick are pipelined: reads by key, lists of a few
//! keys, and pages that were quick before, of rows that have not changed since. One that fails, or that is not answered soon,
//! because one before it waits for a lock, is read once more in the usual way, which knows the classes of failures and their
//! remedies.

mod tls;

use std::convert::Infallible;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, Weak};
use std::time::{Duration, Instant};

use futures_util::StreamExt as _;
use futures_util::stream::Peekable;
use hashlink::LruCache;
use resource_model::error::{DatabaseFailure, DatabaseResult};
use resource_sql::{Statement, process_and_snapshot};
use tokio::runtime::Handle;
use tokio::time::{sleep, timeout};
use tokio_postgres::{Client, Row, RowStream, Statement as Prepared};

use super::arguments::{Bound, type_of};
use super::connect::PREPARED_STATEMENTS;
use super::connection_pool::ConnectionPool;
use super::hosts::{Hosts, STATE};
use super::limits::TransactionLimits;
use super::lists::Totals;
use super::queries::lend_each;
use crate::locked::locked;
#[cfg(feature = "metrics")]
use crate::store::PoolStats;
use crate::store::RowVisitor;

/// Time to wait for an answer before another connection is tried. A server that is busy must not get statements twice.
const PATIENCE: Duration = Duration::from_secs(1);

/// Pause between attempts to open a pipeline; meanwhile reads use other connections.
const RETRY_AFTER: Duration = Duration::from_secs(1);

/// One in this many connections is a pipeline.
const SHARE: u32 = 5;

/// The most pipelines: each keeps a processor of the server busy.
const MAX_PIPELINES: u32 = 4;

/// The most readings of one pipeline at the same time once an item joins; others use the next one, and other connections after
/// the last.
pub(super) const ITEM_ROOM: usize = 32;

/// The same for a page, on which the server works for longer than it takes to send it: several pipelines share that work.
pub(super) const PAGE_ROOM: usize = 24;

/// Settings of a session that sqlx sends, too: the text of values that are cast depends on them.
const SESSION: &str = "SET TimeZone = 'UTC'; SET DateStyle = 'ISO, MDY'";

const CUT_OFF: &str = "a page was cut off while its rows were sent";

/// The pipelines of a database, opened as they are needed.
#[derive(Debug)]
pub(super) struct Pipelines {
    slots: Vec<Arc<Mutex<Slot>>>,
    connection_pool: Arc<ConnectionPool>,
    totals: Arc<Totals>,
}

/// The place of a pipeline.
#[derive(Debug, Default)]
struct Slot {
    open: Option<Arc<Pipeline>>,
    tried_at: Option<Instant>,
}

#[derive(Debug)]
struct Pipeline {
    client: Client,
    prepared: Mutex<LruCache<String, Prepared>>,
    opened_at: Instant,
    /// True while a statement is overdue, or nobody waits for its answer any more.
    is_paused: AtomicBool,
    /// Set by each use since the last look.
    was_used: AtomicBool,
}

type Rows = Pin<Box<Peekable<RowStream>>>;

/// A use of a pipeline, which is paused unless the server has answered.
struct Reading {
    pipeline: Arc<Pipeline>,
    has_answer: bool,
}

impl Drop for Reading {
    fn drop(&mut self) {
        if !self.has_answer {
            Arc::clone(&self.pipeline).pause();
        }
    }
}

/// The number of pipelines among so many connections; none where each statement needs a transaction.
pub(super) fn count(connections: u32, limits: &TransactionLimits) -> u32 {
    let most = MAX_PIPELINES * u32::from(!limits.need_transaction());
    (connections / SHARE).min(most)
}

impl Pipelines {
    pub(super) fn new(count: u32, connections: &Arc<ConnectionPool>, totals: &Arc<Totals>) -> Self {
        Self {
            slots: (0..count).map(|_| Arc::default()).collect(),
            connection_pool: Arc::clone(connections),
            totals: Arc::clone(totals),
        }
    }

    /// Lends the rows to a visitor, each once it is inspected, and returns their number; none where they have to be read in
    /// another way, by a visitor that has seen none of them. The failure is the visitor's.
    pub(super) async fn read(
        &self,
        room: usize,
        statement: &Statement,
        visitor: &mut dyn RowVisitor,
        inspect: impl FnMut(&Row) -> DatabaseResult<()>,
    ) -> Option<DatabaseResult<u64>> {
        let mut reading = Reading {
            pipeline: self.usable(room)?,
            has_answer: false,
        };
        let begun = timeout(PATIENCE, reading.pipeline.begin(statement)).await;
        reading.has_answer = begun.is_ok();
        let read = match begun.ok()? {
            Ok(rows) => {
                // The server is at work for this statement alone.
                let read = lend_each(rows, visitor, inspect);
                let limit = self.connection_pool.timeout.limit;
                timeout(limit.unwrap_or(Duration::MAX), read).await.ok()
            }
            Err(error) => Some(Err(error)),
        };
        match read {
            Some(Ok(read)) => return Some(read),
            // Perhaps the statement was prepared for a table that has changed since.
            Some(Err(_)) => drop(locked(&reading.pipeline.prepared).remove(statement.text())),
            None => reading.has_answer = false,
        }
        // Rows that were sent cannot be read again.
        let failure = || Err(DatabaseFailure::unavailable(CUT_OFF.to_owned()));
        (!visitor.may_begin()).then(failure)
    }

    /// The first pipeline with fewer readings than that, since the more statements one has, the fewer times they are sent.
    /// Only where none has room, a further one is opened.
    fn usable(&self, room: usize) -> Option<Arc<Pipeline>> {
        let mut vacant = None;
        for shared in &self.slots {
            let mut slot = locked(shared);
            // It ends once the requests that still use it have their answers.
            slot.open.take_if(|it| self.is_outdated(it));
            let Some(open) = &slot.open else {
                vacant = vacant.or(Some(shared));
                continue;
            };
            // Each reading holds it, and so does its place.
            if Arc::strong_count(open) <= room && !open.is_paused.load(Ordering::Relaxed) {
                open.was_used.store(true, Ordering::Relaxed);
                return Some(Arc::clone(open));
            }
        }
        let mut slot = locked(vacant?);
        if slot.tried_at.is_none_or(|at| at.elapsed() > RETRY_AFTER) {
            slot.tried_at = Some(Instant::now());
            let (connection_pool, totals) = (self.connection_pool.clone(), self.totals.clone());
            tokio::spawn(keep_open(Arc::downgrade(vacant?), connection_pool, totals));
        }
        None
    }

    fn is_outdated(&self, pipeline: &Pipeline) -> bool {
        let (opened_at, now) = (pipeline.opened_at, Instant::now());
        pipeline.client.is_closed() || self.connection_pool.is_outdated(opened_at, now)
    }

    #[cfg(feature = "metrics")]
    pub(super) fn stats(&self) -> PoolStats {
        let open = self.slots.iter().filter(|it| locked(it).open.is_some());
        let open = open.count();
        PoolStats {
            name: "pipelines",
            most: self.slots.len(),
            open,
            in_use: open,
            waiting: 0,
        }
    }
}

/// Opens a pipeline, and closes it once it is idle. Other connections meet the same failures, and report them.
async fn keep_open(
    slot: Weak<Mutex<Slot>>,
    connection_pool: Arc<ConnectionPool>,
    totals: Arc<Totals>,
) -> Option<Infallible> {
    let idle_timeout = connection_pool.idle_timeout;
    let opening = Pipeline::open(&connection_pool.hosts, &totals);
    let pipeline = Arc::new(timeout(RETRY_AFTER, opening).await.ok()??);
    let opened = Arc::downgrade(&pipeline);
    locked(&*slot.upgrade()?).open = Some(pipeline);
    // They are not held any longer than their database.
    drop((connection_pool, totals));
    loop {
        sleep(idle_timeout).await;
        // Something else may have ended it.
        let (slot, opened) = (slot.upgrade()?, opened.upgrade()?);
        let is_paused = opened.is_paused.load(Ordering::Relaxed);
        if !opened.was_used.swap(false, Ordering::Relaxed) && !is_paused {
            locked(&slot).open.take_if(|it| Arc::ptr_eq(it, &opened));
        }
    }
}

impl Pipeline {
    /// Opens a pipeline to the host that serves at the moment, unless its state has come to exclude it.
    async fn open(hosts: &Hosts, totals: &Totals) -> Option<Self> {
        // Before all else: a fault meanwhile makes the new connection doubtful.
        let opened_at = Instant::now();
        let client = tls::connect(&hosts.current()).await.ok()?;
        client.batch_execute(SESSION).await.ok()?;
        let state = client.query_one(STATE, &[]).await.ok()?;
        let process = process_and_snapshot();
        let process = client.query_one(process.text(), &[]).await.ok()?;
        totals.add_process(process.try_get(0).ok()?);
        hosts.admits(state.try_get(0).ok()?).then(|| Self {
            client,
            prepared: Mutex::new(LruCache::new(PREPARED_STATEMENTS)),
            opened_at,
            is_paused: AtomicBool::default(),
            was_used: AtomicBool::new(true),
        })
    }

    /// Sends a statement, and waits for its first row.
    async fn begin(&self, statement: &Statement) -> Result<Rows, tokio_postgres::Error> {
        let prepared = self.prepared(statement).await?;
        let arguments = statement.binds().iter().map(Bound);
        let rows = self.client.query_raw(&prepared, arguments);
        let mut rows = Box::pin(rows.await?.peekable());
        // A failure stays the next item, and is met by whoever reads on.
        rows.as_mut().peek().await;
        Ok(rows)
    }

    /// Sends no further statements until the server has answered all that it has. A pipeline that took its place meanwhile
    /// would be a connection too many.
    fn pause(self: Arc<Self>) {
        if let Ok(runtime) = Handle::try_current()
            && !self.is_paused.swap(true, Ordering::Relaxed)
        {
            runtime.spawn(async move {
                // Answered after the statements before it; a failure of its own says nothing of the connection.
                drop(self.client.simple_query("").await);
                self.is_paused.store(false, Ordering::Relaxed);
            });
        }
    }

    async fn prepared(&self, statement: &Statement) -> Result<Prepared, tokio_postgres::Error> {
        let known = locked(&self.prepared).get(statement.text()).cloned();
        if let Some(known) = known {
            return Ok(known);
        }
        let types: Vec<_> = statement.binds().iter().map(type_of).collect();
        let prepared = self.client.prepare_typed(statement.text(), &types).await?;
        let text = statement.text().to_owned();
        locked(&self.prepared).insert(text, prepared.clone());
        Ok(prepared)
    }
}
