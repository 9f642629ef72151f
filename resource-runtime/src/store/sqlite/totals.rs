//! Totals that a reader has counted.

use resource_model::error::DatabaseResult;
use resource_sql::Statement;
use rusqlite::Connection;

use super::failure::of_reader;
use super::row::bound;
use crate::store::lru_cache::LruCache;

/// How many totals a reader remembers.
const REMEMBERED: usize = 64;

/// Pages of a file whose tables are counted where a request is. SQLite counts the rows of a table page
/// by page and is not asked meanwhile whether it takes too long: so many take well below a millisecond.
const COUNTED_IN_PLACE: i64 = 256;

/// What a reader has counted since it last saw the database change: a count of all rows costs a
/// hundred times what a page does.
#[derive(Debug)]
pub(super) struct Totals {
    version: i64,
    counted: LruCache<Statement, i64>,
}

impl Totals {
    pub(super) const fn new() -> Self {
        Self {
            version: 0,
            counted: LruCache::new(REMEMBERED),
        }
    }

    /// What was counted of what the snapshot holds that `connection` is within.
    pub(super) fn remembered(
        &mut self,
        connection: &Connection,
        count: &Statement,
    ) -> DatabaseResult<Option<i64>> {
        // What anybody else has committed before the snapshot began, of this process or of
        // another, changes it; a reader itself commits nothing.
        let version = number(connection, "PRAGMA data_version")?;
        if self.version != version {
            self.version = version;
            self.counted.clear();
        }
        Ok(self.counted.get(count).copied())
    }

    pub(super) fn remember(&mut self, count: &Statement, total: i64) {
        self.counted.add(count.clone(), total);
    }
}

/// Tests that a count takes little, or can be interrupted: what has conditions is stepped row by row.
pub(super) fn is_brief(connection: &Connection, count: &Statement) -> DatabaseResult<bool> {
    Ok(!count.binds().is_empty() || number(connection, "PRAGMA page_count")? <= COUNTED_IN_PLACE)
}

pub(super) fn counted(connection: &Connection, count: &Statement) -> DatabaseResult<i64> {
    let counted = connection
        .prepare_cached(count.text())
        .and_then(|mut it| it.query_row(bound(count.binds()), |row| row.get(0)));
    counted.map_err(of_reader)
}

fn number(connection: &Connection, question: &'static str) -> DatabaseResult<i64> {
    let told = connection
        .prepare_cached(question)
        .and_then(|mut it| it.query_row([], |row| row.get(0)));
    told.map_err(of_reader)
}
