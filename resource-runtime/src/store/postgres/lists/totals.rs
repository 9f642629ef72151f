//! A cache of totals: a count is repeated only after a transaction that wrote has ended.
//!
//! The server tags a total with the snapshot and the process of the count. The next list sends the tagged
//! total, and the server compares: a snapshot of the same id has the same rows, unless the server crashed in
//! between. A process that answered before the count and still answers proves that it did not. Both hold only for
//! tables that only transactions of this server change ([`IS_CACHEABLE`]).

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use hashlink::LruCache;
use resource_model::error::DatabaseResult;
use resource_model::schema::Identifier;
use resource_sql::{CachedTotal, Matching, PageQuery};
use sqlx::PgConnection;

use crate::locked::locked;
use crate::store::postgres::PostgresDatabase;
use crate::store::postgres::last_fault::LastFault;

/// Number of cached totals, and of quick pages.
const CAPACITY: usize = 64;

/// Time after which an unused total expires.
const EXPIRES_AFTER: Duration = Duration::from_secs(10);

/// Duration of a list above which it pays to check at once whether its tables can be cached. A quick list takes longer than
/// its count where the server is busy, and must not add to that.
const WORTH_CHECKING: Duration = Duration::from_millis(20);

/// Length in bytes above which the list of process ids starts anew: room for some 500 ids.
const MAX_PROCESS_IDS_LENGTH: usize = 4096;

/// Tests whether all tables are ordinary ones, or have ordinary partitions, in the server's own storage (the access
/// method with the object id 2). Only for these is every change a transaction of this server. A view or a row
/// security policy may depend on the clock, a foreign table and tables distributed by an extension are
/// elsewhere, and a temporary table hides the one that other sessions see.
///
/// DDL that changes the result of this test is a transaction that writes, too, and so invalidates totals.
const IS_CACHEABLE: &str = r"
    SELECT to_regclass('pg_dist_partition') IS NULL AND NOT EXISTS (
        SELECT FROM unnest($1::text[]) AS served (name)
        LEFT JOIN pg_class AS stored ON stored.oid = to_regclass(served.name)
        WHERE CASE stored.relkind
            WHEN 'r' THEN stored.relam <> 2 OR stored.relhassubclass
            WHEN 'p' THEN EXISTS (
                SELECT FROM pg_partition_tree(stored.oid) AS part
                JOIN pg_class AS leaf ON leaf.oid = part.relid
                WHERE part.isleaf AND (leaf.relkind <> 'r' OR leaf.relam <> 2))
            ELSE TRUE
        END OR stored.relpersistence = 't' OR row_security_active(stored.oid)
    )";

/// The cached totals of a database.
#[derive(Debug)]
pub(in crate::store::postgres) struct Totals {
    cache: Mutex<Cache>,
    last_fault: Arc<LastFault>,
}

#[derive(Debug)]
struct Cache {
    entries: LruCache<Arc<Matching>, Entry>,
    /// Pages that were quick, each with its snapshot.
    quick_pages: LruCache<Arc<PageQuery>, String>,
    /// Server processes that have answered so far.
    seen: Arc<Processes>,
}

#[derive(Debug, Clone)]
struct Entry {
    total: Arc<CachedTotal>,
    /// The start of the list that used the total last.
    used_at: Instant,
    /// True where only transactions change the total; none while the tables are not checked.
    is_cacheable: Option<bool>,
    /// True if the last count ran in the same snapshot as the one before it, or a comparison has confirmed the total
    /// since; only another count makes it false.
    is_likely_valid: bool,
}

/// The state of the cache when a list started. The list's count is compared with this state and not with
/// later entries: after a crash, a newer process may see fewer rows in a snapshot of the same id.
#[derive(Debug)]
pub(super) struct CacheState {
    at: Instant,
    seen: Arc<Processes>,
    last: Option<Entry>,
}

/// Processes of one server, which is identified by its start time.
#[derive(Debug, Clone, Default)]
struct Processes {
    server: String,
    /// The ids, each between two spaces.
    ids: String,
}

impl Totals {
    pub(in crate::store::postgres) fn new(last_fault: Arc<LastFault>) -> Self {
        Self {
            cache: Mutex::new(Cache {
                entries: LruCache::new(CAPACITY),
                quick_pages: LruCache::new(CAPACITY),
                seen: Arc::default(),
            }),
            last_fault,
        }
    }

    /// The state of the cache for a list that starts now.
    pub(super) fn look_up(&self, matching: &Matching) -> CacheState {
        // Before the lock: a fault that is recorded meanwhile then counts as later than the list.
        let at = Instant::now();
        let mut cache = locked(&self.cache);
        let seen = cache.seen.clone();
        let last = self.current(&mut cache, matching).cloned();
        CacheState { at, seen, last }
    }

    /// Records a process of the server, by its id and that of its snapshot, before any total that it is to confirm.
    pub(in crate::store::postgres) fn add_process(&self, process_and_snapshot: &str) {
        if let Some((process, snapshot)) = process_and_snapshot.split_once(' ') {
            let mut cache = locked(&self.cache);
            cache.seen = Processes::with(cache.seen.clone(), process, snapshot);
        }
    }

    /// Tests whether a page was quick in the snapshot of this total: it is again while nothing changes.
    pub(super) fn was_quick(&self, page: &Arc<PageQuery>, total: &CachedTotal) -> bool {
        let mut cache = locked(&self.cache);
        let snapshot = cache.quick_pages.get(page);
        snapshot.is_some_and(|it| *it == total.snapshot)
    }

    pub(super) fn remember_quick(&self, page: &Arc<PageQuery>, total: &CachedTotal) {
        let mut cache = locked(&self.cache);
        let snapshot = total.snapshot.clone();
        cache.quick_pages.insert(Arc::clone(page), snapshot);
    }

    /// Caches a total, unless the server tagged it with no snapshot, as a standby does.
    pub(super) fn remember(
        &self,
        matching: &Arc<Matching>,
        tagged: String,
        lookup: CacheState,
        is_cacheable: Option<bool>,
    ) {
        let Some((process, snapshot)) = tag(&tagged) else {
            return;
        };
        let mut cache = locked(&self.cache);
        // The server repeated the text that it was sent instead of counting: the cached total still holds.
        if lookup.is_confirmed_by(&tagged) {
            if let Some(entry) = self.current(&mut cache, matching) {
                // The start of the list and not now: a fault in between has made the total doubtful.
                entry.used_at = lookup.at;
                entry.is_likely_valid = true;
                // One of the older processes has answered, so that the server had not crashed until then. Those that
                // answered before it are as good as older ones from then on.
                let older = Processes::with(lookup.seen, process, snapshot);
                if entry.total.tagged == tagged && entry.total.processes != older.ids {
                    let processes = &mut Arc::make_mut(&mut entry.total).processes;
                    processes.clone_from(&older.ids);
                }
            }
            return;
        }
        // Two counts in one snapshot show that nobody is writing at the moment.
        let is_likely_valid = lookup.is_unchanged(&tagged);
        cache.seen = Processes::with(cache.seen.clone(), process, snapshot);
        // Only processes that answered before the list started are certainly older than the total.
        let older = Processes::with(lookup.seen, process, snapshot);
        let total = CachedTotal {
            snapshot: snapshot.to_owned(),
            processes: older.ids.clone(),
            tagged,
        };
        let entry = Entry {
            is_likely_valid,
            total: Arc::new(total),
            used_at: lookup.at,
            is_cacheable,
        };
        cache.entries.insert(Arc::clone(matching), entry);
    }

    /// The entry, unless it has expired or a fault of the server came after it.
    fn current<'cache>(
        &self,
        cache: &'cache mut Cache,
        matching: &Matching,
    ) -> Option<&'cache mut Entry> {
        // An expired entry stays stored until it is replaced or evicted, which needs no timer.
        let entry = cache.entries.get_mut(matching)?;
        let is_recent = entry.used_at.elapsed() < EXPIRES_AFTER;
        (is_recent && !self.last_fault.is_stale(entry.used_at)).then_some(entry)
    }
}

impl CacheState {
    /// The last total, if only transactions change it. The server decides whether it is still right.
    pub(super) fn usable(&self) -> Option<&CachedTotal> {
        let last = self.last.as_ref()?;
        (last.is_cacheable == Some(true)).then_some(&last.total)
    }

    /// The same, if it is probably still right, so that the list can rely on it first. One that no list has confirmed yet may
    /// be of tables that change all the time.
    pub(super) fn likely(&self) -> Option<&Arc<CachedTotal>> {
        let last = self.last.as_ref().filter(|it| it.is_likely_valid)?;
        (last.is_cacheable == Some(true)).then_some(&last.total)
    }

    fn is_confirmed_by(&self, tagged: &str) -> bool {
        self.usable().is_some_and(|total| total.tagged == tagged)
    }

    /// The result of the last check of the tables, if it holds for this total. A cacheable total must be the same in
    /// all parts, since another process may see fewer rows in a snapshot of the same id.
    pub(super) fn is_cacheable(&self, tagged: &str) -> Option<bool> {
        let is_cacheable = self.last.as_ref()?.is_cacheable;
        is_cacheable.filter(|is_cacheable| {
            // That tables are not cacheable is no matter of one process: the same snapshot is enough.
            self.is_confirmed_by(tagged) || !is_cacheable && self.is_unchanged(tagged)
        })
    }

    /// Tests whether a check of the tables pays: the list took longer than the check does, or nothing has changed
    /// since the last count.
    pub(super) fn is_worth_checking(&self, tagged: &str) -> bool {
        // On a standby nothing can be cached, whatever the tables are.
        tag(tagged).is_some() && (self.at.elapsed() >= WORTH_CHECKING || self.is_unchanged(tagged))
    }

    fn is_unchanged(&self, tagged: &str) -> bool {
        let last = self.last.as_ref().map(|it| it.total.snapshot.as_str());
        tag(tagged).is_some_and(|(_, snapshot)| last == Some(snapshot))
    }
}

impl Processes {
    /// Adds a process of the server of this snapshot. Another server, after a failover, starts a new list.
    fn with(mut these: Arc<Self>, process: &str, snapshot: &str) -> Arc<Self> {
        // The start time of the server has spaces itself, the transaction numbers after it have none.
        let server = snapshot.rsplit_once(' ').map_or("", |(server, _)| server);
        // A list that is too long starts anew as well: forgotten processes only cost a count.
        if these.server != server || these.ids.len() > MAX_PROCESS_IDS_LENGTH {
            these = Arc::new(Self {
                server: server.to_owned(),
                ids: " ".to_owned(),
            });
        }
        // With both spaces, or the process 8 would be found in 18.
        if !these.ids.contains(&format!(" {process} ")) {
            // Lookups of running lists keep the list as it was when they started.
            let ids = &mut Arc::make_mut(&mut these).ids;
            ids.push_str(process);
            ids.push(' ');
        }
        these
    }
}

/// The process id and the snapshot id (start time of the server, then its snapshot) after a total; none on a standby.
fn tag(tagged: &str) -> Option<(&str, &str)> {
    let (_, tag) = tagged.split_once(' ')?;
    tag.split_once(' ')
}

impl PostgresDatabase {
    /// Tests whether a count of these tables changes only by transactions that write.
    pub(super) async fn is_cacheable(
        &self,
        connection: &mut PgConnection,
        tables: &[Identifier],
    ) -> DatabaseResult<bool> {
        let tables: Vec<String> = tables.iter().map(|it| it.quoted()).collect();
        let query = sqlx::query_scalar(IS_CACHEABLE).bind(tables);
        self.timeout.run(query.fetch_one(connection)).await
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::time::{Duration, Instant};

    use resource_model::query::ListParameters;
    use resource_model::samples::{Person, asked};
    use resource_sql::{self, Dialect, Matching};

    use super::{CacheState, EXPIRES_AFTER, LastFault, Totals};
    use crate::ApiResource as _;
    use crate::authorization::View;

    fn count() -> Arc<Matching> {
        let view = View::unrestricted(Person::DEFINITION);
        let query = asked(view, &ListParameters::default());
        resource_sql::page(Dialect::Postgres, view, &query).matching
    }

    /// The total 7 with the tag of a process of a server that started today at noon.
    fn tagged(process: u32, snapshot: &str) -> String {
        format!("7 {process} today at noon {snapshot}")
    }

    fn remember(totals: &Totals, lookup: CacheState, process: u32, snapshot: &str) {
        totals.remember(&count(), tagged(process, snapshot), lookup, Some(true));
    }

    fn processes(totals: &Totals) -> String {
        let lookup = totals.look_up(&count());
        lookup.usable().expect("a total").processes.clone()
    }

    #[test]
    fn total_is_likely_valid_after_two_counts_in_one_snapshot() {
        let totals = Totals::new(Arc::default());
        assert_eq!(totals.look_up(&count()).usable(), None);
        for (snapshot, is_likely_valid) in [("5:5:", false), ("5:5:", true), ("6:6:", false)] {
            remember(&totals, totals.look_up(&count()), 8, snapshot);
            let lookup = totals.look_up(&count());
            assert_eq!(
                lookup.usable().map(|it| it.tagged.clone()),
                Some(tagged(8, snapshot))
            );
            assert_eq!(
                totals.look_up(&count()).likely().is_some(),
                is_likely_valid,
                "{snapshot}"
            );
        }
    }

    #[test]
    fn total_is_usable_once_its_tables_are_cacheable() {
        let totals = Totals::new(Arc::default());
        let (first, second) = (tagged(8, "5:5:"), tagged(9, "5:5:"));
        for (is_cacheable, for_same_process, for_other_process) in [
            (None, None, None),
            (Some(false), Some(false), Some(false)),
            (Some(true), Some(true), None),
        ] {
            totals.remember(
                &count(),
                first.clone(),
                totals.look_up(&count()),
                is_cacheable,
            );
            let lookup = totals.look_up(&count());
            assert_eq!(lookup.usable().is_some(), is_cacheable == Some(true));
            assert!(lookup.is_worth_checking(&second), "nothing has changed");
            assert_eq!(lookup.is_cacheable(&first), for_same_process);
            assert_eq!(lookup.is_cacheable(&second), for_other_process);
            assert_eq!(lookup.is_cacheable(&tagged(8, "6:6:")), None);
        }
    }

    #[test]
    fn total_of_a_standby_is_not_cached() {
        let totals = Totals::new(Arc::default());
        for _ in 0..2 {
            let lookup = totals.look_up(&count());
            assert!(!lookup.is_worth_checking("7"));
            totals.remember(&count(), "7".into(), lookup, Some(true));
        }
        assert_eq!(totals.look_up(&count()).usable(), None);
    }

    #[test]
    fn total_holds_for_older_processes_only() {
        let totals = Totals::new(Arc::default());
        remember(&totals, totals.look_up(&count()), 8, "5:5:");
        let early = totals.look_up(&count());
        remember(&totals, totals.look_up(&count()), 9, "5:5:");
        assert_eq!(processes(&totals), " 8 9 ");
        // Process 9 answered only after this lookup, so it may be newer than the total.
        remember(&totals, early, 8, "6:6:");
        assert_eq!(processes(&totals), " 8 ");
        remember(&totals, totals.look_up(&count()), 8, "7:7:");
        assert_eq!(processes(&totals), " 8 9 ");
        let elsewhere = "7 8 today at one 7:7:".to_owned();
        totals.remember(&count(), elsewhere, totals.look_up(&count()), Some(true));
        assert_eq!(processes(&totals), " 8 ");
    }

    #[test]
    fn confirmed_total_holds_for_all_that_answered_before() {
        let totals = Totals::new(Arc::default());
        remember(&totals, totals.look_up(&count()), 8, "5:5:");
        let early = totals.look_up(&count());
        totals.add_process("9 today at noon 5:5:");
        assert_eq!(processes(&totals), " 8 ");
        // Process 9 may be newer than a crash that this confirmation does not exclude.
        remember(&totals, early, 8, "5:5:");
        assert_eq!(processes(&totals), " 8 ");
        remember(&totals, totals.look_up(&count()), 8, "5:5:");
        assert_eq!(processes(&totals), " 8 9 ");
        totals.add_process("7 today at one 5:5:");
        remember(&totals, totals.look_up(&count()), 8, "5:5:");
        assert_eq!(processes(&totals), " 8 ");
    }

    #[test]
    fn page_is_quick_in_one_snapshot() {
        let totals = Totals::new(Arc::default());
        let view = View::unrestricted(Person::DEFINITION);
        let query = asked(view, &ListParameters::default());
        let page = Arc::new(resource_sql::page(Dialect::Postgres, view, &query));
        for (snapshot, is_quick) in [("5:5:", false), ("5:5:", true), ("6:6:", false)] {
            remember(&totals, totals.look_up(&count()), 8, snapshot);
            let lookup = totals.look_up(&count());
            let total = lookup.usable().expect("a total");
            assert_eq!(totals.was_quick(&page, total), is_quick, "{snapshot}");
            totals.remember_quick(&page, total);
        }
    }

    #[test]
    fn total_expires_by_time_and_by_a_fault() {
        let last_fault = Arc::new(LastFault::default());
        let totals = Totals::new(last_fault.clone());
        let mut lookup = totals.look_up(&count());
        let long_ago = Instant::now().checked_sub(EXPIRES_AFTER + Duration::from_secs(1));
        lookup.at = long_ago.unwrap();
        remember(&totals, lookup, 8, "5:5:");
        assert_eq!(totals.look_up(&count()).usable(), None);
        remember(&totals, totals.look_up(&count()), 8, "5:5:");
        assert!(totals.look_up(&count()).usable().is_some());
        last_fault.record_fault();
        assert_eq!(totals.look_up(&count()).usable(), None);
        assert!(totals.look_up(&count()).likely().is_none());
    }
}
