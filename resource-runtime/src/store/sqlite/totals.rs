//! A reader's cache of totals.

use hashlink::LruCache;
use resource_model::error::DatabaseResult;
use resource_sql::Statement;
use rusqlite::{Connection, Params};

use super::failure::of_reader;
use super::row::bound;

/// Number of cached totals of a reader.
const CAPACITY: usize = 64;

/// Size in pages of the largest file whose tables are counted inline. SQLite does not call the progress handler during
/// a count of all rows; a file of this size takes well below a millisecond.
const MAX_INLINE_PAGES: i64 = 256;

/// Totals that a reader has counted since the database last changed: a count of all rows costs a hundred times as
/// much as a page.
#[derive(Debug)]
pub(super) struct Totals {
    version: i64,
    cache: LruCache<Statement, i64>,
}

impl Totals {
    pub(super) fn new() -> Self {
        Self {
            version: 0,
            cache: LruCache::new(CAPACITY),
        }
    }

    /// The cached total, if it holds for the snapshot of `connection`.
    pub(super) fn get(
        &mut self,
        connection: &Connection,
        count: &Statement,
    ) -> DatabaseResult<Option<i64>> {
        // The version of a snapshot tells whether another connection, of any process, has committed since the last one.
        // A reader itself commits nothing.
        let version = data_version(connection)?;
        if self.version != version {
            self.version = version;
            self.cache.clear();
        }
        Ok(self.cache.get(count).copied())
    }

    pub(super) fn add(&mut self, count: &Statement, total: i64) {
        self.cache.insert(count.clone(), total);
    }
}

/// Tests whether a count is short, or can be interrupted: one with conditions is evaluated row by row.
pub(super) fn may_count_inline(connection: &Connection, count: &Statement) -> DatabaseResult<bool> {
    // A condition that binds no value, like a test for null, falls under the limit of the size, too.
    let has_conditions = !count.binds().is_empty();
    Ok(has_conditions || number(connection, "PRAGMA page_count", [])? <= MAX_INLINE_PAGES)
}

/// Executes the statement of a count.
pub(super) fn count(connection: &Connection, count: &Statement) -> DatabaseResult<i64> {
    number(connection, count.text(), bound(count.binds()))
}

/// A number that changes with each commit of other connections, of any process, as this connection sees them.
pub(super) fn data_version(connection: &Connection) -> DatabaseResult<i64> {
    number(connection, "PRAGMA data_version", [])
}

pub(super) fn number(
    connection: &Connection,
    query: &str,
    binds: impl Params,
) -> DatabaseResult<i64> {
    let number = connection
        .prepare_cached(query)
        .and_then(|mut it| it.query_row(binds, |row| row.get(0)));
    number.map_err(of_reader)
}
