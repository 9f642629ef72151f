//! The interface of a database driver: statements in, rows and classes of failure out.
//!
//! [`DatabaseFailure`] documents the guarantee of each class of failure. A driver keeps these guarantees, and
//! retries by itself where they allow it. A further database needs:
//!
//! - a folder beside this file with an implementation of these two traits, and a feature;
//! - its URL scheme in [`Database::open`](super::Database::open), and in [`Dialect::of_url`] for the command line;
//! - a [`Dialect`], which the compiler then demands wherever databases differ;
//! - the errors of the developer's own statements in [`transient_failure`](super::transaction::transient_failure), and
//!   a method that lends its connection, like [`DriverTransaction::postgres`].

use std::borrow::Borrow;
use std::fmt;
use std::sync::Arc;

use resource_model::error::{DatabaseFailure, DatabaseResult, Violation};
use resource_model::schema::{Identifier, ResourceDefinition, StoredTable, Table};
use resource_model::value::Key;
use resource_sql::{Batch, Dialect, PageQuery, Statement};

#[cfg(feature = "metrics")]
use super::PoolStats;
use super::RowVisitor;
use crate::boxed::BoxFuture;

/// Creates the visitor of each attempt, since a visitor that has seen rows cannot start again.
pub(crate) type Visitors = Box<dyn Fn() -> Box<dyn RowVisitor> + Send + Sync>;

/// A visitor that has seen all rows, and a number: the total of a page, else the number of rows.
pub(crate) type Visited = (Box<dyn RowVisitor>, u64);

/// The future of a driver's method.
pub(crate) type DbFuture<'made, T> = BoxFuture<'made, DatabaseResult<T>>;

/// The isolation level of a transaction on PostgreSQL. On SQLite, every transaction runs alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Isolation {
    /// Each statement sees the commits before its own beginning: for steps that lock the items which they read, by
    /// [`get_for_update`](crate::Items::get_for_update).
    ReadCommitted,
    /// The transaction runs as if it were alone, or fails and can be retried.
    Serializable,
}

/// The kind of a transaction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TransactionKind {
    /// One that writes.
    Write(Isolation),
    /// A change of tables: read committed, and the service waits for a statement however long it takes; the server's
    /// own timeout remains.
    SchemaChange,
    /// One that reads a snapshot, writes nothing, and keeps no writer waiting.
    Snapshot,
}

/// A transaction in which each statement sees the newest commits.
pub(crate) const READ_COMMITTED: TransactionKind = TransactionKind::Write(Isolation::ReadCommitted);

/// The kind of a read, by which long reads leave connections to short ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ReadKind {
    /// Rows by their keys, which are certainly quick.
    FewKeys,
    /// A row or few rows.
    Item,
    /// As many rows as there are.
    List,
}

/// A database driver.
pub(crate) trait Driver: fmt::Debug + Send + Sync {
    /// The SQL dialect of the database.
    fn dialect(&self) -> Dialect;

    /// Lends the rows of a statement to a visitor.
    fn read(
        &self,
        statement: Statement,
        kind: ReadKind,
        visitors: Visitors,
    ) -> DbFuture<'_, Visited>;

    /// Lends the rows of a page to a visitor, and returns the total of the same snapshot.
    fn page(self: Arc<Self>, page: PageQuery, visitors: Visitors) -> DbFuture<'static, Visited>;

    /// Begins a transaction.
    fn begin(&self, kind: TransactionKind) -> DbFuture<'_, Box<dyn DriverTransaction>>;

    /// A transaction of one change, which the driver may commit with the change itself. After a change that
    /// succeeded, `commit` is called in either case, and has nothing to do where the driver has committed already.
    /// Queries, such as those that explain a refusal, begin a transaction, which all of them share.
    fn begin_single(&self) -> Box<dyn DriverTransaction>;

    /// The stored table for each of `tables`; none where it is missing.
    fn stored_tables<'a>(&'a self, tables: &'a [Table]) -> DbFuture<'a, Vec<Option<StoredTable>>>;

    /// The names of all tables and views; on PostgreSQL those of the first schema of the search path.
    #[cfg(feature = "catalogue")]
    fn table_names(&self) -> DbFuture<'_, Vec<String>>;

    /// The writes for which a trigger of the table may drop the row or store it elsewhere, unless the driver
    /// undoes such a write by itself.
    fn diverted_writes(&self, table: Identifier) -> DbFuture<'_, DivertedWrites>;

    /// Fails if the database does not answer, or its file is not at its path.
    fn ping(&self) -> DbFuture<'_, ()>;

    /// Fails if the database answers but takes no writes.
    fn takes_writes(&self) -> DbFuture<'_, ()>;

    /// Statistics of the connection pools.
    #[cfg(feature = "metrics")]
    fn pools(&self) -> Vec<PoolStats>;
}

/// A transaction of a driver. Dropping it before the commit rolls it back. A failed or
/// cancelled statement also rolls a begun transaction back, and all later statements fail. After a failed single
/// change for which no transaction was begun, further statements are accepted: they explain the refusal.
pub(crate) trait DriverTransaction: fmt::Debug + Send + Sync {
    /// Inserts a row and returns its key; none if a referenced row is missing, or a trigger dropped the row or
    /// stored it elsewhere.
    fn insert(
        &mut self,
        statement: Statement,
        definition: &'static ResourceDefinition,
    ) -> DbFuture<'_, Option<Key>>;

    /// Inserts the rows of a batch and returns their keys in the same order, all of them or none. Without a begun
    /// transaction the batch is one of its own, which `commit` ends.
    fn insert_batch<'a>(
        &'a mut self,
        batch: &Arc<Batch>,
        definition: &'static ResourceDefinition,
    ) -> BoxFuture<'a, Result<Vec<Key>, BatchFailure>>;

    /// Executes any other statement; returns the number of changed rows.
    fn execute(&mut self, statement: Statement) -> DbFuture<'_, u64>;

    /// Lends all rows of a statement to a visitor; returns their number. A row that it refuses ends the transaction,
    /// too.
    fn rows<'a>(
        &'a mut self,
        statement: Statement,
        visitor: &'a mut dyn RowVisitor,
    ) -> DbFuture<'a, usize>;

    /// The key of a row that a trigger stored elsewhere in this transaction, if it can be found: `chosen`,
    /// the key that the inserted record named, or the last key that the database assigned.
    fn key_stored_elsewhere<'a>(
        &'a mut self,
        definition: &'a ResourceDefinition,
        chosen: Option<Key>,
    ) -> DbFuture<'a, Option<Key>>;

    /// The stored table for each of `tables` as the transaction sees it, on SQLite as it was before the transaction;
    /// none where it is missing.
    fn stored_tables<'a>(
        &'a mut self,
        tables: &'a [Table],
    ) -> DbFuture<'a, Vec<Option<StoredTable>>>;

    /// Rolls back because of `failure`, which later statements report.
    fn roll_back(&mut self, failure: &DatabaseFailure);

    /// Commits; the future resolves once all changes are durable.
    fn commit(self: Box<Self>) -> DbFuture<'static, ()>;

    /// The connection, for the developer's SQL; none on another database, and once the transaction has ended.
    #[cfg(feature = "sqlite")]
    fn sqlite(&mut self) -> Option<&mut sqlx::SqliteConnection> {
        None
    }

    /// The PostgreSQL counterpart of [`sqlite`](Self::sqlite).
    #[cfg(feature = "postgres")]
    fn postgres(&mut self) -> Option<&mut sqlx::PgConnection> {
        None
    }
}

/// The failure of a batch, of which no row is stored.
#[derive(Debug)]
pub(crate) struct BatchFailure {
    /// The index of the row that failed; none for a failure of the batch as a whole.
    pub(crate) row: Option<usize>,
    pub(crate) failure: DatabaseFailure,
}

impl BatchFailure {
    pub(super) const fn of_row(row: usize, failure: DatabaseFailure) -> Self {
        let row = Some(row);
        Self { row, failure }
    }

    /// The failure of a row for which the database returned no key.
    pub(crate) fn without_key(row: usize) -> Self {
        let words = "it dropped the row, or stored it elsewhere, without an error";
        let violation = Violation::Trigger(words.to_owned());
        Self::of_row(row, DatabaseFailure::constraint_violation(violation))
    }
}

impl Borrow<DatabaseFailure> for BatchFailure {
    fn borrow(&self) -> &DatabaseFailure {
        &self.failure
    }
}

impl From<DatabaseFailure> for BatchFailure {
    fn from(failure: DatabaseFailure) -> Self {
        Self { row: None, failure }
    }
}

impl From<BatchFailure> for DatabaseFailure {
    fn from(failed: BatchFailure) -> Self {
        failed.failure
    }
}

/// The writes for which a trigger may drop the row or store it elsewhere.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct DivertedWrites {
    pub(crate) inserts: bool,
    pub(crate) updates: bool,
    pub(crate) deletes: bool,
}
