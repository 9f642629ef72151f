//! Remembered totals: a count is repeated only after a transaction that wrote has ended.
//!
//! The server names the snapshot and the process that it counted in. The next list sends the total along
//! with both names, and the server compares: in a snapshot of the same name it sees the same rows. That
//! holds for tables that nothing but transactions of this server changes ([`IS_STEADY`]).

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use resource_model::error::DatabaseResult;
use resource_sql::{CachedTotal, Matching};
use sqlx::PgConnection;

use crate::store::locked;
use crate::store::lru_cache::LruCache;
use crate::store::postgres::PostgresDatabase;
use crate::store::postgres::lease::Health;

/// Number of totals that are remembered.
const REMEMBERED: usize = 64;

/// Time after which a total is forgotten that no list asks for.
const FORGOTTEN_AFTER: Duration = Duration::from_secs(10);

/// Time of a count above which it pays to ask the server whether its tables are steady.
const WORTH_A_QUESTION: Duration = Duration::from_millis(1);

/// Bytes of names of processes that are remembered: far more than a pool has connections.
const PROCESS_NAMES: usize = 4096;

/// Tests for ordinary tables, or partitions that are, in the server's own storage, which is the
/// second of its access methods. Of no others is it known that each change is a transaction of
/// this server: a view or a policy may ask the clock, a foreign table is elsewhere, as are rows that
/// an extension distributes, and a table of one session alone hides that of all others.
///
/// A change of what is decided here is such a transaction, too.
const IS_STEADY: &str = r"
    SELECT to_regclass('pg_dist_partition') IS NULL AND NOT EXISTS (
        SELECT FROM unnest($1::text[]) AS served (name)
        LEFT JOIN pg_class AS stored ON stored.oid = to_regclass(quote_ident(served.name))
        WHERE CASE stored.relkind
            WHEN 'r' THEN stored.relam <> 2 OR stored.relhassubclass
            WHEN 'p' THEN EXISTS (
                SELECT FROM pg_partition_tree(stored.oid) AS part
                JOIN pg_class AS leaf ON leaf.oid = part.relid
                WHERE part.isleaf AND (leaf.relkind <> 'r' OR leaf.relam <> 2))
            ELSE TRUE
        END OR stored.relpersistence = 't' OR row_security_active(stored.oid)
    )";

/// The totals that were counted last.
#[derive(Debug)]
pub(in crate::store::postgres) struct Totals {
    all: Mutex<AllTotals>,
    health: Arc<Health>,
}

#[derive(Debug)]
struct AllTotals {
    counted: LruCache<Matching, Counted>,
    seen: Arc<Processes>,
}

#[derive(Debug)]
struct Counted {
    known: Arc<CachedTotal>,
    asked: Instant,
    /// True where only transactions change it; none where the server was not asked.
    is_steady: Option<bool>,
    /// Set while it was unchanged when a list last asked for it.
    lasts: bool,
}

/// What was known of a total at the moment a list asked for it. A count is judged by this, not by what
/// other lists have learned since: a process that came later may see less in a snapshot of the same name.
#[derive(Debug)]
pub(super) struct Asked {
    at: Instant,
    seen: Arc<Processes>,
    last: Option<Arc<CachedTotal>>,
    is_steady: Option<bool>,
}

/// Processes of one server, by the moment of its start.
#[derive(Debug, Clone, Default)]
struct Processes {
    server: String,
    /// Each between two spaces.
    names: String,
}

impl Totals {
    pub(in crate::store::postgres) fn new(health: Arc<Health>) -> Self {
        Self {
            all: Mutex::new(AllTotals {
                counted: LruCache::new(REMEMBERED),
                seen: Arc::default(),
            }),
            health,
        }
    }

    /// What is known now of the total of these items.
    pub(super) fn asked(&self, matching: &Matching) -> Asked {
        let at = Instant::now();
        let mut all = locked(&self.all);
        let seen = all.seen.clone();
        let counted = self.current(&mut all, matching);
        Asked {
            at,
            seen,
            is_steady: counted.as_ref().and_then(|it| it.is_steady),
            last: counted.map(|it| it.known.clone()),
        }
    }

    /// Tests that the total most likely need not be counted.
    pub(super) fn lasts(&self, matching: &Matching) -> bool {
        let mut all = locked(&self.all);
        let counted = self.current(&mut all, matching);
        counted.is_some_and(|it| it.lasts && it.is_steady == Some(true))
    }

    /// Remembers the text that the server told, where it named its snapshot.
    pub(super) fn remember(
        &self,
        matching: &Matching,
        told: String,
        asked: Asked,
        is_steady: Option<bool>,
    ) {
        let mut all = locked(&self.all);
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
        let known = CachedTotal {
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

    fn current<'all>(
        &self,
        all: &'all mut AllTotals,
        matching: &Matching,
    ) -> Option<&'all mut Counted> {
        let counted = all.counted.get(matching)?;
        let age = counted.asked.elapsed();
        (age < FORGOTTEN_AFTER && !self.health.is_stale(age)).then_some(counted)
    }
}

impl Asked {
    /// The last total, where nothing but transactions changes it: the server judges whether one has ended.
    pub(super) fn known(&self) -> Option<&CachedTotal> {
        let last = self.last.as_deref();
        last.filter(|_| self.is_steady == Some(true))
    }

    fn is_told_again(&self, told: &str) -> bool {
        self.known().is_some_and(|known| known.told == told)
    }

    /// Tests that nothing but transactions changes the total, where that is known: another process may
    /// see less in a snapshot of the same name.
    pub(super) fn is_steady(&self, told: &str) -> Option<bool> {
        let is_steady = self.is_steady?;
        let is_same = if is_steady {
            self.is_told_again(told)
        } else {
            self.is_unchanged(told)
        };
        is_same.then_some(is_steady)
    }

    /// Tests that the question pays whether the total may be remembered: counting took longer than
    /// asking does, or the server is so quiet that nothing has changed since the last time.
    pub(super) fn is_worth_a_question(&self, told: &str) -> bool {
        names(told).is_some() && (self.at.elapsed() >= WORTH_A_QUESTION || self.is_unchanged(told))
    }

    fn is_unchanged(&self, told: &str) -> bool {
        let last = self.last.as_ref().map(|it| it.snapshot.as_str());
        names(told).is_some_and(|(_, snapshot)| last == Some(snapshot))
    }
}

impl Processes {
    /// These and another of the server of this snapshot, which may have taken the place of theirs.
    fn with(mut these: Arc<Self>, process: &str, snapshot: &str) -> Arc<Self> {
        let server = snapshot.rsplit_once(' ').map_or("", |(server, _)| server);
        if these.server != server || these.names.len() > PROCESS_NAMES {
            these = Arc::new(Self {
                server: server.to_owned(),
                names: " ".to_owned(),
            });
        }
        if !these.names.contains(&format!(" {process} ")) {
            let names = &mut Arc::make_mut(&mut these).names;
            names.push_str(process);
            names.push(' ');
        }
        these
    }
}

/// The process and the snapshot that are named behind a total, where they are.
fn names(told: &str) -> Option<(&str, &str)> {
    let (_, names) = told.split_once(' ')?;
    names.split_once(' ')
}

impl PostgresDatabase {
    /// Tests that only transactions that write change a count of these tables.
    pub(super) async fn is_steady(
        &self,
        connection: &mut PgConnection,
        tables: &[&'static str],
    ) -> DatabaseResult<bool> {
        let steady = sqlx::query_scalar(IS_STEADY).bind(tables);
        self.timeout.run(steady.fetch_one(connection)).await
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::time::{Duration, Instant};

    use resource_model::query::ListParameters;
    use resource_model::samples::{Person, asked};
    use resource_sql::{self, Dialect, Matching};

    use super::{Asked, FORGOTTEN_AFTER, Health, Totals};
    use crate::ApiResource as _;
    use crate::authorization::View;

    fn count() -> Matching {
        let view = View::unrestricted(Person::DEFINITION);
        let query = asked(view, &ListParameters::default());
        resource_sql::page(Dialect::Postgres, view, &query).matching
    }

    fn told(process: u32, snapshot: &str) -> String {
        format!("7 {process} today at noon {snapshot}")
    }

    fn remember(totals: &Totals, asked: Asked, process: u32, snapshot: &str) {
        totals.remember(&count(), told(process, snapshot), asked, Some(true));
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
            remember(&totals, totals.asked(&count()), 8, snapshot);
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
            totals.remember(&count(), first.clone(), totals.asked(&count()), is_steady);
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
            totals.remember(&count(), "7".into(), asked, Some(true));
        }
        assert_eq!(totals.asked(&count()).known(), None);
    }

    #[test]
    fn a_total_is_for_the_processes_that_were_there_before_it() {
        let totals = Totals::new(Arc::default());
        remember(&totals, totals.asked(&count()), 8, "5:5:");
        let early = totals.asked(&count());
        remember(&totals, totals.asked(&count()), 9, "5:5:");
        assert_eq!(processes(&totals), " 8 9 ");
        // Process 9 answered only after this was asked for: it may have begun after it was told.
        remember(&totals, early, 8, "6:6:");
        assert_eq!(processes(&totals), " 8 ");
        remember(&totals, totals.asked(&count()), 8, "7:7:");
        assert_eq!(processes(&totals), " 8 9 ");
        let elsewhere = "7 8 today at one 7:7:".to_owned();
        totals.remember(&count(), elsewhere, totals.asked(&count()), Some(true));
        assert_eq!(processes(&totals), " 8 ");
    }

    #[test]
    fn a_total_is_forgotten_when_nobody_asks_for_it_or_the_server_fails() {
        let health = Arc::new(Health::default());
        let totals = Totals::new(health.clone());
        let mut asked = totals.asked(&count());
        let long_ago = Instant::now().checked_sub(FORGOTTEN_AFTER + Duration::from_secs(1));
        asked.at = long_ago.unwrap();
        remember(&totals, asked, 8, "5:5:");
        assert_eq!(totals.asked(&count()).known(), None);
        remember(&totals, totals.asked(&count()), 8, "5:5:");
        assert!(totals.asked(&count()).known().is_some());
        health.record_fault();
        assert_eq!(totals.asked(&count()).known(), None);
        assert!(!totals.lasts(&count()));
    }
}
