//! A connection that reads.

use std::cell::RefCell;
use std::path::Path;
use std::sync::Arc;

use resource_model::error::{DatabaseFailure, DatabaseResult};
use resource_sql::{PageQuery, Statement};
use rusqlite::Connection;

use super::interrupt::overdue;
use super::progress::Progress;
use crate::store::sqlite::connect::{self, command};
use crate::store::sqlite::failure::of_reader;
use crate::store::sqlite::row::bound;
use crate::store::sqlite::totals::{self, Totals};
use crate::store::{DatabaseOptions, RowVisitor};

/// A connection that reads, and what it knows of what it has read.
#[derive(Debug)]
pub(in crate::store::sqlite) struct Reader {
    pub(in crate::store::sqlite) connection: Connection,
    totals: RefCell<Totals>,
    /// The read that it is lent for; none where the request is, whose neighbours wait meanwhile.
    pub(super) progress: RefCell<Option<Arc<Progress>>>,
}

/// What is read within it is of one moment.
struct Snapshot<'reader>(&'reader Connection);

impl Reader {
    pub(super) fn open(file: &Path, options: &DatabaseOptions) -> rusqlite::Result<Self> {
        let connection = connect::open(file, options)?;
        connection.pragma_update(None, "query_only", true)?;
        Ok(Self::of(connection))
    }

    pub(super) fn of(connection: Connection) -> Self {
        Self {
            connection,
            totals: RefCell::new(Totals::new()),
            progress: RefCell::new(None),
        }
    }

    /// Lends the rows that `statement` finds to `visitor`; answers how many there were.
    pub(super) fn rows<V: RowVisitor>(
        &self,
        statement: &Statement,
        mut visitor: V,
    ) -> DatabaseResult<(V, u64)> {
        let prepared = self.connection.prepare_cached(statement.text());
        let mut prepared = prepared.map_err(of_reader)?;
        let rows = prepared.query(bound(statement.binds()));
        let mut rows = rows.map_err(of_reader)?;
        let mut visited = 0;
        while let Some(row) = rows.next().map_err(of_reader)? {
            visitor.visit(row)?;
            visited += 1;
        }
        Ok((visitor, visited))
    }

    /// Lends the rows of a page to `visitor`, and answers the total of the same snapshot.
    pub(super) fn page<V: RowVisitor>(
        &self,
        read: &PageQuery,
        visitor: V,
    ) -> DatabaseResult<(V, u64)> {
        let snapshot = Snapshot::begin(&self.connection).map_err(of_reader)?;
        let (visitor, rows) = match &read.rows {
            Some(statement) => self.rows(statement, visitor)?,
            None => (visitor, 0),
        };
        if let Some(total) = read.total_from_row_count(rows) {
            return Ok((visitor, total));
        }
        let total = self.total(snapshot.0, &read.matching.count())?;
        let total = u64::try_from(total).map_err(DatabaseFailure::internal)?;
        Ok((visitor, total))
    }

    /// What `count` counts in the snapshot; unavailable where that would keep the neighbours of a
    /// request waiting.
    fn total(&self, snapshot: &Connection, count: &Statement) -> DatabaseResult<i64> {
        let mut totals = self.totals.borrow_mut();
        if let Some(total) = totals.remembered(snapshot, count)? {
            return Ok(total);
        }
        let counted = || totals::counted(snapshot, count);
        let total = match &*self.progress.borrow() {
            Some(progress) => progress.counting(snapshot, counted)?,
            None if totals::is_brief(snapshot, count)? => counted()?,
            None => return Err(overdue()),
        };
        totals.remember(count, total);
        Ok(total)
    }

    /// Whether `statement` finds any row.
    pub(super) fn exists(&self, statement: &Statement) -> DatabaseResult<bool> {
        let prepared = self.connection.prepare_cached(statement.text());
        let found = prepared.and_then(|mut prepared| prepared.exists(bound(statement.binds())));
        found.map_err(of_reader)
    }
}

impl<'reader> Snapshot<'reader> {
    fn begin(connection: &'reader Connection) -> rusqlite::Result<Self> {
        // Interrupted at its very end, it has begun and fails.
        let snapshot = Self(connection);
        command(connection, "BEGIN")?;
        Ok(snapshot)
    }
}

impl Drop for Snapshot<'_> {
    fn drop(&mut self) {
        if self.0.is_autocommit() {
            return;
        }
        // Else what interrupted the read could interrupt its end.
        let unbounded = self.0.progress_handler(0, None::<fn() -> bool>);
        if let Err(error) = unbounded.and_then(|()| command(self.0, "ROLLBACK")) {
            tracing::error!(%error, "a snapshot cannot be left");
        }
    }
}
