//! Connections that are lent, and how the pool learns that they are broken.

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use resource_model::error::DatabaseFailure;
use sqlx::postgres::PgTransactionManager;
use sqlx::{PgConnection, SqlStr};
use sqlx_core::transaction::TransactionManager as _;

use super::lists::LeaderGuard;
use super::places::{Place, Places, Taken};
use super::watch::Watch;
use crate::store::locked;

/// Tests that the session is within the transaction that we began, which alone has the setting.
const IS_OPEN: &str = "SELECT current_setting('resource_runtime.transaction', true) = 'begun'";

const ENDED: &str = "the transaction has ended before its time: a hook sent COMMIT, ROLLBACK or RESET ALL; \
    leave them to the service";

const NESTED: &str = "a transaction that a hook nested was neither committed nor rolled back";

/// A connection of the pool, lent for one request; what it has begun and not committed by its end
/// is rolled back.
///
/// Nobody else is lent its place before the server is done with what was abandoned half-way: it
/// would work for more sessions than it was told to expect.
#[derive(Debug)]
pub(super) struct Lease {
    /// None once it has ended.
    lent: Option<Lent>,
    watch: Watch,
    /// Whether nothing is left to be done on it.
    is_done: bool,
    /// Set once the developer's SQL may have left settings, locks or temporary tables behind.
    was_lent: bool,
    /// Set while the developer's SQL may have ended the transaction since that was last verified.
    is_unverified: bool,
}

#[derive(Debug)]
struct Lent {
    taken: Taken,
    place: Place,
    places: Arc<Places>,
}

impl Lease {
    pub(super) fn new(taken: Taken, place: Place, places: &Arc<Places>, watch: &Watch) -> Self {
        let places = places.clone();
        Self {
            lent: Some(Lent {
                taken,
                place,
                places,
            }),
            watch: watch.clone(),
            is_done: true,
            was_lent: false,
            is_unverified: false,
        }
    }

    /// The connection, on which something is left to be done until [`done`](Self::done) is told.
    pub(super) fn connection(&mut self) -> Result<&mut PgConnection, DatabaseFailure> {
        self.is_done = false;
        let lent = self.lent.as_mut();
        let lent = lent.ok_or_else(|| DatabaseFailure::internal("a lease has ended"))?;
        Ok(&mut lent.taken.connection)
    }

    /// Keeps the leader of a flight until the server is done, even if its request is given up.
    pub(super) fn keep_leader(&mut self, leader: &Arc<LeaderGuard>) {
        if let Some(lent) = &mut self.lent {
            lent.place.leader = Some(leader.clone());
        }
    }

    /// The connection, for the developer's SQL.
    pub(super) fn lend(&mut self) -> Result<&mut PgConnection, DatabaseFailure> {
        self.was_lent = true;
        self.is_unverified = true;
        self.connection()
    }

    /// Asks the server whether the transaction goes on. The developer's SQL may have failed, of
    /// which COMMIT says nothing but its tag, or have ended it, after which each statement would
    /// be committed by itself.
    pub(super) async fn verify_open(&mut self) -> Result<(), DatabaseFailure> {
        if !self.is_unverified {
            return Ok(());
        }
        let watch = self.watch.clone();
        let asked = sqlx::query_scalar(IS_OPEN).fetch_one(self.connection()?);
        let is_open: Option<bool> = watch.step(asked).await?;
        if is_open != Some(true) {
            return Err(DatabaseFailure::internal(ENDED));
        }
        self.is_unverified = false;
        Ok(())
    }

    /// The last statement was carried out, and its answer was read to the end.
    pub(super) const fn done(&mut self) {
        self.is_done = true;
    }

    /// Begins a transaction, whether or not anyone still waits for it: abandoned half-way, the
    /// connection would be lent again within a transaction of which the driver does not know, and
    /// what others write by one statement would never be committed.
    pub(super) async fn begin(self, command: SqlStr) -> Result<Self, DatabaseFailure> {
        let begun = tokio::spawn(self.begin_unabandoned(command));
        begun.await.map_err(DatabaseFailure::internal)?
    }

    /// Begins a transaction, where nobody gives it up half-way.
    pub(super) async fn begin_unabandoned(
        mut self,
        command: SqlStr,
    ) -> Result<Self, DatabaseFailure> {
        let watch = self.watch.clone();
        let begun = PgTransactionManager::begin(self.connection()?, Some(command));
        watch.step(begun).await.map(|()| self)
    }

    pub(super) async fn commit(mut self) -> Result<(), DatabaseFailure> {
        // Within one that is nested, the driver would release a savepoint instead.
        if PgTransactionManager::get_transaction_depth(self.connection()?) != 1 {
            return Err(DatabaseFailure::internal(NESTED));
        }
        let watch = self.watch.clone();
        let committed = PgTransactionManager::commit(self.connection()?);
        watch.commit(committed).await?;
        self.done();
        Ok(())
    }
}

impl Lent {
    fn end(mut self, is_done: bool, was_lent: bool, limit: Option<Duration>) {
        let connection = &mut self.taken.connection;
        let is_open = PgTransactionManager::get_transaction_depth(connection) > 0;
        while PgTransactionManager::get_transaction_depth(connection) > 0 {
            // Only noted down: it is sent with what brings the connection to rest.
            PgTransactionManager::start_rollback(connection);
        }
        if was_lent {
            return self.taken.reset(self.places, self.place);
        }
        if !is_done || is_open {
            return self.taken.bring_to_rest(self.places, self.place);
        }
        if let Err(due) = self.places.rest(self.taken) {
            due.give_back(limit, self.place);
        }
    }
}

impl Drop for Lease {
    fn drop(&mut self) {
        if let Some(lent) = self.lent.take() {
            lent.end(self.is_done, self.was_lent, self.watch.limit);
        }
    }
}

/// How often connections are replaced by others that may be no better.
const AT_MOST_EACH: Duration = Duration::from_secs(1);

/// When the server last failed us: what ended one connection ended its contemporaries, too, so
/// those are replaced instead of each being tried.
#[derive(Debug, Default)]
pub(super) struct Faults {
    last: Mutex<Option<Instant>>,
}

impl Faults {
    pub(super) fn note(&self) {
        *locked(&self.last) = Some(Instant::now());
    }

    /// Notes what new connections need not mend: else each request would have all of them replaced.
    pub(super) fn note_at_times(&self) {
        let mut last = locked(&self.last);
        if last.is_none_or(|last| last.elapsed() > AT_MOST_EACH) {
            *last = Some(Instant::now());
        }
    }

    /// Whether a connection that is `age` old was made before the last fault.
    pub(super) fn outdate(&self, age: Duration) -> bool {
        let last = *locked(&self.last);
        last.is_some_and(|last| last.elapsed() <= age)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::Faults;

    #[test]
    fn a_server_that_only_reads_outdates_no_connection_of_this_moment() {
        let faults = Faults::default();
        faults.note_at_times();
        let age = std::time::Instant::now();
        faults.note_at_times();
        assert!(!faults.outdate(age.elapsed()));
        assert!(faults.outdate(Duration::from_hours(1)));
    }

    #[test]
    fn a_fault_outdates_what_was_there_before_it() {
        let faults = Faults::default();
        assert!(!faults.outdate(Duration::from_hours(1)));
        faults.note();
        assert!(faults.outdate(Duration::from_hours(1)));
        assert!(!faults.outdate(Duration::ZERO));
    }
}
