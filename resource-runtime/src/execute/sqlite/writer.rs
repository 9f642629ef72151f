use sqlx::query::Query;
use sqlx::sqlite::SqliteArguments;
use sqlx::{Arguments as _, AssertSqlSafe, Sqlite, SqliteConnection, SqlitePool};

use super::failure::{of_commit, of_writer};
use crate::error::DatabaseFailure;
use crate::plan::{Bind, Statement};
use crate::schema::{Attribute, Kind};
use crate::value::{Record, Row as _, Value, keep};

/// A transaction that holds the file's write lock from its first moment, so that what it reads
/// is still true when it writes.
#[derive(Debug)]
pub(crate) struct SqliteTransaction {
    inner: sqlx::Transaction<'static, Sqlite>,
}

impl SqliteTransaction {
    pub(super) async fn begin(writer: &SqlitePool) -> Result<Self, DatabaseFailure> {
        match writer.begin_with("BEGIN IMMEDIATE").await {
            Ok(inner) => Ok(Self { inner }),
            Err(error) => Err(of_writer(&error)),
        }
    }

    pub(in crate::execute) async fn insert(
        &mut self,
        statement: Statement,
        kind: Kind,
    ) -> Result<Option<Value>, DatabaseFailure> {
        let row = query(statement)?
            .fetch_optional(&mut *self.inner)
            .await
            .map_err(|error| of_writer(&error))?;
        row.map(|row| Ok(row.value(0)?.keep(kind))).transpose()
    }

    /// The row that `statement` finds, its columns the values of `attributes`.
    pub(in crate::execute) async fn row(
        &mut self,
        statement: Statement,
        attributes: &[Attribute],
    ) -> Result<Option<Record>, DatabaseFailure> {
        let row = query(statement)?
            .fetch_optional(&mut *self.inner)
            .await
            .map_err(|error| of_writer(&error))?;
        row.map(|row| keep(&row, 0, attributes)).transpose()
    }

    /// All rows that `statement` finds, their columns the values of `attributes`.
    pub(in crate::execute) async fn rows(
        &mut self,
        statement: Statement,
        attributes: &[Attribute],
    ) -> Result<Vec<Record>, DatabaseFailure> {
        let rows = query(statement)?
            .fetch_all(&mut *self.inner)
            .await
            .map_err(|error| of_writer(&error))?;
        rows.iter().map(|row| keep(row, 0, attributes)).collect()
    }

    pub(in crate::execute) fn connection(&mut self) -> &mut SqliteConnection {
        &mut self.inner
    }

    pub(in crate::execute) async fn change(
        &mut self,
        statement: Statement,
    ) -> Result<u64, DatabaseFailure> {
        let done = query(statement)?
            .execute(&mut *self.inner)
            .await
            .map_err(|error| of_writer(&error))?;
        Ok(done.rows_affected())
    }

    pub(in crate::execute) async fn finds(
        &mut self,
        statement: Statement,
    ) -> Result<bool, DatabaseFailure> {
        let row = query(statement)?
            .fetch_optional(&mut *self.inner)
            .await
            .map_err(|error| of_writer(&error))?;
        Ok(row.is_some())
    }

    pub(in crate::execute) async fn commit(self) -> Result<(), DatabaseFailure> {
        self.inner.commit().await.map_err(|error| of_commit(&error))
    }
}

/// The one place where text is vouched for towards sqlx: a [`Statement`] is made of keywords,
/// identifiers of a definition and placeholders alone.
fn query(statement: Statement) -> Result<Query<'static, Sqlite, SqliteArguments>, DatabaseFailure> {
    let (text, binds) = statement.into_parts();
    let arguments = arguments(binds).map_err(DatabaseFailure::unexpected)?;
    Ok(sqlx::query_with(AssertSqlSafe(text), arguments))
}

fn arguments(binds: Vec<Bind>) -> Result<SqliteArguments, sqlx::error::BoxDynError> {
    let mut arguments = SqliteArguments::default();
    for bind in binds {
        match bind.value {
            Value::Null => arguments.add(None::<i64>)?,
            Value::Boolean(boolean) => arguments.add(boolean)?,
            Value::Integer(integer) => arguments.add(integer)?,
            Value::Real(real) => arguments.add(real)?,
            Value::Text(text) => arguments.add(text)?,
            Value::Bytes(bytes) => arguments.add(bytes)?,
        }
    }
    Ok(arguments)
}
