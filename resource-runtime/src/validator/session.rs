use crate::error::DatabaseFailure;
use crate::execute::Database;
pub use crate::execute::Transaction;
use crate::plan::Statement;

/// The database work of one write: its transaction, begun when something first needs it.
#[derive(Debug)]
pub(crate) struct Session {
    database: Database,
    first: Option<Statement>,
    transaction: Option<Transaction>,
}

impl Session {
    pub(crate) fn new(database: &Database) -> Self {
        Self {
            database: database.clone(),
            first: None,
            transaction: None,
        }
    }

    /// The same, where `statement` comes before all that a hook reads.
    pub(crate) fn beginning_with(self, statement: Option<Statement>) -> Self {
        Self {
            first: statement,
            ..self
        }
    }

    /// The transaction of a hook: whatever it reads, no other write may outrun it.
    pub(crate) async fn isolated(&mut self) -> Result<&mut Transaction, DatabaseFailure> {
        match &mut self.transaction {
            Some(transaction) => Ok(transaction),
            none => {
                let mut transaction = self.database.begin_isolated().await?;
                if let Some(first) = self.first.clone() {
                    transaction.change(first).await?;
                }
                Ok(none.insert(transaction))
            }
        }
    }

    /// The transaction, to read the item that is written.
    pub(crate) async fn transaction(&mut self) -> Result<&mut Transaction, DatabaseFailure> {
        match &mut self.transaction {
            Some(transaction) => Ok(transaction),
            none => Ok(none.insert(self.database.begin_write().await?)),
        }
    }

    /// Whether something needed the transaction already.
    pub(crate) const fn is_begun(&self) -> bool {
        self.transaction.is_some()
    }

    /// The transaction, to write with one statement and commit.
    pub(crate) fn into_transaction(self) -> Result<Transaction, DatabaseFailure> {
        match self.transaction {
            Some(transaction) => Ok(transaction),
            None => self.database.begin_single(),
        }
    }
}
