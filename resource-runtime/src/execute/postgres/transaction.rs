use sqlx::postgres::PgArguments;
use sqlx::query::Query;
use sqlx::{AssertSqlSafe, PgConnection, PgPool, Postgres};

use super::arguments::arguments;
use super::failure::of;
use crate::error::DatabaseFailure;
use crate::plan::Statement;
use crate::schema::{Attribute, Kind};
use crate::value::{Record, Row as _, Value, keep};

/// A transaction on a connection of the pool.
#[derive(Debug)]
pub(crate) struct PostgresTransaction {
    inner: sqlx::Transaction<'static, Postgres>,
}

impl PostgresTransaction {
    pub(super) async fn begin(pool: &PgPool) -> Result<Self, DatabaseFailure> {
        let inner = pool.begin().await.map_err(|error| of(&error))?;
        Ok(Self { inner })
    }

    pub(in crate::execute) fn connection(&mut self) -> &mut PgConnection {
        &mut self.inner
    }

    pub(in crate::execute) async fn insert(
        &mut self,
        statement: Statement,
        kind: Kind,
    ) -> Result<Value, DatabaseFailure> {
        let row = query(statement)?.fetch_one(&mut *self.inner).await;
        let row = row.map_err(|error| of(&error))?;
        Ok(row.value(0)?.keep(kind))
    }

    /// The row that `statement` finds, its columns the values of `attributes`.
    pub(in crate::execute) async fn row(
        &mut self,
        statement: Statement,
        attributes: &[Attribute],
    ) -> Result<Option<Record>, DatabaseFailure> {
        let row = query(statement)?.fetch_optional(&mut *self.inner).await;
        let row = row.map_err(|error| of(&error))?;
        row.map(|row| keep(&row, 0, attributes)).transpose()
    }

    /// All rows that `statement` finds, their columns the values of `attributes`.
    pub(in crate::execute) async fn rows(
        &mut self,
        statement: Statement,
        attributes: &[Attribute],
    ) -> Result<Vec<Record>, DatabaseFailure> {
        let rows = query(statement)?.fetch_all(&mut *self.inner).await;
        let rows = rows.map_err(|error| of(&error))?;
        rows.iter().map(|row| keep(row, 0, attributes)).collect()
    }

    pub(in crate::execute) async fn change(
        &mut self,
        statement: Statement,
    ) -> Result<u64, DatabaseFailure> {
        let done = query(statement)?.execute(&mut *self.inner).await;
        Ok(done.map_err(|error| of(&error))?.rows_affected())
    }

    pub(in crate::execute) async fn finds(
        &mut self,
        statement: Statement,
    ) -> Result<bool, DatabaseFailure> {
        let row = query(statement)?.fetch_optional(&mut *self.inner).await;
        Ok(row.map_err(|error| of(&error))?.is_some())
    }

    pub(in crate::execute) async fn commit(self) -> Result<(), DatabaseFailure> {
        self.inner.commit().await.map_err(|error| of(&error))
    }
}

/// The one place where text is vouched for towards PostgreSQL's driver: a [`Statement`] is made of
/// keywords, identifiers of a definition and placeholders alone.
pub(super) fn query(
    statement: Statement,
) -> Result<Query<'static, Postgres, PgArguments>, DatabaseFailure> {
    let (text, binds) = statement.into_parts();
    let arguments = arguments(binds).map_err(DatabaseFailure::unexpected)?;
    Ok(sqlx::query_with(AssertSqlSafe(text), arguments))
}
