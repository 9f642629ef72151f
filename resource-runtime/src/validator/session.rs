use crate::error::DatabaseFailure;
use crate::execute::Database;
pub use crate::execute::Transaction;

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

    pub(crate) async fn transaction(&mut self) -> Result<&mut Transaction, DatabaseFailure> {
        match &mut self.transaction {
            Some(transaction) => Ok(transaction),
            none => Ok(none.insert(self.database.begin().await?)),
        }
    }

    /// The transaction, to write and commit.
    pub(crate) async fn into_transaction(self) -> Result<Transaction, DatabaseFailure> {
        match self.transaction {
            Some(transaction) => Ok(transaction),
            None => self.database.begin().await,
        }
    }
}
