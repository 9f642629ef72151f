//! The transaction of one write, begun when it is first needed.

use resource_model::error::DatabaseResult;
use resource_model::query::LockMode;
use resource_model::schema::ResourceDefinition;

use super::{Database, Isolation, Transaction};

/// The changes of one write to its database, all of them or none.
#[derive(Debug)]
pub(crate) struct UnitOfWork {
    database: Database,
    /// The table to lock before a hook reads anything.
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

    /// Adds a lock of the table, taken before a hook reads anything.
    pub(crate) fn locking(self, definition: &'static ResourceDefinition, mode: LockMode) -> Self {
        Self {
            lock: Some((definition, mode)),
            ..self
        }
    }

    /// Begins the serializable transaction of a hook and takes the lock of its table, unless that is done already: no
    /// concurrent write may change what the hook has read.
    pub(crate) async fn begin_serializable(&mut self) -> DatabaseResult<&mut Transaction> {
        self.begun(Isolation::Serializable, self.lock).await
    }

    /// The transaction that was begun, at its isolation; one that begins here is read committed and locks no table.
    pub(crate) async fn begun_or_read_committed(&mut self) -> DatabaseResult<&mut Transaction> {
        self.begun(Isolation::ReadCommitted, None).await
    }

    async fn begun(
        &mut self,
        isolation: Isolation,
        lock: Option<(&'static ResourceDefinition, LockMode)>,
    ) -> DatabaseResult<&mut Transaction> {
        match &mut self.transaction {
            // All changes of a write belong to one transaction, which keeps the isolation that it began with.
            Some(transaction) => Ok(transaction),
            none => {
                let mut transaction = self.database.begin_with(isolation).await?;
                // Before the first read: a waiter then holds no snapshot that a write could invalidate.
                if let Some((definition, mode)) = lock {
                    transaction.lock_table(definition, mode).await?;
                }
                // Stored only once the lock is held: a failure drops the transaction, which rolls it back.
                Ok(none.insert(transaction))
            }
        }
    }

    pub(crate) const fn is_begun(&self) -> bool {
        self.transaction.is_some()
    }

    /// The transaction for the last change before the commit; a single statement where none is begun.
    pub(crate) fn into_transaction(self) -> DatabaseResult<Transaction> {
        match self.transaction {
            Some(transaction) => Ok(transaction),
            None => self.database.begin_single(),
        }
    }
}
