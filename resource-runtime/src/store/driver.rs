//! The seam between operations and databases: resolved queries and records in, rows and classes of failure
//! out.
//!
//! What each class of failure promises stands at [`DatabaseFailure`]; a driver keeps the promises, and tries
//! again by itself what it may. A further database is:
//!
//! - a folder beside this file with an implementation of these two traits, and a feature;
//! - its scheme in [`open`](super::open::open), and in [`Dialect::of_url`] for the command line;
//! - a [`Dialect`] with its words, which the compiler then asks for wherever two databases differ;
//! - the errors of the developer's own statements in [`passing`](super::transaction::passing), and a method that lends its
//!   connection, like [`DriverTransaction::postgres`].

use std::fmt;
use std::sync::Arc;

use resource_model::error::DatabaseFailure;
use resource_model::query::{ListQuery, LockMode, Lookup, RowChange, RowQuery};
use resource_model::schema::{Attribute, Identifier, ResourceDefinition, StoredTable, Table};
use resource_model::value::{Key, Record};
use resource_sql::{Dialect, Statement};

#[cfg(feature = "metrics")]
use super::PoolUse;
use super::RowVisitor;
use crate::authorization::View;
use crate::boxed::Boxed;

/// Makes the visitor of each attempt: one that has seen rows is not lent those of another.
pub(crate) type Visitors = Box<dyn Fn() -> Box<dyn RowVisitor> + Send + Sync>;

/// A visitor that has seen all rows, and a number: of a page the total of the same snapshot, else that of the
/// rows.
pub(crate) type Visited = Result<(Box<dyn RowVisitor>, u64), DatabaseFailure>;

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
    fn read(self: Arc<Self>, query: RowQuery<'_>, visitors: Visitors) -> Boxed<'static, Visited>;

    /// Lends the rows of a page to a visitor, and returns the total of the same snapshot.
    fn page(
        self: Arc<Self>,
        view: View<'_>,
        query: &ListQuery,
        visitors: Visitors,
    ) -> Boxed<'static, Visited>;

    fn exists(self: Arc<Self>, lookup: Lookup<'_>)
    -> Boxed<'static, Result<bool, DatabaseFailure>>;

    fn begin(
        &self,
        isolation: Isolation,
    ) -> Boxed<'_, Result<Box<dyn DriverTransaction>, DatabaseFailure>>;

    /// A transaction of one change, which a driver may make durable with the change itself; `commit` ends it in
    /// any case.
    fn begin_single(&self) -> Box<dyn DriverTransaction>;

    /// Each of these tables as the database has it; none where it is missing.
    fn stored_tables<'a>(
        &'a self,
        tables: &'a [Table],
    ) -> Boxed<'a, Result<Vec<Option<StoredTable>>, DatabaseFailure>>;

    /// The writes of which a trigger of the table may drop the row or store it elsewhere, where the driver
    /// does not undo what such a trigger did by itself.
    fn diverting(&self, table: Identifier) -> Boxed<'_, Result<Diverting, DatabaseFailure>>;

    /// Fails where the database does not answer, or is not where it is expected.
    fn ping(&self) -> Boxed<'_, Result<(), DatabaseFailure>>;

    /// Fails where the database answers and takes no writes.
    fn takes_writes(&self) -> Boxed<'_, Result<(), DatabaseFailure>>;

    /// The use of its connections.
    #[cfg(feature = "metrics")]
    fn pools(&self) -> Vec<PoolUse>;
}

/// All that one write does, or nothing of it: dropped before it is committed, it is rolled back. A statement
/// that fails, or whose future is dropped half-way, rolls it back, and all that follows fails.
pub(crate) trait DriverTransaction: fmt::Debug + Send + Sync {
    /// Changes a row; returns its key, or none where no row was found, a target was missing, or a trigger
    /// dropped the row or stored it where its key is not told.
    fn change<'a>(
        &'a mut self,
        change: RowChange<'a>,
    ) -> Boxed<'a, Result<Option<Key>, DatabaseFailure>>;

    /// Carries out a statement of the schema, or one of the authorization server's; returns the number of
    /// rows that it changed.
    fn execute(&mut self, statement: Statement) -> Boxed<'_, Result<u64, DatabaseFailure>>;

    /// All rows that are found, their columns the values of `attributes`.
    fn rows<'a>(
        &'a mut self,
        query: RowQuery<'a>,
        attributes: &'a [Attribute],
    ) -> Boxed<'a, Result<Vec<Record>, DatabaseFailure>>;

    fn exists<'a>(&'a mut self, lookup: Lookup<'a>) -> Boxed<'a, Result<bool, DatabaseFailure>>;

    /// Locks a table, where the beginning of a transaction does not lock out all other writers anyway.
    fn lock_table<'a>(
        &'a mut self,
        definition: &'a ResourceDefinition,
        mode: LockMode,
    ) -> Boxed<'a, Result<(), DatabaseFailure>>;

    /// The key of the row that this transaction stored though the change returned none, where it can be told:
    /// the `chosen` one, or the one that the database assigned last.
    fn key_stored_elsewhere<'a>(
        &'a mut self,
        definition: &'a ResourceDefinition,
        chosen: Option<Key>,
    ) -> Boxed<'a, Result<Option<Key>, DatabaseFailure>>;

    /// Each of these tables as the transaction sees it; none where it is missing.
    fn stored_tables<'a>(
        &'a mut self,
        tables: &'a [Table],
    ) -> Boxed<'a, Result<Vec<Option<StoredTable>>, DatabaseFailure>>;

    /// Rolls back what is begun, because of `failure`.
    fn end_by(&mut self, failure: &DatabaseFailure);

    /// Makes all of it durable.
    fn commit(self: Box<Self>) -> Boxed<'static, Result<(), DatabaseFailure>>;

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
