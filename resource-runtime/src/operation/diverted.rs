//! Triggers that drop a row, or store it elsewhere than where it was sent, as in a child of its table:
//! the statement that sent it answers no key.

use super::Service;
use super::diagnose::missing_targets;
use super::keys::Keys;
use crate::error::DatabaseFailure;
use crate::execute::{Diverting, Transaction};
use crate::schema::Attribute;
use crate::value::{Record, Value};

impl Service {
    /// Asks, for the first write, what triggers there are: before a hook holds a connection, so that
    /// nobody who holds one waits for another.
    pub(super) async fn learn_of_triggers(&self) -> Result<(), DatabaseFailure> {
        if self.diverting.initialized() {
            return Ok(());
        }
        let table = self.definition.table_identifier();
        let asked = || self.database.diverting(table);
        let learnt = Box::pin(self.diverting.get_or_try_init(asked)).await;
        learnt.map(drop)
    }

    /// The writes that a trigger may drop or divert. Each of them is a transaction that is begun, so that
    /// what the trigger did is undone with what is refused.
    pub(super) fn diverting(&self) -> Diverting {
        self.diverting.get().copied().unwrap_or_default()
    }

    /// The key of a new item, where others than the database choose it.
    pub(super) fn named_key(&self, record: &Record) -> Option<Value> {
        // Hooks see another value in the place of a key that the database assigns.
        let is_named = |it: &Attribute| it.is_primary_key() && !it.is_assigned_by_database();
        let mut attributes = self.definition.all_attributes().iter();
        let key = attributes.position(is_named)?;
        record.get(key).cloned()
    }
}

/// The key of a new item that a trigger stored elsewhere.
///
/// Where a reference points at nothing that is there for the client, nothing was sent at all, and
/// the key that the database assigned last is that of another item.
pub(super) async fn stored_elsewhere(
    service: &Service,
    transaction: &mut Transaction,
    named: Option<Value>,
    keys: Keys,
) -> Result<Option<Value>, DatabaseFailure> {
    if !service.diverting().creations {
        return Ok(None);
    }
    let missing = missing_targets(service, transaction, keys).await?;
    if !missing.is_empty() {
        return Ok(None);
    }
    let definition = service.definition;
    transaction.key_stored_elsewhere(definition, named).await
}
