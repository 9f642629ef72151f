use sqlx::postgres::PgArguments;
use sqlx::query::Query;
use sqlx::{AssertSqlSafe, PgConnection, Postgres};
use tokio::time::Instant;

use super::PostgresDatabase;
use super::arguments::arguments;
use super::lease::Lease;
use super::watch::Watch;
use crate::error::DatabaseFailure;
use crate::plan::Statement;
use crate::schema::{Attribute, Kind};
use crate::value::{Record, Row as _, Value, keep};

/// Each statement sees what is committed before it begins.
const SHARED: &str = "BEGIN ISOLATION LEVEL READ COMMITTED";

/// What others write meanwhile makes no difference, or the transaction fails.
const ISOLATED: &str = "BEGIN ISOLATION LEVEL SERIALIZABLE";

/// What is done as a whole: a transaction that is begun, or one statement, which is a transaction
/// by itself and saves the server two answers.
#[derive(Debug)]
pub(crate) struct PostgresTransaction {
    database: PostgresDatabase,
    begun: Option<Lease>,
}

impl PostgresDatabase {
    /// A transaction of one statement that writes.
    pub(in crate::execute) fn single(&self) -> PostgresTransaction {
        PostgresTransaction::of(self, None)
    }

    pub(in crate::execute) async fn begin(&self) -> Result<PostgresTransaction, DatabaseFailure> {
        let begun = self.begun(SHARED).await?;
        Ok(PostgresTransaction::of(self, Some(begun)))
    }

    pub(in crate::execute) async fn begin_isolated(
        &self,
    ) -> Result<PostgresTransaction, DatabaseFailure> {
        let begun = self.begun(ISOLATED).await?;
        Ok(PostgresTransaction::of(self, Some(begun)))
    }

    async fn begun(&self, command: &'static str) -> Result<Lease, DatabaseFailure> {
        let begin = |deadline| async move { self.lease(deadline).await?.begin(command).await };
        self.repeated(begin).await
    }

    async fn insert_once(
        &self,
        deadline: Instant,
        statement: &Statement,
        kind: Kind,
    ) -> Result<Option<Value>, DatabaseFailure> {
        let mut lease = self.lease(deadline).await?;
        let row = query(statement)?.fetch_optional(lease.connection()?);
        let row = self.watch.commit(row).await?;
        lease.done();
        row.map(|row| Ok(row.value(0)?.keep(kind))).transpose()
    }

    async fn change_once(
        &self,
        deadline: Instant,
        statement: &Statement,
    ) -> Result<u64, DatabaseFailure> {
        let mut lease = self.lease(deadline).await?;
        let done = query(statement)?.execute(lease.connection()?);
        let done = self.watch.commit(done).await?;
        lease.done();
        Ok(done.rows_affected())
    }
}

impl PostgresTransaction {
    fn of(database: &PostgresDatabase, begun: Option<Lease>) -> Self {
        Self {
            database: database.clone(),
            begun,
        }
    }

    /// The connection, once the transaction is begun.
    pub(in crate::execute) fn connection(&mut self) -> Option<&mut PgConnection> {
        self.begun.as_mut()?.connection().ok()
    }

    pub(in crate::execute) async fn insert(
        &mut self,
        statement: Statement,
        kind: Kind,
    ) -> Result<Option<Value>, DatabaseFailure> {
        let database = &self.database;
        let Some(begun) = &mut self.begun else {
            let insert = |deadline| database.insert_once(deadline, &statement, kind);
            return database.repeated(insert).await;
        };
        let row = database
            .watch
            .step(query(&statement)?.fetch_optional(begun.connection()?));
        match row.await {
            Ok(row) => row.map(|row| Ok(row.value(0)?.keep(kind))).transpose(),
            Err(failure) => Err(self.ended_by(failure)),
        }
    }

    pub(in crate::execute) async fn change(
        &mut self,
        statement: Statement,
    ) -> Result<u64, DatabaseFailure> {
        let database = &self.database;
        let Some(begun) = &mut self.begun else {
            let change = |deadline| database.change_once(deadline, &statement);
            return database.repeated(change).await;
        };
        let done = database
            .watch
            .step(query(&statement)?.execute(begun.connection()?));
        match done.await {
            Ok(done) => Ok(done.rows_affected()),
            Err(failure) => Err(self.ended_by(failure)),
        }
    }

    /// The row that `statement` finds, its columns the values of `attributes`.
    pub(in crate::execute) async fn row(
        &mut self,
        statement: Statement,
        attributes: &[Attribute],
    ) -> Result<Option<Record>, DatabaseFailure> {
        let (begun, watch) = self.begun().await?;
        let row = query(&statement)?.fetch_optional(begun);
        let row = watch.step(row).await?;
        row.map(|row| keep(&row, 0, attributes)).transpose()
    }

    /// All rows that `statement` finds, their columns the values of `attributes`.
    pub(in crate::execute) async fn rows(
        &mut self,
        statement: Statement,
        attributes: &[Attribute],
    ) -> Result<Vec<Record>, DatabaseFailure> {
        let (begun, watch) = self.begun().await?;
        let rows = query(&statement)?.fetch_all(begun);
        let rows = watch.step(rows).await?;
        rows.iter().map(|row| keep(row, 0, attributes)).collect()
    }

    pub(in crate::execute) async fn finds(
        &mut self,
        statement: Statement,
    ) -> Result<bool, DatabaseFailure> {
        let (begun, watch) = self.begun().await?;
        let row = query(&statement)?.fetch_optional(begun);
        Ok(watch.step(row).await?.is_some())
    }

    /// The transaction, begun by now: whoever asks why one statement was refused asks several.
    async fn begun(&mut self) -> Result<(&mut PgConnection, &Watch), DatabaseFailure> {
        let Self { database, begun } = self;
        let begun = match begun {
            Some(begun) => begun,
            none => none.insert(database.begun(SHARED).await?),
        };
        Ok((begun.connection()?, &database.watch))
    }

    /// A transaction of which one statement failed takes no further one.
    fn ended_by(&mut self, failure: DatabaseFailure) -> DatabaseFailure {
        self.begun = None;
        failure
    }

    pub(in crate::execute) async fn commit(self) -> Result<(), DatabaseFailure> {
        match self.begun {
            Some(begun) => begun.commit().await,
            None => Ok(()),
        }
    }
}

/// The one place where text is vouched for towards PostgreSQL's driver: a [`Statement`] is made of
/// keywords, identifiers of a definition and placeholders alone.
pub(super) fn query(
    statement: &Statement,
) -> Result<Query<'static, Postgres, PgArguments>, DatabaseFailure> {
    let arguments = arguments(statement.binds()).map_err(DatabaseFailure::unexpected)?;
    Ok(sqlx::query_with(
        AssertSqlSafe(statement.shared_text()),
        arguments,
    ))
}
