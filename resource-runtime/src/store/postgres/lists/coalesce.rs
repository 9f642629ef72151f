//! Request coalescing: lists that need the same count are read in batches, each by one leader.
//!
//! A [`Flight`] holds the requests of one [`Matching`]. The first [`MAX_LEADERS`] read at once; later ones
//! queue. When a leader's connection is idle again, its [`LeaderGuard`] starts the next batch, which is read
//! in one snapshot. The snapshot begins after all requests of the batch have arrived, so that no response is
//! older than its request.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{self, Arc};

use futures_util::TryStreamExt as _;
use resource_model::error::{DatabaseFailure, DatabaseResult};
use resource_sql::{Matching, PageQuery};
use sqlx::Row as _;
use sqlx::postgres::PgRow;
use tokio::runtime::Handle;
use tokio::sync::{Mutex, OwnedMutexGuard, oneshot};
use tokio::task::yield_now;
use tokio::time::{Instant, timeout_at};

use crate::locked::locked;
use crate::store::RowVisitor;
use crate::store::postgres::PostgresDatabase;
use crate::store::postgres::connection_pool::Purpose;
use crate::store::postgres::lease::Lease;
use crate::store::postgres::queries::rows;
use crate::store::postgres::retry::{ATTEMPTS, retry_until};
use crate::store::postgres::transaction::BEGIN_REPEATABLE_READ;

/// Leaders of a flight at the same time. With one alone, a second client would wait twice as long as
/// without coalescing.
const MAX_LEADERS: usize = 2;

/// Requests of one batch.
const MAX_BATCH: usize = 64;

/// Bytes of values above which a page is long. Followers encode a long page one by one, and the next long page
/// is read only after that, so that memory holds few of them.
const LONG_PAGE: usize = 256 * 1024;

/// The failure of a follower that gets no page.
const NO_PAGE: &str =
    "the query that the list shares with others did not begin in time, or ended without a result";

/// All flights of a database.
#[derive(Debug, Default)]
pub(in crate::store::postgres) struct Flights {
    all: sync::Mutex<AllFlights>,
    /// True while the last page was long, so that the next one is likely to be long, too.
    last_page_was_long: AtomicBool,
    /// Held while a long page is in memory.
    long_page_lock: Arc<Mutex<()>>,
}

#[derive(Debug, Default)]
struct AllFlights {
    last_number: u64,
    flights: Vec<Flight>,
}

/// The requests that need one count.
#[derive(Debug)]
struct Flight {
    number: u64,
    matching: Arc<Matching>,
    leaders: usize,
    queue: VecDeque<Waiter>,
}

/// The part of a request in its flight.
#[derive(Debug)]
pub(super) enum Role {
    /// Reads at once, as a leader of the flight of this number.
    Leader(u64),
    /// Gets the page that a leader reads for it.
    Follower(WaiterHandle),
}

/// A queued request, leader's side.
#[derive(Debug)]
struct Waiter {
    number: u64,
    page: Arc<PageQuery>,
    deadline: Instant,
    attempts: u32,
    sender: oneshot::Sender<PageResult>,
}

/// A queued request, follower's side.
#[derive(Debug)]
pub(super) struct WaiterHandle {
    flight: u64,
    number: u64,
    receiver: oneshot::Receiver<PageResult>,
}

type PageResult = DatabaseResult<Arc<SharedPage>>;

/// A page and its total, for all requests that asked for the same.
#[derive(Debug)]
pub(super) struct SharedPage {
    rows: Vec<PgRow>,
    total: u64,
    /// Held by the task that encodes a long page; none for a short one.
    encoding_lock: Option<Mutex<()>>,
    /// Prevents the read of another long page while this one is in memory.
    long_page_guard: Option<OwnedMutexGuard<()>>,
}

/// A leader's share in its flight, dropped once the server has finished the leader's statement. Dropping it
/// starts the next batch.
#[derive(Debug)]
pub(in crate::store::postgres) struct LeaderGuard {
    database: PostgresDatabase,
    flight: u64,
}

/// The failure of a page, by the statement that failed.
pub(super) enum PageReadError {
    Rows(DatabaseFailure),
    Count(DatabaseFailure),
}

impl Flights {
    /// Makes a request a leader of its flight, or queues it.
    pub(super) fn join(&self, page: &Arc<PageQuery>, deadline: Instant) -> Role {
        let mut all = locked(&self.all);
        // One series of numbers for flights and waiters: a flight has the number of its first request.
        all.last_number += 1;
        let number = all.last_number;
        let mut flights = all.flights.iter_mut();
        let Some(flight) = flights.find(|it| it.matching == page.matching) else {
            all.flights.push(Flight {
                number,
                matching: Arc::clone(&page.matching),
                leaders: 1,
                queue: VecDeque::new(),
            });
            return Role::Leader(number);
        };
        // Read at once: the snapshot of the leader at work may be older than this request.
        if flight.leaders < MAX_LEADERS {
            flight.leaders += 1;
            return Role::Leader(flight.number);
        }
        // Dropping the receiver, as a client that disconnects does, tells the leader to skip this request.
        let (sender, receiver) = oneshot::channel();
        flight.queue.push_back(Waiter {
            number,
            page: Arc::clone(page),
            deadline,
            attempts: 0,
            sender,
        });
        Role::Follower(WaiterHandle {
            flight: flight.number,
            number,
            receiver,
        })
    }

    /// The page that a leader reads for a follower, whose batch must begin by the deadline.
    pub(super) async fn follow(&self, mut handle: WaiterHandle, deadline: Instant) -> PageResult {
        // By reference: the receiver is needed once more if the batch has begun at the deadline.
        let result = match timeout_at(deadline, &mut handle.receiver).await {
            Ok(result) => result.ok(),
            // The lock of the flights decides between the deadline and a leader that takes the batch now.
            Err(_) if self.unqueue(&handle) => None,
            // The batch has begun: the statement timeout limits the rest.
            Err(_) => handle.receiver.await.ok(),
        };
        // The deadline has passed in the queue, or the leader's task has ended without a result.
        result.unwrap_or_else(|| Err(DatabaseFailure::unavailable(NO_PAGE.to_owned())))
    }

    /// Removes a follower from the queue; false where its batch has begun.
    fn unqueue(&self, handle: &WaiterHandle) -> bool {
        self.with_flight(handle.flight, |flight| {
            let before = flight.queue.len();
            flight.queue.retain(|it| it.number != handle.number);
            flight.queue.len() < before
        })
    }

    /// The deadline of the request that has waited longest.
    fn deadline(&self, flight: u64) -> Option<Instant> {
        self.with_flight(flight, |flight| Some(flight.queue.front()?.deadline))
    }

    fn take_batch(&self, flight: u64) -> Vec<Waiter> {
        self.with_flight(flight, |flight| {
            // The rest waits for the next batch, which bounds the time for which one snapshot is open.
            let length = flight.queue.len().min(MAX_BATCH);
            flight.queue.drain(..length).collect()
        })
    }

    /// Puts waiters without a page back, before later ones.
    fn put_back(&self, flight: u64, waiters: Vec<Waiter>) {
        self.with_flight(flight, |flight| {
            // In reverse, so that they keep the order of `waiters`.
            for waiter in waiters.into_iter().rev() {
                flight.queue.push_front(waiter);
            }
        });
    }

    /// Ends a leader; false where waiters need another one in its place.
    fn end_leader(&self, number: u64) -> bool {
        let mut all = locked(&self.all);
        let mut flights = all.flights.iter_mut().enumerate();
        // A flight without leaders has been removed.
        let Some((index, flight)) = flights.find(|(_, it)| it.number == number) else {
            return true;
        };
        // Nobody reads for clients that have disconnected.
        flight.queue.retain(Waiter::is_connected);
        // The share of this leader passes to the next one, so the number of leaders stays the same.
        if !flight.queue.is_empty() {
            return false;
        }
        flight.leaders = flight.leaders.saturating_sub(1);
        // Removed under the lock that `join` takes: no request can queue where nobody leads.
        if flight.leaders == 0 {
            all.flights.swap_remove(index);
        }
        true
    }

    /// Waits until no long page is in memory, if the next page is likely to be long.
    async fn reserve_long_page(&self) -> Option<OwnedMutexGuard<()>> {
        // A wrong guess costs memory or a short wait, so no stronger ordering is needed.
        if self.last_page_was_long.load(Ordering::Relaxed) {
            return Some(self.long_page_lock.clone().lock_owned().await);
        }
        None
    }

    /// Shares a page; a long one keeps `long_page_guard` until its last follower has encoded it.
    fn share(
        &self,
        mut page: SharedPage,
        long_page_guard: Option<OwnedMutexGuard<()>>,
    ) -> Arc<SharedPage> {
        let is_long = page.encoding_lock.is_some();
        self.last_page_was_long.store(is_long, Ordering::Relaxed);
        if is_long {
            // A page that is unexpectedly long is in memory already, so it takes the lock without a wait.
            page.long_page_guard =
                long_page_guard.or_else(|| self.long_page_lock.clone().try_lock_owned().ok());
        }
        Arc::new(page)
    }

    fn with_flight<T: Default>(&self, number: u64, change: impl FnOnce(&mut Flight) -> T) -> T {
        let mut all = locked(&self.all);
        let flight = all.flights.iter_mut().find(|it| it.number == number);
        // The flight ends with its last leader; its number may still be known to a follower.
        flight.map(change).unwrap_or_default()
    }
}

impl Waiter {
    /// Tests whether the client is still connected.
    fn is_connected(&self) -> bool {
        !self.sender.is_closed()
    }

    /// Sends the result, unless the client has disconnected.
    fn send(self, result: PageResult) {
        // The error of a closed channel only returns the page.
        drop(self.sender.send(result));
    }

    /// Returns the waiter for another attempt after a retryable failure, or sends the failure if it has no
    /// attempt left.
    fn retry(mut self, failure: &DatabaseFailure) -> Option<Self> {
        // Counted for each waiter: those of one batch may have had different numbers of attempts.
        self.attempts += 1;
        if self.attempts < ATTEMPTS && Instant::now() < self.deadline {
            return Some(self);
        }
        // The follower must not retry what the leader has retried for it.
        self.send(Err(failure.clone().exhausted_retries()));
        None
    }
}

impl LeaderGuard {
    pub(super) fn new(database: &PostgresDatabase, flight: u64) -> Self {
        Self {
            database: database.clone(),
            flight,
        }
    }
}

impl Drop for LeaderGuard {
    fn drop(&mut self) {
        if self.database.flights.end_leader(self.flight) {
            return;
        }
        // Without a runtime the process is ending, and no request waits.
        if let Ok(runtime) = Handle::try_current() {
            // In a task, since a drop cannot wait, and no client may cancel the reads of others.
            runtime.spawn(lead_next_batch(self.database.clone(), self.flight));
        }
    }
}

/// Reads for the waiters that queue before the snapshot begins, `MAX_BATCH` at most.
async fn lead_next_batch(database: PostgresDatabase, flight: u64) {
    // Made first: whatever ends this function, its drop looks after those that still wait.
    let leader = Arc::new(LeaderGuard::new(&database, flight));
    // The other leader may have taken the whole queue.
    let Some(deadline) = database.flights.deadline(flight) else {
        return;
    };
    let begin = |deadline| database.begin_batch(deadline, &leader);
    match retry_until(deadline, begin).await {
        Ok(snapshot) => {
            // Taken after BEGIN, but before the first statement, which takes the snapshot: it is no older than any
            // request of the batch. Later waiters need the next one.
            let batch = database.flights.take_batch(flight);
            let unread = database.read_batch(snapshot, batch).await;
            database.flights.put_back(flight, unread);
        }
        // The deadline was that of the first waiter: later ones have more time.
        Err(failure) => {
            let flights = &database.flights;
            // One waiter at least leaves the queue in each round, so that the rounds come to an end.
            if let Some(first) = flights.with_flight(flight, |it| it.queue.pop_front()) {
                first.send(Err(failure));
            }
        }
    }
}

impl PostgresDatabase {
    /// Begins the transaction whose first statement takes the snapshot of a batch. It is called only in the task
    /// that `LeaderGuard::drop` spawns, which no client can cancel.
    async fn begin_batch(
        &self,
        deadline: Instant,
        leader: &Arc<LeaderGuard>,
    ) -> DatabaseResult<Lease> {
        let mut lease = self.lease(Purpose::List, deadline).await?;
        lease.keep_leader(leader);
        let begin = self.limits.begin(BEGIN_REPEATABLE_READ);
        lease.begin_in_this_task(begin).await
    }

    /// Reads each page of a batch once, and the count once. Returns the waiters without a result, which are
    /// left when a failed statement ends the snapshot.
    async fn read_batch(&self, mut snapshot: Lease, batch: Vec<Waiter>) -> Vec<Waiter> {
        let mut unread = batch;
        let mut count = None;
        loop {
            // Clients may have disconnected during the last read.
            unread.retain(Waiter::is_connected);
            let Some(query) = unread.first().map(|first| first.page.clone()) else {
                break;
            };
            // Before the read, so that a long page waits in the database and not in memory.
            let long_page_guard = self.flights.reserve_long_page().await;
            let page = self.shared_page(&mut snapshot, &query, &mut count).await;
            // Those who asked for the same page share this one, also if it failed.
            let (equal, others) = unread.into_iter().partition(|it| it.page == query);
            unread = others;
            match page {
                Ok(page) => send_all(equal, &Ok(self.flights.share(page, long_page_guard))),
                // The failed statement has ended the snapshot: the lease rolls back when it is dropped.
                Err(error) => return after_failure(error, equal, unread),
            }
        }
        // The pages are sent: a failed COMMIT only costs the connection.
        drop(snapshot.commit().await);
        unread
    }

    /// Reads a page in a snapshot. Counts only where the total follows neither from the number of rows nor from
    /// `count`, the count of an earlier page.
    pub(super) async fn shared_page(
        &self,
        snapshot: &mut Lease,
        page: &PageQuery,
        count: &mut Option<u64>,
    ) -> Result<SharedPage, PageReadError> {
        let read = async {
            // The client wants the total alone.
            let Some(statement) = &page.rows else {
                return Ok(Vec::new());
            };
            let rows = rows(snapshot.connection()?, statement)?;
            self.timeout.run(rows.try_collect::<Vec<_>>()).await
        };
        let rows = read.await.map_err(PageReadError::Rows)?;
        let row_count = u64::try_from(rows.len()).unwrap_or(u64::MAX);
        let total = if let Some(total) = page.total_from_row_count(row_count).or(*count) {
            total
        } else {
            let counted = async { self.count(snapshot.connection()?, page).await };
            *count.insert(counted.await.map_err(PageReadError::Count)?)
        };
        Ok(SharedPage::new(rows, total))
    }
}

fn send_all(waiters: Vec<Waiter>, result: &PageResult) {
    for waiter in waiters {
        waiter.send(result.clone());
    }
}

/// Returns the waiters to retry in another snapshot. A retryable failure costs all waiters of the batch an attempt.
/// Any other failure of the count goes to all of them, any other failure of the rows only to the waiters for that
/// page.
fn after_failure(error: PageReadError, concerned: Vec<Waiter>, others: Vec<Waiter>) -> Vec<Waiter> {
    match error {
        PageReadError::Rows(failure @ DatabaseFailure::Retryable(_))
        | PageReadError::Count(failure @ DatabaseFailure::Retryable(_)) => {
            // Those of the failed page first: the request that has waited longest is one of them, and stays at the
            // head of the queue.
            let all = concerned.into_iter().chain(others);
            all.filter_map(|waiter| waiter.retry(&failure)).collect()
        }
        PageReadError::Rows(failure) => {
            // The others lost only the snapshot: they are read in the next one, and no attempt is counted.
            send_all(concerned, &Err(failure));
            others
        }
        PageReadError::Count(failure) => {
            send_all(concerned, &Err(failure.clone()));
            send_all(others, &Err(failure));
            Vec::new()
        }
    }
}

impl SharedPage {
    fn new(rows: Vec<PgRow>, total: u64) -> Self {
        // The received bytes stand for the encoded page, whose length is not known yet.
        let is_long = rows.iter().map(length).sum::<usize>() > LONG_PAGE;
        Self {
            rows,
            total,
            encoding_lock: is_long.then(Mutex::default),
            long_page_guard: None,
        }
    }

    /// Lends the rows to a visitor, and returns the total.
    pub(super) async fn lend(&self, visitor: &mut dyn RowVisitor) -> DatabaseResult<u64> {
        let _encoding = match &self.encoding_lock {
            Some(lock) => Some(lock.lock().await),
            None => None,
        };
        for row in &self.rows {
            visitor.visit(row)?;
            // The rows are in memory, so nothing else suspends this task.
            if visitor.should_yield() {
                yield_now().await;
            }
        }
        Ok(self.total)
    }
}

/// Number of bytes of a row's values, as received.
fn length(row: &PgRow) -> usize {
    let values = (0..row.len()).filter_map(|column| row.try_get_raw(column).ok());
    let lengths = values.map(|value| value.as_bytes().map_or(0, <[u8]>::len));
    lengths.sum()
}
