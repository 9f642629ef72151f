//! A transaction on any database, as operations and typed access use it.

use resource_model::error::{DatabaseFailure, DatabaseResult};
use resource_model::query::{ListQuery, LockMode, Lookup, RowChange, RowQuery};
use resource_model::schema::ResourceDefinition;
use resource_model::value::{Key, Record, ValueRef};
use resource_sql::{self, Dialect, Statement};
use sqlx::Error;

use super::driver::DriverTransaction;
use super::row::NoValues;
use super::{RecordCollector, Row, RowVisitor};
use crate::authorization::View;

/// A transaction of a database, or a single change that commits by itself. Dropping it before the commit rolls it
/// back.
#[derive(Debug)]
pub(crate) struct DatabaseTransaction {
    dialect: Dialect,
    /// The transaction of the driver, for what the driver does as it is asked.
    pub(crate) driver: Box<dyn DriverTransaction>,
}

impl DatabaseTransaction {
    pub(super) fn new(dialect: Dialect, driver: Box<dyn DriverTransaction>) -> Self {
        Self { dialect, driver }
    }

    /// Changes a row and returns its key; none if the row or a referenced row is missing, or a trigger dropped
    /// the row or stored it elsewhere.
    pub(crate) async fn change(&mut self, change: RowChange<'_>) -> DatabaseResult<Option<Key>> {
        match change {
            RowChange::Insert { definition, .. } | RowChange::Upsert { definition, .. } => {
                let statement = resource_sql::change(self.dialect, change);
                self.driver.insert(statement, definition).await
            }
            RowChange::Update { key, .. } | RowChange::Delete { key, .. } => {
                let statement = resource_sql::change(self.dialect, change);
                // The statement found the row by this key, so that it need not return one.
                let is_changed = self.execute(statement).await? > 0;
                Ok(is_changed.then(|| key.clone()))
            }
        }
    }

    /// Has foreign keys checked by each statement from now on, and not at the commit, where hooks have seen a success.
    pub(crate) async fn check_keys_at_once(&mut self) -> DatabaseResult<()> {
        match resource_sql::check_keys_at_once(self.dialect) {
            Some(statement) => self.execute(statement).await.map(drop),
            None => Ok(()),
        }
    }

    /// Executes a statement; returns the number of changed rows.
    pub(crate) async fn execute(&mut self, statement: Statement) -> DatabaseResult<u64> {
        self.driver.execute(statement).await
    }

    /// The row of a query by key, whose columns are the values of all attributes.
    pub(crate) async fn row(
        &mut self,
        query: RowQuery<'_>,
        definition: &'static ResourceDefinition,
    ) -> DatabaseResult<Option<Record>> {
        let mut collector = RecordCollector::new(definition);
        self.lend_item(query, &mut collector).await?;
        Ok(collector.into_record())
    }

    /// Lends the row of a query by key to a visitor.
    pub(crate) async fn lend_item(
        &mut self,
        query: RowQuery<'_>,
        visitor: &mut dyn RowVisitor,
    ) -> DatabaseResult<()> {
        let statement = resource_sql::select(self.dialect, query);
        match self.driver.rows(statement, visitor).await? {
            0 | 1 => Ok(()),
            // Rolled back: a hook that ignores the failure must not go on with any of several items.
            several => Err(self.rolled_back_by(DatabaseFailure::ambiguous(several))),
        }
    }

    /// Lends the rows of a list to a visitor, and returns the total if it `is_counted`.
    pub(crate) async fn lend_page(
        &mut self,
        view: View<'_>,
        query: &ListQuery,
        is_counted: bool,
        visitor: &mut dyn RowVisitor,
    ) -> DatabaseResult<u64> {
        // Only the readers and the group committer have the functions.
        let page = resource_sql::page_without_functions(self.dialect, view, query);
        if let Some(statement) = page.rows {
            self.driver.rows(statement, visitor).await?;
        }
        if !is_counted {
            return Ok(0);
        }
        let mut total = Total(0);
        let count = page.matching.count();
        self.driver.rows(count, &mut total).await?;
        u64::try_from(total.0).map_err(DatabaseFailure::internal)
    }

    /// Tests whether the lookup finds a row.
    pub(crate) async fn exists(&mut self, lookup: Lookup<'_>) -> DatabaseResult<bool> {
        let statement = resource_sql::exists(self.dialect, lookup);
        Ok(self.driver.rows(statement, &mut NoValues).await? > 0)
    }

    /// Locks a table against other writers.
    pub(crate) async fn lock_table(
        &mut self,
        definition: &ResourceDefinition,
        mode: LockMode,
    ) -> DatabaseResult<()> {
        match self.dialect {
            // A transaction on SQLite holds the lock of the whole file from its beginning.
            Dialect::Sqlite => Ok(()),
            Dialect::Postgres => {
                let lock = resource_sql::lock_table(definition, mode);
                self.execute(lock).await.map(drop)
            }
        }
    }

    /// Rolls back because of `failure`, and returns it.
    pub(crate) fn rolled_back_by(&mut self, failure: DatabaseFailure) -> DatabaseFailure {
        self.driver.roll_back(&failure);
        failure
    }

    /// Commits.
    pub(crate) async fn commit_changes(self) -> DatabaseResult<()> {
        self.driver.commit().await
    }
}

/// Reads the total of a count.
struct Total(i64);

impl RowVisitor for Total {
    fn visit(&mut self, row: &dyn Row) -> DatabaseResult<()> {
        if let ValueRef::Integer(total) = row.value(0)? {
            self.0 = total;
        }
        Ok(())
    }
}

/// The failure for an error of the developer's own statements, if a retry of the whole write may succeed.
pub(crate) fn transient_failure(error: &Error) -> Option<DatabaseFailure> {
    // The error does not tell its database, and each classifier takes a foreign error for a defect.
    let failures = [
        #[cfg(feature = "postgres")]
        super::postgres::failure::of_developer(error),
        #[cfg(feature = "sqlite")]
        super::sqlite::failure::of_developer(error),
    ];
    failures.into_iter().find(|failure| {
        matches!(
            failure,
            DatabaseFailure::Retryable(_) | DatabaseFailure::Unavailable(_)
        )
    })
}
