//! Totals that were counted, and stay so until somebody writes.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::faults::Faults;
use crate::execute::recent::Recent;
use crate::plan::{Count, KnownTotal};

/// How many totals are remembered.
const REMEMBERED: usize = 64;

/// How long a total is remembered that nobody asks for: a server could have been replaced meanwhile
/// by one that gives other snapshots the same name, without any of our connections to tell.
const UNASKED: Duration = Duration::from_secs(10);

/// What was counted last: a count of all rows costs a hundred times what a page does.
#[derive(Debug)]
pub(super) struct Totals {
    counted: Mutex<Recent<Count, Counted>>,
    faults: Arc<Faults>,
}

#[derive(Debug)]
struct Counted {
    known: KnownTotal,
    asked: Instant,
    /// Whether it was still so when it was last asked for.
    lasts: bool,
}

impl Totals {
    pub(super) const fn new(faults: Arc<Faults>) -> Self {
        Self {
            counted: Mutex::new(Recent::new(REMEMBERED)),
            faults,
        }
    }

    /// What is known, for the server to judge whether it is still so.
    pub(super) fn known(&self, count: &Count) -> Option<KnownTotal> {
        self.of(count, |counted| counted.known.clone())
    }

    /// Whether it most likely need not be counted.
    pub(super) fn lasts(&self, count: &Count) -> bool {
        self.of(count, |counted| counted.lasts).unwrap_or_default()
    }

    /// Remembers what the server told, which was asked for at `asked`.
    pub(super) fn keep(&self, count: &Count, known: KnownTotal, asked: Instant) {
        let mut all = self.all();
        let Some(counted) = all.get(count) else {
            let counted = Counted {
                known,
                asked,
                lasts: false,
            };
            return all.add(count.clone(), counted);
        };
        counted.lasts = counted.known == known;
        counted.known = known;
        counted.asked = asked;
    }

    fn of<T>(&self, count: &Count, told: impl FnOnce(&Counted) -> T) -> Option<T> {
        let mut all = self.all();
        let counted = all.get(count)?;
        let age = counted.asked.elapsed();
        (age < UNASKED && !self.faults.outdate(age)).then(|| told(counted))
    }

    fn all(&self) -> MutexGuard<'_, Recent<Count, Counted>> {
        self.counted.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::time::{Duration, Instant};

    use super::{Faults, Totals, UNASKED};
    use crate::ApiResource as _;
    use crate::extract::ListParameters;
    use crate::guard::View;
    use crate::plan::{Count, Dialect, KnownTotal, Planner};
    use crate::samples::{Person, asked};

    fn count() -> Count {
        let view = View::whole(Person::DEFINITION);
        let query = asked(view, &ListParameters::default());
        let planner = Planner::new(Dialect::Postgres, Person::DEFINITION);
        planner.page(view, &query).count
    }

    fn known(snapshot: &str) -> KnownTotal {
        KnownTotal {
            snapshot: snapshot.into(),
            total: 7,
        }
    }

    #[test]
    fn a_total_lasts_once_the_server_has_told_it_twice_of_one_snapshot() {
        let (totals, count) = (Totals::new(Arc::default()), count());
        assert_eq!(totals.known(&count), None);
        for (snapshot, lasts) in [("5:5:", false), ("5:5:", true), ("6:6:", false)] {
            totals.keep(&count, known(snapshot), Instant::now());
            assert_eq!(totals.known(&count), Some(known(snapshot)));
            assert_eq!(totals.lasts(&count), lasts, "{snapshot}");
        }
    }

    #[test]
    fn a_total_is_forgotten_when_nobody_asks_for_it_or_the_server_fails() {
        let faults = Arc::new(Faults::default());
        let (totals, count) = (Totals::new(faults.clone()), count());
        let long_ago = Instant::now()
            .checked_sub(UNASKED + Duration::from_secs(1))
            .unwrap();
        totals.keep(&count, known("5:5:"), long_ago);
        assert_eq!(totals.known(&count), None);
        totals.keep(&count, known("5:5:"), Instant::now());
        faults.note();
        assert_eq!(totals.known(&count), None);
        assert!(!totals.lasts(&count));
    }
}
