use rusqlite::{Connection, params_from_iter};

use super::stepped::prepare;
use crate::execute::recent::Recent;
use crate::plan::Statement;

/// How many totals a reader remembers.
const REMEMBERED: usize = 64;

/// What a reader has counted since it last saw the database change: a count of all rows costs a
/// hundred times what a page does.
#[derive(Debug)]
pub(super) struct Totals {
    version: i64,
    counted: Recent<Statement, i64>,
}

impl Totals {
    pub(super) const fn new() -> Self {
        Self {
            version: 0,
            counted: Recent::new(REMEMBERED),
        }
    }

    /// What `count` counts in the snapshot that `connection` is within.
    pub(super) fn total(
        &mut self,
        connection: &Connection,
        count: &Statement,
    ) -> rusqlite::Result<i64> {
        // What anybody else has committed before the snapshot began, of this process or of
        // another, changes it; a reader itself commits nothing.
        let version = connection
            .prepare_cached("PRAGMA data_version")?
            .query_row([], |row| row.get(0))?;
        if self.version != version {
            self.version = version;
            self.counted.clear();
        }
        if let Some(total) = self.counted.get(count) {
            return Ok(*total);
        }
        let total = prepare(connection, count)?
            .query_row(params_from_iter(count.binds()), |row| row.get(0))?;
        self.counted.add(count.clone(), total);
        Ok(total)
    }
}
