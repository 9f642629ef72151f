use std::collections::VecDeque;

use rusqlite::{Connection, params_from_iter};

use super::stepped::prepare;
use crate::plan::Statement;

/// How many totals a reader remembers.
const REMEMBERED: usize = 64;

/// What a reader has counted since it last saw the database change: a count of all rows costs a
/// hundred times what a page does.
#[derive(Debug, Default)]
pub(super) struct Totals {
    version: i64,
    counted: VecDeque<(Statement, i64)>,
}

impl Totals {
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
        let mut counted = self.counted.iter();
        if let Some((_, total)) = counted.find(|(known, _)| known == count) {
            return Ok(*total);
        }
        let total = prepare(connection, count)?
            .query_row(params_from_iter(count.binds()), |row| row.get(0))?;
        self.counted.truncate(REMEMBERED - 1);
        self.counted.push_front((count.clone(), total));
        Ok(total)
    }
}
