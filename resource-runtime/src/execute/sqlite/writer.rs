use sqlx::query::Query;
use sqlx::sqlite::SqliteArguments;
use sqlx::{Arguments as _, AssertSqlSafe, Sqlite, SqliteConnection};

use super::SqliteDatabase;
use super::failure::{of_commit, of_writer};
use super::turn::Turn;
use crate::error::DatabaseFailure;
use crate::plan::{Bind, Statement};
use crate::schema::{Attribute, Kind};
use crate::value::{Record, Row as _, Value, keep};

/// What is done as a whole: a transaction that is begun, or one statement, which is gathered with
/// those of others.
#[derive(Debug)]
pub(crate) struct SqliteTransaction {
    database: SqliteDatabase,
    begun: Option<Begun>,
}

/// A transaction that holds the file's write lock from its first moment, so that what it reads
/// is still true when it writes.
#[derive(Debug)]
struct Begun {
    inner: sqlx::Transaction<'static, Sqlite>,
    _turn: Turn,
}

impl SqliteDatabase {
    /// A transaction of one statement that writes.
    pub(in crate::execute) fn single(&self) -> SqliteTransaction {
        SqliteTransaction {
            database: self.clone(),
            begun: None,
        }
    }

    pub(in crate::execute) async fn begin(&self) -> Result<SqliteTransaction, DatabaseFailure> {
        let begun = Box::pin(self.begun()).await?;
        Ok(SqliteTransaction {
            database: self.clone(),
            begun: Some(begun),
        })
    }

    async fn begun(&self) -> Result<Begun, DatabaseFailure> {
        let turn = self.turns.wait(self.patience).await.ok_or_else(|| {
            DatabaseFailure::Unavailable(String::from("others write for too long"))
        })?;
        let begun = self.writer.begin_with("BEGIN IMMEDIATE").await;
        let inner = begun.map_err(|error| of_writer(&error))?;
        Ok(Begun { inner, _turn: turn })
    }
}

impl SqliteTransaction {
    pub(in crate::execute) async fn insert(
        &mut self,
        statement: Statement,
        kind: Kind,
    ) -> Result<Option<Value>, DatabaseFailure> {
        let Some(begun) = &mut self.begun else {
            let written = self.database.gathered.write(statement, Some(kind)).await?;
            return Ok(written.key);
        };
        let row = query(statement)?
            .fetch_optional(&mut *begun.inner)
            .await
            .map_err(|error| of_writer(&error))?;
        row.map(|row| Ok(row.value(0)?.keep(kind))).transpose()
    }

    pub(in crate::execute) async fn change(
        &mut self,
        statement: Statement,
    ) -> Result<u64, DatabaseFailure> {
        let Some(begun) = &mut self.begun else {
            let written = self.database.gathered.write(statement, None).await?;
            return Ok(written.rows);
        };
        let done = query(statement)?
            .execute(&mut *begun.inner)
            .await
            .map_err(|error| of_writer(&error))?;
        Ok(done.rows_affected())
    }

    /// The row that `statement` finds, its columns the values of `attributes`.
    pub(in crate::execute) async fn row(
        &mut self,
        statement: Statement,
        attributes: &[Attribute],
    ) -> Result<Option<Record>, DatabaseFailure> {
        let row = query(statement)?
            .fetch_optional(self.begun().await?)
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
            .fetch_all(self.begun().await?)
            .await
            .map_err(|error| of_writer(&error))?;
        rows.iter().map(|row| keep(row, 0, attributes)).collect()
    }

    pub(in crate::execute) async fn finds(
        &mut self,
        statement: Statement,
    ) -> Result<bool, DatabaseFailure> {
        let row = query(statement)?
            .fetch_optional(self.begun().await?)
            .await
            .map_err(|error| of_writer(&error))?;
        Ok(row.is_some())
    }

    /// The connection, once the transaction is begun.
    pub(in crate::execute) fn connection(&mut self) -> Option<&mut SqliteConnection> {
        self.begun.as_mut().map(|begun| &mut *begun.inner)
    }

    /// The transaction, begun by now: whoever asks why one statement was refused asks several.
    async fn begun(&mut self) -> Result<&mut SqliteConnection, DatabaseFailure> {
        let begun = match &mut self.begun {
            Some(begun) => begun,
            none => none.insert(Box::pin(self.database.begun()).await?),
        };
        Ok(&mut begun.inner)
    }

    pub(in crate::execute) async fn commit(self) -> Result<(), DatabaseFailure> {
        match self.begun {
            Some(begun) => {
                let committed = begun.inner.commit().await;
                committed.map_err(|error| of_commit(of_writer(&error)))
            }
            None => Ok(()),
        }
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
