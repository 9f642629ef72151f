//! Totals of whole tables that follow what this process commits, so that a change costs no new count.

use std::collections::HashMap;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use resource_model::error::DatabaseResult;
use resource_model::schema::Identifier;
use rusqlite::Connection;
use rusqlite::hooks::Action;

use super::failure::of_reader;
use super::totals::{data_version, number};
use super::{DatabaseOptions, connect};
use crate::locked::locked;

/// Rows of the smallest table that is followed: fewer are counted in a few microseconds.
const MIN_ROWS: i64 = 1000;

/// Group commits that are followed after a reader has asked. All of them together take less time than a count of the
/// tables that matter.
const FOLLOWED_COMMITS: u32 = 64;

/// Tests whether SQLite reports each row that comes to a table or goes from it. It reports none of tables without rowids,
/// none that a conflict clause replaces, and not those that a trigger deletes without a condition.
const IS_REPORTED: &str = "
    SELECT CASE WHEN EXISTS (SELECT 1 FROM sqlite_schema WHERE type = 'trigger') THEN 0 ELSE EXISTS (
        SELECT 1 FROM pragma_table_list(?1) AS list JOIN sqlite_schema AS made ON made.name = list.name
        WHERE list.schema = 'main' AND list.type = 'table' AND NOT list.wr AND made.sql NOT LIKE '%replace%'
    ) END";

/// The totals of tables, as of the last commit of this process.
///
/// A reader looks at the number of publications before its snapshot begins, and again afterwards: if it is still the same,
/// this process has committed nothing in between that is published. Whether others have, the reader cannot tell by its own
/// connection, but that of the committer sees its version of the data change by commits of others alone. While the
/// committer uses it, a third connection, the probe, tells: if it still sees the version that it saw after the last
/// commit, then nobody, of any process, has committed since.
#[derive(Debug)]
pub(super) struct FollowedTotals {
    /// The number of publications.
    moment: AtomicU64,
    /// Number of further commits that are followed.
    commits_left: AtomicU32,
    /// Set where the next commit is to be looked at by the probe.
    is_probe_wanted: AtomicBool,
    /// The connection of the committer, which holds it while it works on a group.
    pub(super) writer: Mutex<Connection>,
    changes: Arc<Mutex<Changes>>,
    published: Mutex<(Probe, Published)>,
}

/// A connection that only looks whether anybody has committed.
type Probe = Connection;

/// A publication.
pub(super) type Moment = u64;

#[derive(Debug, Default)]
struct Published {
    /// The version that the probe saw after the last commit, if it looked.
    version: Option<i64>,
    /// The version that the committer saw last; none once it has committed what nobody counted.
    own: Option<i64>,
    /// The publication since which each change of a table is known.
    since: Moment,
    /// By name, in small letters.
    tables: HashMap<String, Followed>,
}

/// The rows that a group of writes inserts and deletes, each with its table; none where nobody asks for totals.
type Changes = Option<Vec<(String, i64)>>;

/// The rows of a table.
#[derive(Debug, Default)]
struct Followed {
    /// Rows that have come, less those that have gone.
    change: i64,
    /// Rows that were there before, once somebody has counted.
    before: Option<i64>,
}

/// Knowledge of the total in a snapshot.
#[derive(Debug, Clone, Copy, Default)]
pub(super) enum Known {
    Total(i64),
    /// The snapshot is the published state: the rows of the table have changed by so many since a moment.
    Change(Moment, i64),
    #[default]
    Nothing,
}

impl FollowedTotals {
    /// The totals of a file that `writer` alone writes in groups.
    pub(super) fn open(
        writer: Connection,
        file: &Path,
        options: &DatabaseOptions,
    ) -> rusqlite::Result<Self> {
        let probe = connect::open(file, options)?;
        // A task of the runtime may ask, which must not wait.
        probe.busy_timeout(Duration::ZERO)?;
        probe.pragma_update(None, "query_only", true)?;
        let changes = Arc::new(Mutex::new(Changes::None));
        let reported = Arc::clone(&changes);
        writer.update_hook(Some(move |action, _: &str, table: &str, _| {
            let change = match action {
                Action::SQLITE_INSERT => 1,
                Action::SQLITE_DELETE => -1,
                _ => return,
            };
            if let Some(changes) = &mut *locked(&reported) {
                changes.push((table.to_owned(), change));
            }
        }))?;
        Ok(Self {
            moment: AtomicU64::default(),
            commits_left: AtomicU32::default(),
            is_probe_wanted: AtomicBool::default(),
            writer: Mutex::new(writer),
            changes,
            published: Mutex::new((probe, Published::default())),
        })
    }

    pub(super) fn moment(&self) -> Moment {
        // Acquire: a snapshot that begins later has at least the published commits.
        self.moment.load(Ordering::Acquire)
    }

    /// Knowledge of the rows of `table` in a snapshot that began after the `moment`, and before this call.
    pub(super) fn known(&self, table: Identifier, moment: Moment) -> Known {
        // Otherwise nobody follows the commits.
        if self.commits_left.load(Ordering::Relaxed) == 0 {
            return Known::Nothing;
        }
        let (probe, published) = &mut *locked(&self.published);
        let writer = self.writer.try_lock();
        self.is_probe_wanted
            .store(writer.is_err(), Ordering::Relaxed);
        let is_current = match (writer, published.version) {
            _ if self.moment() != moment => false,
            (Ok(writer), _) => self.is_continued(published, &writer),
            (Err(_), Some(version)) => data_version(probe).is_ok_and(|now| now == version),
            (Err(_), None) => false,
        };
        if !is_current {
            return Known::Nothing;
        }
        let (since, followed) = (published.since, published.followed(table.as_str()));
        let Some(before) = followed.before else {
            return Known::Change(since, followed.change);
        };
        self.commits_left.store(FOLLOWED_COMMITS, Ordering::Relaxed);
        Known::Total(before + followed.change)
    }

    /// Follows a table that was counted in a snapshot, where that is worth it.
    pub(super) fn learn(
        &self,
        snapshot: &Connection,
        table: Identifier,
        known: Known,
        total: i64,
    ) -> DatabaseResult<()> {
        let is_new = !matches!(known, Known::Total(_)) && total >= MIN_ROWS;
        if !is_new || number(snapshot, IS_REPORTED, [table.as_str()])? == 0 {
            return Ok(());
        }
        self.commits_left.store(FOLLOWED_COMMITS, Ordering::Relaxed);
        let (_, published) = &mut *locked(&self.published);
        // Only other connections change the schema, and their commits end what is known.
        if let Known::Change(since, change) = known
            && published.since == since
        {
            published.followed(table.as_str()).before = Some(total - change);
        }
        Ok(())
    }

    /// Begins a group.
    pub(super) fn begin(&self) {
        let one_less = |it: u32| it.checked_sub(1);
        let commits_left = &self.commits_left;
        let left = commits_left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, one_less);
        *locked(&self.changes) = left.ok().map(|_| Vec::new());
    }

    /// Executes a write of the group, and forgets its changes unless they are kept.
    pub(super) fn execute<T>(&self, write: impl FnOnce() -> T, is_kept: impl Fn(&T) -> bool) -> T {
        let before = locked(&self.changes).as_ref().map_or(0, Vec::len);
        let written = write();
        if !is_kept(&written)
            && let Some(changes) = &mut *locked(&self.changes)
        {
            changes.truncate(before);
        }
        written
    }

    /// Publishes the totals after a commit, before `writer` begins another transaction.
    pub(super) fn committed(&self, writer: &Connection) {
        let Some(changes) = locked(&self.changes).take() else {
            return self.record_unknown();
        };
        let (probe, published) = &mut *locked(&self.published);
        for (table, change) in changes {
            published.followed(&table).change += change;
        }
        published.version = None;
        // Release: whoever sees the number sees the commit.
        self.moment.fetch_add(1, Ordering::Release);
        if self.is_probe_wanted.swap(false, Ordering::Relaxed) {
            // The probe comes first: what others commit in between, it will see from then on.
            let version = data_version(probe).ok();
            if self.is_continued(published, writer) {
                published.version = version;
            }
        }
    }

    /// Records that something else may have been committed than what was counted.
    pub(super) fn record_unknown(&self) {
        locked(&self.published).1.own = None;
    }

    /// Tests whether others have committed nothing since the last test; otherwise all that is known ends.
    fn is_continued(&self, published: &mut Published, writer: &Connection) -> bool {
        let version = writer.busy_timeout(Duration::ZERO).map_err(of_reader);
        let version = version.and_then(|()| data_version(writer)).ok();
        let is_continued = version.is_some() && version == published.own;
        published.own = version;
        if !is_continued {
            published.version = None;
            published.tables.clear();
            published.since = self.moment.fetch_add(1, Ordering::Release) + 1;
        }
        is_continued
    }
}

impl Published {
    /// Names of tables differ by more than the case of ASCII letters.
    fn followed(&mut self, table: &str) -> &mut Followed {
        self.tables.entry(table.to_ascii_lowercase()).or_default()
    }
}

#[cfg(test)]
mod tests;
