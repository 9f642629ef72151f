use crate::error::DatabaseFailure;
use crate::execute::Database;
pub use crate::execute::Transaction;
use crate::plan::Statement;

/// The database work of one write: its transaction, begun when something first needs it.
#[derive(Debug)]
pub(crate) struct Session {
    database: Database,
    transaction: Option<Transaction>,
}

impl Session {
    pub(crate) fn new(database: &Database) -> Self {
        Self {
            database: database.clone(),
            transaction: None,
        }
    }

    /// The transaction of a hook: whatever it reads, no other write may outrun it.
    pub(super) async fn isolated(&mut self) -> Result<&mut Transaction, DatabaseFailure> {
        match &mut self.transaction {
            Some(transaction) => Ok(transaction),
            none => Ok(none.insert(self.database.begin_isolated().await?)),
        }
    }

    /// Begins the transaction, also a hook's, with a statement that keeps other writers waiting
    /// where they do not wait anyway.
    pub(crate) async fn begin_alone(
        &mut self,
        statement: Option<Statement>,
    ) -> Result<(), DatabaseFailure> {
        let transaction = self.isolated().await?;
        if let Some(statement) = statement {
            transaction.change(statement).await?;
        }
        Ok(())
    }

    /// The transaction, to read the item that is written.
    pub(crate) async fn transaction(&mut self) -> Result<&mut Transaction, DatabaseFailure> {
        match &mut self.transaction {
            Some(transaction) => Ok(transaction),
            none => Ok(none.insert(self.database.begin().await?)),
        }
    }

    /// The transaction, to write with one statement and commit.
    pub(crate) async fn into_transaction(self) -> Result<Transaction, DatabaseFailure> {
        match self.transaction {
            Some(transaction) => Ok(transaction),
            None => self.database.begin_single().await,
        }
    }
}
