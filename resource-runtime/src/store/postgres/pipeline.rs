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

use std::pin::pin;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, Weak};
use std::time::{Duration, Instant};

use futures_util::TryStreamExt as _;
use hashlink::LruCache;
use resource_model::error::{DatabaseFailure, DatabaseResult};
use resource_sql::{Statement, process_and_snapshot};
use tokio::task::yield_now;
use tokio::time::{sleep, timeout};
use tokio_postgres::{Client, Row, Statement as Prepared};

use super::arguments::{Bound, type_of};
use super::connect::PREPARED_STATEMENTS;
use super::connection_pool::ConnectionPool;
use super::lists::Totals;
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

const CUT_OFF: &str = "a page was cut off while its rows were sent";

/// The pipelines of a database, opened as they are needed.
#[derive(Debug)]
pub(super) struct Pipelines {
    slots: Vec<Arc<Mutex<Slot>>>,
    next: AtomicUsize,
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
    /// True while a statement is overdue.
    is_stuck: AtomicBool,
    /// Set by each use since the last look.
    was_used: AtomicBool,
}

/// The number of pipelines among so many connections.
pub(super) fn count(connections: u32) -> u32 {
    (connections / SHARE).min(MAX_PIPELINES)
}

impl Pipelines {
    pub(super) fn new(
        count: u32,
        connection_pool: &Arc<ConnectionPool>,
        totals: &Arc<Totals>,
    ) -> Self {
        Self {
            slots: (0..count).map(|_| Arc::default()).collect(),
            next: AtomicUsize::default(),
            connection_pool: Arc::clone(connection_pool),
            totals: Arc::clone(totals),
        }
    }

    /// Lends the rows to a visitor, each once it is inspected, and returns their number; none where they have to be read in
    /// another way, by a visitor that has seen none of them. The failure is the visitor's.
    pub(super) async fn read(
        &self,
        statement: &Statement,
        visitor: &mut dyn RowVisitor,
        inspect: impl FnMut(&Row) -> DatabaseResult<()>,
    ) -> Option<DatabaseResult<u64>> {
        let pipeline = self.usable()?;
        match timeout(PATIENCE, pipeline.read(statement, visitor, inspect)).await {
            Ok(Ok(read)) => return Some(read),
            // Perhaps the statement was prepared for a table that has changed since.
            Ok(Err(_)) => drop(locked(&pipeline.prepared).remove(statement.text())),
            Err(_) => pipeline.rest(),
        }
        // Rows that were sent cannot be read again.
        let failure = || Err(DatabaseFailure::unavailable(CUT_OFF.to_owned()));
        (!visitor.may_begin()).then(failure)
    }

    /// The next pipeline; none while it waits, or is not open.
    fn usable(&self) -> Option<Arc<Pipeline>> {
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        let shared = self.slots.get(number.checked_rem(self.slots.len())?)?;
        let mut slot = locked(shared);
        if let Some(open) = slot.open.as_ref().filter(|it| !self.is_outdated(it)) {
            let is_usable = !open.is_stuck.load(Ordering::Relaxed);
            open.was_used.store(true, Ordering::Relaxed);
            return is_usable.then(|| Arc::clone(open));
        }
        if slot.tried_at.is_none_or(|at| at.elapsed() > RETRY_AFTER) {
            slot.tried_at = Some(Instant::now());
            // It ends once the requests that still use it have their answers.
            slot.open = None;
            self.open(Arc::clone(shared));
        }
        None
    }

    fn is_outdated(&self, pipeline: &Pipeline) -> bool {
        let (opened_at, now) = (pipeline.opened_at, Instant::now());
        pipeline.client.is_closed() || self.connection_pool.is_outdated(opened_at, now)
    }

    /// Opens a pipeline to the host that serves at the moment.
    fn open(&self, slot: Arc<Mutex<Slot>>) {
        let server = self.connection_pool.hosts.current();
        let totals = Arc::clone(&self.totals);
        let idle_timeout = self.connection_pool.idle_timeout;
        tokio::spawn(async move {
            // Before the attempt: a fault meanwhile makes the new connection doubtful.
            let opened_at = Instant::now();
            // Other connections meet the same failure, and report it.
            if let Ok(Ok(client)) = timeout(RETRY_AFTER, tls::connect(&server)).await
                && let Ok(process) = client.query_one(process_and_snapshot().text(), &[]).await
            {
                totals.meet(process.try_get(0).unwrap_or_default());
                let pipeline = Arc::new(Pipeline {
                    client,
                    prepared: Mutex::new(LruCache::new(PREPARED_STATEMENTS)),
                    opened_at,
                    is_stuck: AtomicBool::default(),
                    was_used: AtomicBool::new(true),
                });
                let opened = Arc::downgrade(&pipeline);
                locked(&slot).open = Some(pipeline);
                close_once_idle(Arc::downgrade(&slot), opened, idle_timeout).await;
            }
        });
    }

    #[cfg(feature = "metrics")]
    pub(super) fn stats(&self) -> PoolStats {
        let open = self.slots.iter().filter(|it| locked(it).open.is_some());
        let counts = [self.slots.len(), open.count()];
        let [most, open] = counts.map(|it| it.try_into().unwrap_or(0));
        PoolStats {
            name: "pipelines",
            most,
            open,
            in_use: open,
            waiting: 0,
        }
    }
}

/// Closes a pipeline that was not used for so long, unless something else has ended it.
async fn close_once_idle(slot: Weak<Mutex<Slot>>, opened: Weak<Pipeline>, idle_timeout: Duration) {
    loop {
        sleep(idle_timeout).await;
        let (Some(slot), Some(opened)) = (slot.upgrade(), opened.upgrade()) else {
            return;
        };
        if !opened.was_used.swap(false, Ordering::Relaxed) {
            locked(&slot).open.take_if(|it| Arc::ptr_eq(it, &opened));
        }
    }
}

impl Pipeline {
    /// Takes no further statements until the server has answered all that it has. A pipeline that took its place meanwhile
    /// would be a connection too many.
    fn rest(self: Arc<Self>) {
        if self.is_stuck.swap(true, Ordering::Relaxed) {
            return;
        }
        tokio::spawn(async move {
            // Answered after the statements before it.
            let answered = self.client.simple_query("").await;
            self.is_stuck.store(answered.is_err(), Ordering::Relaxed);
        });
    }

    async fn read(
        &self,
        statement: &Statement,
        visitor: &mut dyn RowVisitor,
        mut inspect: impl FnMut(&Row) -> DatabaseResult<()>,
    ) -> Result<DatabaseResult<u64>, tokio_postgres::Error> {
        let prepared = self.prepared(statement).await?;
        let rows = self
            .client
            .query_raw(&prepared, statement.binds().iter().map(Bound));
        let (mut rows, mut number) = (pin!(rows.await?), 0);
        while let Some(row) = rows.try_next().await? {
            if let Err(failure) = inspect(&row).and_then(|()| visitor.visit(&row)) {
                return Ok(Err(failure));
            }
            if visitor.should_yield() {
                yield_now().await;
            }
            number += 1;
        }
        Ok(Ok(number))
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
