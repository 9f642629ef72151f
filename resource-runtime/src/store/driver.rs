//! The seam between operations and databases: statements in, rows and classes of failure out.
//!
//! What each class of failure promises stands at [`DatabaseFailure`]; a driver keeps the promises, and tries
//! again by itself what it may. A further database is:
//!
//! - a folder beside this file with an implementation of these two traits, and a feature;
//! - its scheme in [`Database::open`](super::Database::open), and in [`Dialect::of_url`] for the command line;
//! - a [`Dialect`] with its words, which the compiler then asks for wherever two databases differ;
//! - the errors of the developer's own statements in [`retryable`](super::transaction::retryable), and a method that lends its
//!   connection, like [`DriverTransaction::postgres`].

use std::fmt;
use std::sync::Arc;

use resource_model::error::{DatabaseFailure, DatabaseResult};
use resource_model::schema::{Attribute, Identifier, ResourceDefinition, StoredTable, Table};
use resource_model::value::{Key, Record};
use resource_sql::{Dialect, PageQuery, Statement};

#[cfg(feature = "metrics")]
use super::PoolStats;
use super::RowVisitor;
use crate::boxed::BoxFuture;

/// Makes the visitor of each attempt: one that has seen rows is not lent those of another.
pub(crate) type Visitors = Box<dyn Fn() -> Box<dyn RowVisitor> + Send + Sync>;

/// A visitor that has seen all rows, and a number: of a page the total of the same snapshot, else that of the
/// rows.
pub(crate) type Visited = (Box<dyn RowVisitor>, u64);

/// What a driver is asked for, and may fail to do.
pub(crate) type Asked<'made, T> = BoxFuture<'made, DatabaseResult<T>>;

/// The transaction to begin.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Isolation {
    /// Each statement sees what is committed before it begins.
    ReadCommitted,
    /// As if no other such one ran beside it; else it fails, and may be tried again.
    Serializable,
    /// The same as read committed, for statements that may take as long as they take.
    WithoutTimeout,
}

/// A database.
pub(crate) trait Driver: fmt::Debug + Send + Sync {
    /// The SQL of the tables that it needs.
    fn dialect(&self) -> Dialect;

    /// Lends the rows that are found to a visitor.
    fn read(&self, statement: Statement, visitors: Visitors) -> Asked<'_, Visited>;

    /// Lends the rows of a page to a visitor, and returns the total of the same snapshot.
    fn page(self: Arc<Self>, page: PageQuery, visitors: Visitors) -> Asked<'static, Visited>;

    /// Tests that the statement finds any row.
    fn exists(&self, statement: Statement) -> Asked<'_, bool>;

    fn begin(&self, isolation: Isolation) -> Asked<'_, Box<dyn DriverTransaction>>;

    /// A transaction of one change, which a driver may make durable with the change itself; `commit` ends it in
    /// any case.
    fn begin_single(&self) -> Box<dyn DriverTransaction>;

    /// Each of these tables as the database has it; none where it is missing.
    fn stored_tables<'a>(&'a self, tables: &'a [Table]) -> Asked<'a, Vec<Option<StoredTable>>>;

    /// The writes of which a trigger of the table may drop the row or store it elsewhere, where the driver
    /// does not undo what such a trigger did by itself.
    fn diverting(&self, table: Identifier) -> Asked<'_, Diverting>;

    /// Fails where the database does not answer, or is not where it is expected.
    fn ping(&self) -> Asked<'_, ()>;

    /// Fails where the database answers and takes no writes.
    fn takes_writes(&self) -> Asked<'_, ()>;

    /// The use of its connections.
    #[cfg(feature = "metrics")]
    fn pools(&self) -> Vec<PoolStats>;
}

/// All that one write does, or nothing of it: dropped before it is committed, it is rolled back. A statement
/// that fails, or whose future is dropped half-way, rolls it back, and all that follows fails.
pub(crate) trait DriverTransaction: fmt::Debug + Send + Sync {
    /// Inserts a row; returns its key, or none where a target was missing, or a trigger dropped the row or
    /// stored it where its key is not told.
    fn insert(
        &mut self,
        statement: Statement,
        definition: &'static ResourceDefinition,
    ) -> Asked<'_, Option<Key>>;

    /// Carries out any other statement; returns the number of rows that it changed.
    fn execute(&mut self, statement: Statement) -> Asked<'_, u64>;

    /// All rows that are found, their columns the values of `attributes`.
    fn rows<'a>(
        &'a mut self,
        statement: Statement,
        attributes: &'a [Attribute],
    ) -> Asked<'a, Vec<Record>>;

    /// Tests that the statement finds any row.
    fn exists(&mut self, statement: Statement) -> Asked<'_, bool>;

    /// The key of the row that this transaction stored though the change returned none, where it can be told:
    /// the `chosen` one, or the one that the database assigned last.
    fn key_stored_elsewhere<'a>(
        &'a mut self,
        definition: &'a ResourceDefinition,
        chosen: Option<Key>,
    ) -> Asked<'a, Option<Key>>;

    /// Each of these tables as the transaction sees it; none where it is missing.
    fn stored_tables<'a>(&'a mut self, tables: &'a [Table]) -> Asked<'a, Vec<Option<StoredTable>>>;

    /// Rolls back what is begun, because of `failure`.
    fn end_by(&mut self, failure: &DatabaseFailure);

    /// Makes all of it durable.
    fn commit(self: Box<Self>) -> Asked<'static, ()>;

    /// The connection, for the developer's SQL; none on another database, and once the transaction has ended.
    #[cfg(feature = "sqlite")]
    fn sqlite(&mut self) -> Option<&mut sqlx::SqliteConnection> {
        None
    }

    /// As [`sqlite`](Self::sqlite), on PostgreSQL.
    #[cfg(feature = "postgres")]
    fn postgres(&mut self) -> Option<&mut sqlx::PgConnection> {
        None
    }
}

/// The writes of which a trigger may drop the row, or store it elsewhere than where it was sent.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Diverting {
    pub(crate) creations: bool,
    pub(crate) changes: bool,
    pub(crate) removals: bool,
}
