//! A reading connection with its cache of totals.

use std::cell::RefCell;
use std::path::Path;
use std::sync::Arc;

use resource_model::error::{DatabaseFailure, DatabaseResult};
use resource_sql::{Matching, PageQuery, Statement};
use rusqlite::Connection;

use super::interrupt::timeout_failure;
use super::progress::Progress;
use crate::store::sqlite::connect::{self, command};
use crate::store::sqlite::failure::of_reader;
use crate::store::sqlite::followed_totals::{FollowedTotals, Known, Moment};
use crate::store::sqlite::row::bound;
use crate::store::sqlite::totals::{self, Totals};
use crate::store::{DatabaseOptions, RowVisitor};

/// A reading connection.
#[derive(Debug)]
pub(in crate::store::sqlite) struct Reader {
    pub(in crate::store::sqlite) connection: Connection,
    // One thread at a time uses a reader, so its parts need no locks.
    totals: RefCell<Totals>,
    followed: Arc<FollowedTotals>,
    /// The progress of the read on a thread; none for an inline read, which blocks other tasks.
    pub(super) progress: RefCell<Option<Arc<Progress>>>,
}

/// A read transaction, rolled back when it is dropped.
pub(in crate::store::sqlite) struct Snapshot<'reader>(&'reader Connection);

impl Reader {
    pub(super) fn open(
        file: &Path,
        options: &DatabaseOptions,
        followed: &Arc<FollowedTotals>,
    ) -> rusqlite::Result<Self> {
        let connection = connect::open(file, options)?;
        // The connection is opened for writes, which WAL mode needs; no statement of a reader is one.
        connection.pragma_update(None, "query_only", true)?;
        Ok(Self::of(connection, Arc::clone(followed)))
    }

    pub(super) fn of(connection: Connection, followed: Arc<FollowedTotals>) -> Self {
        Self {
            connection,
            totals: RefCell::new(Totals::new()),
            followed,
            progress: RefCell::new(None),
        }
    }

    /// Lends the rows of `statement` to `visitor`; returns their number.
    pub(super) fn rows(
        &self,
        statement: &Statement,
        visitor: &mut dyn RowVisitor,
    ) -> DatabaseResult<u64> {
        let prepared = self.connection.prepare_cached(statement.text());
        let mut prepared = prepared.map_err(of_reader)?;
        // The visitor encodes each row as SQLite steps to it, so no page of values is collected.
        let rows = prepared.query(bound(statement.binds()));
        let mut rows = rows.map_err(of_reader)?;
        let mut visited = 0;
        while let Some(row) = rows.next().map_err(of_reader)? {
            visitor.visit(row)?;
            visited += 1;
        }
        Ok(visited)
    }

    /// Lends the rows of a page to `visitor`, and returns the total of the same snapshot.
    pub(super) fn page(
        &self,
        read: &PageQuery,
        visitor: &mut dyn RowVisitor,
    ) -> DatabaseResult<u64> {
        let moment = self.followed.moment();
        // A commit between the rows and the count would give a total that does not fit the rows.
        let snapshot = Snapshot::begin(&self.connection).map_err(of_reader)?;
        // A client that asks for the total alone gets no rows.
        let rows = match &read.rows {
            Some(statement) => self.rows(statement, visitor)?,
            None => 0,
        };
        // A page that reaches the end of the list saves the count, which costs far more than the page.
        if let Some(total) = read.total_from_row_count(rows) {
            return Ok(total);
        }
        let total = self.total(snapshot.0, &read.matching, moment)?;
        u64::try_from(total).map_err(DatabaseFailure::internal)
    }

    /// The total in the snapshot, which began after the `moment`. Fails for an inline read whose count may be long, which
    /// then moves to a thread.
    fn total(
        &self,
        snapshot: &Connection,
        matching: &Matching,
        moment: Moment,
    ) -> DatabaseResult<i64> {
        let (mut totals, count) = (self.totals.borrow_mut(), &matching.count());
        if !matching.has_views
            && let Some(total) = totals.get(snapshot, count)?
        {
            return Ok(total);
        }
        let table = matching.whole_table;
        let known = table.map_or(Known::Nothing, |it| self.followed.known(it, moment));
        let run = || totals::count(snapshot, count);
        // A count of all rows never calls the progress handler; on a thread, the request can interrupt it.
        let total = match (known, &*self.progress.borrow()) {
            (Known::Total(total), _) => total,
            (_, Some(progress)) => progress.run_count(snapshot, run)?,
            (_, None) if totals::may_count_inline(snapshot, count)? => run()?,
            (_, None) => return Err(timeout_failure()),
        };
        if let Some(table) = table {
            self.followed.learn(snapshot, table, known, total)?;
        }
        if !matching.has_views {
            totals.add(count, total);
        }
        Ok(total)
    }
}

impl<'reader> Snapshot<'reader> {
    pub(in crate::store::sqlite) fn begin(
        connection: &'reader Connection,
    ) -> rusqlite::Result<Self> {
        // Created before BEGIN, since a BEGIN that is interrupted at its end fails and has begun all the same.
        let snapshot = Self(connection);
        command(connection, "BEGIN")?;
        Ok(snapshot)
    }
}

impl Drop for Snapshot<'_> {
    fn drop(&mut self) {
        // BEGIN has failed, or SQLite has ended the transaction because of an error.
        if self.0.is_autocommit() {
            return;
        }
        // Without this, the progress handler of the read could interrupt the ROLLBACK.
        let unbounded = self.0.progress_handler(0, None::<fn() -> bool>);
        if let Err(error) = unbounded.and_then(|()| command(self.0, "ROLLBACK")) {
            tracing::error!(%error, "a read transaction cannot be rolled back");
        }
    }
}
