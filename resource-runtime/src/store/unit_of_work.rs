//! The transaction of one write, begun when something first needs it.

use resource_model::error::DatabaseResult;
use resource_model::query::LockMode;
use resource_model::schema::ResourceDefinition;

use super::{Database, Isolation, Transaction};

/// The changes of one write to its database, all of them or none.
#[derive(Debug)]
pub(crate) struct UnitOfWork {
    database: Database,
    /// The table to lock before all that a hook reads.
    lock: Option<(&'static ResourceDefinition, LockMode)>,
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

    /// The same, where a lock of the table comes before all that a hook reads.
    pub(crate) fn locking(self, definition: &'static ResourceDefinition, mode: LockMode) -> Self {
        Self {
            lock: Some((definition, mode)),
            ..self
        }
    }

    /// The transaction of a hook: whatever it reads, no other write may outrun it.
    pub(crate) async fn serializable(&mut self) -> DatabaseResult<&mut Transaction> {
        match &mut self.transaction {
            Some(transaction) => Ok(transaction),
            none => {
                let begun = self.database.begin_with(Isolation::Serializable);
                let mut transaction = begun.await?;
                if let Some((definition, mode)) = self.lock {
                    transaction.lock_table(definition, mode).await?;
                }
                Ok(none.insert(transaction))
            }
        }
    }

    /// The transaction; begun now, it locks no table.
    pub(crate) async fn read_committed(&mut self) -> DatabaseResult<&mut Transaction> {
        match &mut self.transaction {
            Some(transaction) => Ok(transaction),
            none => {
                let begun = self.database.begin_with(Isolation::ReadCommitted);
                Ok(none.insert(begun.await?))
            }
        }
    }

    pub(crate) const fn is_begun(&self) -> bool {
        self.transaction.is_some()
    }

    /// The transaction, to make one change and commit.
    pub(crate) fn into_transaction(self) -> DatabaseResult<Transaction> {
        match self.transaction {
            Some(transaction) => Ok(transaction),
            None => self.database.begin_single(),
        }
    }
}
