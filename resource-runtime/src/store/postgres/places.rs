//! The connections of a pool, and those of them that rest between two requests.

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use sqlx::pool::PoolConnection;
use sqlx::{Connection as _, PgPool, Postgres};
use tokio::runtime::Handle;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{sleep, timeout};

use super::given_up::{GivenUp, done_by_server};
use super::lists::LeaderGuard;
use super::watch::Watch;
use crate::store::locked;

/// How long a connection is lent from hand to hand before the pool looks at it again: whether it
/// lives, how old it is, and whether it is needed at all. Each look makes the server answer once more.
const UNSEEN: Duration = Duration::from_secs(1);

/// One of so many places is left for others by those who write, and by those who list, if there are two.
const FOR_OTHERS: usize = 5;

/// A connection that the pool has handed out.
#[derive(Debug)]
pub(super) struct Taken {
    pub(super) connection: PoolConnection<Postgres>,
    since: Instant,
}

/// The right to one of the connections, until the server is done with what was begun on it.
#[derive(Debug)]
pub(super) struct Place {
    _any: OwnedSemaphorePermit,
    /// One of those for its like, where all of them together may not take all places.
    _of_its_like: Option<OwnedSemaphorePermit>,
    purpose: Purpose,
    /// The leader whose count is under way on it.
    pub(super) leader: Option<Arc<LeaderGuard>>,
}

/// The use of a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Purpose {
    /// A few rows by their keys.
    Read,
    /// As many rows, and as long, as a list may take.
    List,
    Write,
}

/// A connection may be lent by whoever has one of the places.
#[derive(Debug)]
pub(super) struct Places {
    pub(super) pool: PgPool,
    free: Arc<Semaphore>,
    /// Not all may be taken by those who write: commits wait without limit for standbys that are gone.
    writes: Arc<Semaphore>,
    /// Nor by those who list, which may take as long as is allowed, while others look for one item.
    lists: Arc<Semaphore>,
    most_writes: usize,
    pub(super) given_up: Arc<GivenUp>,
    /// The one used last is lent next, as long as the server and the processor remember it.
    resting: Mutex<Vec<Taken>>,
    watch: Watch,
}

impl Place {
    pub(super) fn is_write(&self) -> bool {
        self.purpose == Purpose::Write
    }
}

impl Places {
    pub(super) fn new(pool: PgPool, watch: &Watch) -> Arc<Self> {
        let most = pool.options().get_max_connections();
        let most = usize::try_from(most).unwrap_or(Semaphore::MAX_PERMITS);
        let most = most.min(Semaphore::MAX_PERMITS);
        let most_writes = most.saturating_sub(most.div_ceil(FOR_OTHERS)).max(1);
        Arc::new(Self {
            pool,
            free: Arc::new(Semaphore::new(most)),
            writes: Arc::new(Semaphore::new(most_writes)),
            lists: Arc::new(Semaphore::new(most_writes)),
            most_writes,
            given_up: Arc::default(),
            resting: Mutex::default(),
            watch: watch.clone(),
        })
    }

    /// A place, as soon as there is one. One who writes gets none while the server is at as many abandoned
    /// writes as there may be.
    pub(super) async fn place(&self, purpose: Purpose) -> sqlx::Result<Place> {
        let of_its_like = match purpose {
            Purpose::Read => None,
            Purpose::List => Some(permit(&self.lists).await?),
            Purpose::Write if self.given_up.writes() >= self.most_writes => {
                return Err(sqlx::Error::PoolTimedOut);
            }
            Purpose::Write => Some(permit(&self.writes).await?),
        };
        Ok(Place {
            _any: permit(&self.free).await?,
            _of_its_like: of_its_like,
            purpose,
            leader: None,
        })
    }

    /// A connection for whoever has a place.
    pub(super) async fn take(self: &Arc<Self>) -> sqlx::Result<Taken> {
        if let Some(rested) = self.rested() {
            return Ok(rested);
        }
        // On the heap, so that requests that need no new connection do not carry it about.
        let connection = Box::pin(self.pool.acquire()).await?;
        // Connections that nobody wants any more do not rest for ever.
        let places = Arc::downgrade(self);
        tokio::spawn(async move {
            sleep(UNSEEN).await;
            if let Some(places) = places.upgrade() {
                places.give_back();
            }
        });
        Ok(Taken {
            connection,
            since: Instant::now(),
        })
    }

    /// Lets a connection rest on which nothing is left to be done, unless the pool is to see it.
    pub(super) fn rest(&self, taken: Taken) -> Result<(), Taken> {
        if self.is_due(&taken) {
            return Err(taken);
        }
        locked(&self.resting).push(taken);
        Ok(())
    }

    /// How many connections nobody uses that the pool takes to be used.
    #[cfg(feature = "metrics")]
    pub(super) fn resting_count(&self) -> usize {
        locked(&self.resting).len()
    }

    fn rested(&self) -> Option<Taken> {
        loop {
            let rested = locked(&self.resting).pop()?;
            if !self.is_due(&rested) {
                return Some(rested);
            }
            rested.give_back(self.watch.limit, ());
        }
    }

    /// Gives the pool what nobody has used for long.
    fn give_back(&self) {
        let due = |it: &mut Taken| self.is_due(it);
        let due: Vec<Taken> = locked(&self.resting).extract_if(.., due).collect();
        for taken in due {
            taken.give_back(self.watch.limit, ());
        }
    }

    fn is_due(&self, taken: &Taken) -> bool {
        let since = taken.since.elapsed();
        since >= UNSEEN || self.watch.faults.outdate(since)
    }
}

impl Drop for Places {
    fn drop(&mut self) {
        for taken in locked(&self.resting).drain(..) {
            taken.give_back(self.watch.limit, ());
        }
    }
}

impl Taken {
    /// Lets it rest once the session is as it was before it was lent to the developer, or closes it. Then lets
    /// go of `place`.
    pub(super) fn reset(mut self, places: Arc<Places>, place: Place) {
        let Ok(runtime) = Handle::try_current() else {
            return self.give_back(None, place);
        };
        runtime.spawn(async move {
            let limit = places.watch.limit;
            let reset = sqlx::raw_sql(RESET).execute(&mut *self.connection);
            let reset = done_by_server(&places, limit, place.is_write(), reset).await;
            if !matches!(reset, Some(Ok(_))) {
                drop(self.connection.detach());
            } else if let Err(due) = places.rest(self) {
                return due.give_back(limit, place);
            }
            drop(place);
        });
    }

    /// Gives it back to the pool once the server is done with what was abandoned half-way, or closes it. Then
    /// lets go of `place`.
    pub(super) fn bring_to_rest(mut self, places: Arc<Places>, place: Place) {
        let Ok(runtime) = Handle::try_current() else {
            return self.give_back(None, place);
        };
        runtime.spawn(async move {
            let limit = places.watch.limit;
            // The pool would close one that is too old, and not wait for the server.
            let ready = self.connection.ping();
            let ready = done_by_server(&places, limit, place.is_write(), ready).await;
            match ready {
                Some(_) => self.give_back(limit, place),
                None => drop(self.connection.detach()),
            }
        });
    }

    /// Gives it back to the pool, and then lets go of `place`; a server that is silent for longer than `limit` is
    /// not waited for: it has nothing left to do.
    pub(super) fn give_back(mut self, limit: Option<Duration>, place: impl Send + 'static) {
        let rest = self.connection.return_to_pool();
        // Where everything ends, so does the connection.
        let Ok(runtime) = Handle::try_current() else {
            return;
        };
        runtime.spawn(async move {
            match limit {
                Some(limit) => drop(timeout(limit, rest).await),
                None => rest.await,
            }
            drop(place);
        });
    }
}

async fn permit(places: &Arc<Semaphore>) -> sqlx::Result<OwnedSemaphorePermit> {
    let permit = places.clone().acquire_owned().await;
    permit.map_err(|_| sqlx::Error::PoolClosed)
}

/// Resets the state that the developer's SQL may have left in a session. `DISCARD ALL` would forget the statements
/// that the driver knows to be prepared, too.
const RESET: &str = "CLOSE ALL; SET SESSION AUTHORIZATION DEFAULT; RESET ROLE; RESET ALL; UNLISTEN *; \
    SELECT pg_advisory_unlock_all(); DISCARD TEMP; DISCARD SEQUENCES";
