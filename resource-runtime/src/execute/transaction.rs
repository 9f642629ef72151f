use super::sqlite::SqliteTransaction;
use crate::error::DatabaseFailure;
use crate::plan::Statement;
use crate::value::Value;

/// All that one write does, or nothing of it: dropped before [`commit`](Self::commit), it is
/// rolled back.
#[derive(Debug)]
pub(crate) enum Transaction {
    Sqlite(SqliteTransaction),
}

impl Transaction {
    /// Stores a row; answers the key that the database assigned.
    pub(crate) async fn insert(&mut self, statement: Statement) -> Result<Value, DatabaseFailure> {
        match self {
            Self::Sqlite(transaction) => transaction.insert(statement).await,
        }
    }

    /// Changes or removes rows; answers how many.
    pub(crate) async fn change(&mut self, statement: Statement) -> Result<u64, DatabaseFailure> {
        match self {
            Self::Sqlite(transaction) => transaction.change(statement).await,
        }
    }

    /// Whether `statement` finds any row.
    pub(crate) async fn finds(&mut self, statement: Statement) -> Result<bool, DatabaseFailure> {
        match self {
            Self::Sqlite(transaction) => transaction.finds(statement).await,
        }
    }

    /// Makes all of it durable.
    pub(crate) async fn commit(self) -> Result<(), DatabaseFailure> {
        match self {
            Self::Sqlite(transaction) => transaction.commit().await,
        }
    }
}
