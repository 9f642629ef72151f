use resource_model::error::DatabaseFailure;
use resource_model::schema::{Attribute, ResourceDefinition};
use resource_model::value::{Key, Record, Value};
use resource_sql::{Bind, Statement};
use sqlx::query::Query;
use sqlx::sqlite::SqliteArguments;
use sqlx::{Arguments as _, AssertSqlSafe, Sqlite, SqliteConnection};

use super::SqliteDatabase;
use super::failure::of_writer;
use super::open_transaction::OpenTransaction;
use crate::store::Row as _;
use crate::store::state::State;

/// What is done as a whole: a transaction that is begun, or one statement, which is gathered with
/// those of others.
#[derive(Debug)]
pub(crate) struct SqliteTransaction {
    state: State<OpenTransaction>,
    /// Behind what is begun: the last one waits until nobody writes.
    pub(super) database: SqliteDatabase,
}

impl SqliteDatabase {
    /// A transaction of one statement that writes.
    pub(super) fn single(&self) -> SqliteTransaction {
        SqliteTransaction {
            database: self.clone(),
            state: State::Single,
        }
    }

    pub(super) async fn begin_immediate(&self) -> Result<SqliteTransaction, DatabaseFailure> {
        let begun = Box::pin(self.begun()).await?;
        Ok(SqliteTransaction {
            database: self.clone(),
            state: State::Begun(begun),
        })
    }

    async fn begun(&self) -> Result<OpenTransaction, DatabaseFailure> {
        let turn = self.turns.wait(self.patience).await.ok_or_else(|| {
            DatabaseFailure::unavailable(String::from("others write for too long"))
        })?;
        // A connection that is opened anew opens the same file.
        self.opened.verify()?;
        let connection = self.writer.acquire().await;
        let connection = connection.map_err(of_writer)?;
        OpenTransaction::begin(connection, turn, &self.endings).await
    }
}

impl SqliteTransaction {
    /// The connection of a transaction that is begun, for the developer's SQL.
    pub(super) fn lend(&mut self) -> Option<&mut SqliteConnection> {
        match &mut self.state {
            State::Begun(begun) => begun.lend(),
            State::Single | State::Ended(_) => None,
        }
    }

    pub(super) async fn insert(
        &mut self,
        statement: Statement,
        definition: &'static ResourceDefinition,
    ) -> Result<Option<Key>, DatabaseFailure> {
        let Some(mut begun) = self.take().await? else {
            let gathered = &self.database.gathered;
            return Ok(gathered.write(statement, Some(definition)).await?.key);
        };
        let row = query(statement)?.fetch_optional(begun.connection()?).await;
        let key = row.map_err(of_writer).and_then(|row| {
            let key = row.map(|row| row.key(definition));
            key.transpose().map(Option::flatten)
        });
        self.state.settle(begun, key)
    }

    pub(super) async fn run(&mut self, statement: Statement) -> Result<u64, DatabaseFailure> {
        let Some(mut begun) = self.take().await? else {
            let written = self.database.gathered.write(statement, None).await?;
            return Ok(written.rows);
        };
        let done = query(statement)?.execute(begun.connection()?).await;
        Ok(self.settle(begun, done)?.rows_affected())
    }

    /// All rows that `statement` finds, their columns the values of `attributes`.
    pub(super) async fn fetch(
        &mut self,
        statement: Statement,
        attributes: &[Attribute],
    ) -> Result<Vec<Record>, DatabaseFailure> {
        let mut begun = self.begun().await?;
        let rows = query(statement)?.fetch_all(begun.connection()?).await;
        let rows = rows.map_err(of_writer).and_then(|rows| {
            let records = rows.iter().map(|row| row.record(0, attributes));
            records.collect()
        });
        self.state.settle(begun, rows)
    }

    /// Rolls back what is begun, because of `failure`.
    pub(super) fn roll_back_by(&mut self, failure: &DatabaseFailure) {
        self.state = State::Ended(Some(failure.clone()));
    }

    pub(super) async fn finds(&mut self, statement: Statement) -> Result<bool, DatabaseFailure> {
        let mut begun = self.begun().await?;
        let row = query(statement)?.fetch_optional(begun.connection()?).await;
        Ok(self.settle(begun, row)?.is_some())
    }

    /// The transaction, taken for a statement, where one is begun and still is what was begun.
    async fn take(&mut self) -> Result<Option<OpenTransaction>, DatabaseFailure> {
        let Some(mut begun) = self.state.take()? else {
            return Ok(None);
        };
        match begun.verify_open().await {
            Ok(()) => Ok(Some(begun)),
            failed => self.state.settle(begun, failed.map(|()| None)),
        }
    }

    /// The transaction, begun by now: whoever asks why one statement was refused asks several.
    async fn begun(&mut self) -> Result<OpenTransaction, DatabaseFailure> {
        match self.take().await? {
            Some(begun) => Ok(begun),
            None => Box::pin(self.database.begun()).await,
        }
    }

    fn settle<T>(
        &mut self,
        begun: OpenTransaction,
        done: sqlx::Result<T>,
    ) -> Result<T, DatabaseFailure> {
        let done = done.map_err(of_writer);
        self.state.settle(begun, done)
    }

    pub(super) async fn commit_begun(mut self) -> Result<(), DatabaseFailure> {
        match self.take().await? {
            Some(begun) => {
                self.database.opened.verify()?;
                begun.commit().await
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
