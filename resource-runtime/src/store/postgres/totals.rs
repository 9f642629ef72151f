//! Totals that were counted, and stay so until somebody writes.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::asked::{Asked, Processes, names};
use super::faults::Faults;
use crate::sql::{KnownTotal, Matching};
use crate::store::recent::Recent;

/// How many totals are remembered.
const REMEMBERED: usize = 64;

/// How long a total is remembered that nobody asks for.
const UNASKED: Duration = Duration::from_secs(10);

/// What was counted last: a count of all rows costs a hundred times what a page does.
#[derive(Debug)]
pub(super) struct Totals {
    all: Mutex<All>,
    faults: Arc<Faults>,
}

#[derive(Debug)]
struct All {
    counted: Recent<Matching, Counted>,
    seen: Arc<Processes>,
}

#[derive(Debug)]
struct Counted {
    known: Arc<KnownTotal>,
    asked: Instant,
    /// True where nothing but transactions changes it; none where that was not asked.
    is_steady: Option<bool>,
    /// Whether it was still so when it was last asked for.
    lasts: bool,
}

impl Totals {
    pub(super) fn new(faults: Arc<Faults>) -> Self {
        Self {
            all: Mutex::new(All {
                counted: Recent::new(REMEMBERED),
                seen: Arc::default(),
            }),
            faults,
        }
    }

    /// The state of knowledge by now.
    pub(super) fn asked(&self, matching: &Matching) -> Asked {
        let at = Instant::now();
        let mut all = self.all();
        let seen = all.seen.clone();
        let counted = self.current(&mut all, matching);
        Asked {
            at,
            seen,
            is_steady: counted.as_ref().and_then(|it| it.is_steady),
            last: counted.map(|it| it.known.clone()),
        }
    }

    /// Whether it most likely need not be counted.
    pub(super) fn lasts(&self, matching: &Matching) -> bool {
        let mut all = self.all();
        let counted = self.current(&mut all, matching);
        counted.is_some_and(|it| it.lasts && it.is_steady == Some(true))
    }

    /// Remembers what the server told, where it named its snapshot.
    pub(super) fn keep(
        &self,
        matching: &Matching,
        told: String,
        asked: Asked,
        is_steady: Option<bool>,
    ) {
        let mut all = self.all();
        if asked.is_told_again(&told) {
            if let Some(known) = self.current(&mut all, matching) {
                known.asked = asked.at;
                known.lasts = true;
            }
            return;
        }
        let Some((process, snapshot)) = names(&told) else {
            return;
        };
        all.seen = Processes::with(all.seen.clone(), process, snapshot);
        // A process that answered before this was asked for is older than the total.
        let older = Processes::with(asked.seen, process, snapshot);
        let known = KnownTotal {
            snapshot: snapshot.to_owned(),
            processes: older.names.clone(),
            told,
        };
        let counted = Counted {
            lasts: asked.last.is_some_and(|it| it.snapshot == known.snapshot),
            known: Arc::new(known),
            asked: asked.at,
            is_steady,
        };
        match all.counted.get(matching) {
            Some(known) => *known = counted,
            None => all.counted.add(matching.clone(), counted),
        }
    }

    fn current<'all>(&self, all: &'all mut All, matching: &Matching) -> Option<&'all mut Counted> {
        let counted = all.counted.get(matching)?;
        let age = counted.asked.elapsed();
        (age < UNASKED && !self.faults.outdate(age)).then_some(counted)
    }

    fn all(&self) -> MutexGuard<'_, All> {
        self.all.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::time::{Duration, Instant};

    use super::{Asked, Faults, Totals, UNASKED};
    use crate::ApiResource as _;
    use crate::authorization::View;
    use crate::query::ListParameters;
    use crate::samples::{Person, asked};
    use crate::sql::{self, Dialect, Matching};

    fn count() -> Matching {
        let view = View::whole(Person::DEFINITION);
        let query = asked(view, &ListParameters::default());
        sql::page(Dialect::Postgres, view, &query).matching
    }

    fn told(process: u32, snapshot: &str) -> String {
        format!("7 {process} today at noon {snapshot}")
    }

    fn keep(totals: &Totals, asked: Asked, process: u32, snapshot: &str) {
        totals.keep(&count(), told(process, snapshot), asked, Some(true));
    }

    fn processes(totals: &Totals) -> String {
        let asked = totals.asked(&count());
        asked.known().expect("a total").processes.clone()
    }

    #[test]
    fn a_total_lasts_once_the_server_has_told_it_twice_of_one_snapshot() {
        let totals = Totals::new(Arc::default());
        assert_eq!(totals.asked(&count()).known(), None);
        for (snapshot, lasts) in [("5:5:", false), ("5:5:", true), ("6:6:", false)] {
            keep(&totals, totals.asked(&count()), 8, snapshot);
            let asked = totals.asked(&count());
            assert_eq!(
                asked.known().map(|it| it.told.clone()),
                Some(told(8, snapshot))
            );
            assert_eq!(totals.lasts(&count()), lasts, "{snapshot}");
        }
    }

    #[test]
    fn a_total_is_known_once_it_was_found_to_be_steady() {
        let totals = Totals::new(Arc::default());
        let (first, second) = (told(8, "5:5:"), told(9, "5:5:"));
        for (is_steady, told_again, told_otherwise) in [
            (None, None, None),
            (Some(false), Some(false), Some(false)),
            (Some(true), Some(true), None),
        ] {
            totals.keep(&count(), first.clone(), totals.asked(&count()), is_steady);
            let asked = totals.asked(&count());
            assert_eq!(asked.known().is_some(), is_steady == Some(true));
            assert!(asked.is_worth_a_question(&second), "nothing has changed");
            assert_eq!(asked.is_steady(&first), told_again);
            assert_eq!(asked.is_steady(&second), told_otherwise);
            assert_eq!(asked.is_steady(&told(8, "6:6:")), None);
        }
    }

    #[test]
    fn what_a_standby_tells_is_not_remembered() {
        let totals = Totals::new(Arc::default());
        for _ in 0..2 {
            let asked = totals.asked(&count());
            assert!(!asked.is_worth_a_question("7"));
            totals.keep(&count(), "7".into(), asked, Some(true));
        }
        assert_eq!(totals.asked(&count()).known(), None);
    }

    #[test]
    fn a_total_is_for_the_processes_that_were_there_before_it() {
        let totals = Totals::new(Arc::default());
        keep(&totals, totals.asked(&count()), 8, "5:5:");
        let early = totals.asked(&count());
        keep(&totals, totals.asked(&count()), 9, "5:5:");
        assert_eq!(processes(&totals), " 8 9 ");
        // Process 9 answered only after this was asked for: it may have begun after it was told.
        keep(&totals, early, 8, "6:6:");
        assert_eq!(processes(&totals), " 8 ");
        keep(&totals, totals.asked(&count()), 8, "7:7:");
        assert_eq!(processes(&totals), " 8 9 ");
        let elsewhere = "7 8 today at one 7:7:".to_owned();
        totals.keep(&count(), elsewhere, totals.asked(&count()), Some(true));
        assert_eq!(processes(&totals), " 8 ");
    }

    #[test]
    fn a_total_is_forgotten_when_nobody_asks_for_it_or_the_server_fails() {
        let faults = Arc::new(Faults::default());
        let totals = Totals::new(faults.clone());
        let mut asked = totals.asked(&count());
        let long_ago = Instant::now().checked_sub(UNASKED + Duration::from_secs(1));
        asked.at = long_ago.unwrap();
        keep(&totals, asked, 8, "5:5:");
        assert_eq!(totals.asked(&count()).known(), None);
        keep(&totals, totals.asked(&count()), 8, "5:5:");
        assert!(totals.asked(&count()).known().is_some());
        faults.note();
        assert_eq!(totals.asked(&count()).known(), None);
        assert!(!totals.lasts(&count()));
    }
}
