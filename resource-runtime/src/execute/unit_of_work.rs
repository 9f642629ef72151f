//! The transaction of one write, begun when something first needs it.

use super::{Database, Transaction};
use crate::error::DatabaseFailure;
use crate::plan::Statement;

/// What one write does in its database, all of it or nothing.
#[derive(Debug)]
pub(crate) struct UnitOfWork {
    database: Database,
    /// The statement that locks the table before all that a hook reads.
    lock: Option<Statement>,
    transaction: Option<Transaction>,
}

impl UnitOfWork {
    pub(crate) fn new(database: &Database) -> Self {
        Self {
            database: database.clone(),
            lock: None,
            transaction: None,
        }
    }

    /// The same, where `lock` comes before all that a hook reads.
    pub(crate) fn locking(self, lock: Option<Statement>) -> Self {
        Self { lock, ..self }
    }

    /// The transaction of a hook: whatever it reads, no other write may outrun it.
    pub(crate) async fn isolated(&mut self) -> Result<&mut Transaction, DatabaseFailure> {
        match &mut self.transaction {
            Some(transaction) => Ok(transaction),
            none => {
                let mut transaction = self.database.begin_isolated().await?;
                if let Some(lock) = self.lock.clone() {
                    transaction.change(lock).await?;
                }
                Ok(none.insert(transaction))
            }
        }
    }

    /// The transaction, begun by now.
    pub(crate) async fn begun(&mut self) -> Result<&mut Transaction, DatabaseFailure> {
        match &mut self.transaction {
            Some(transaction) => Ok(transaction),
            none => Ok(none.insert(self.database.begin_write().await?)),
        }
    }

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
