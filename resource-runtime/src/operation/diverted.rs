//! New rows that a trigger stores elsewhere than where they were sent, as in a child of their table:
//! the statement that sent them answers no key.

use super::Service;
use crate::error::DatabaseFailure;
use crate::execute::Transaction;
use crate::guard::View;
use crate::plan;
use crate::schema::Attribute;
use crate::validator::Session;
use crate::value::{Record, Value};

/// A new row, before a trigger sees it.
#[derive(Debug)]
pub(super) enum Expected {
    /// The database assigns its key.
    Unnamed,
    /// It has a key that no row had.
    Named(Value),
    /// Another row has its key.
    Taken,
}

impl Expected {
    /// Begins the transaction, so that what a trigger did goes with a row that was not stored.
    pub(super) async fn of(
        service: &Service,
        session: &mut Session,
        record: &Record,
    ) -> Result<Self, DatabaseFailure> {
        let transaction = session.transaction().await?;
        // Hooks see another value in the place of a key that the database assigns.
        let is_named = |it: &Attribute| it.is_primary_key() && !it.is_assigned_by_database();
        let mut attributes = service.definition.all_attributes().iter();
        let key = attributes.position(is_named);
        let Some(key) = key.and_then(|index| record.get(index)) else {
            return Ok(Self::Unnamed);
        };
        Ok(if exists(service, transaction, key).await? {
            Self::Taken
        } else {
            Self::Named(key.clone())
        })
    }

    /// The key of the row, where it was stored after all.
    pub(super) async fn stored(
        self,
        service: &Service,
        transaction: &mut Transaction,
    ) -> Result<Option<Value>, DatabaseFailure> {
        let key = match self {
            Self::Unnamed => transaction.last_key(service.definition).await?,
            Self::Named(key) => Some(key),
            Self::Taken => None,
        };
        let Some(key) = key else { return Ok(None) };
        let is_stored = exists(service, transaction, &key).await?;
        Ok(is_stored.then_some(key))
    }
}

impl Service {
    /// Asks, for the first write, what triggers there are: before a hook holds a connection, so that
    /// nobody who holds one waits for another.
    pub(super) async fn learn_of_triggers(&self) -> Result<(), DatabaseFailure> {
        if self.may_divert.initialized() {
            return Ok(());
        }
        let table = self.definition.table_identifier();
        let asked = || self.database.may_divert(table);
        let learnt = Box::pin(self.may_divert.get_or_try_init(asked)).await;
        learnt.map(drop)
    }

    /// Whether a trigger may drop or divert what is written. Then each write is a transaction that is
    /// begun, so that what the trigger did is undone with what is refused.
    pub(super) fn may_divert(&self) -> bool {
        self.may_divert.get().copied().unwrap_or_default()
    }
}

async fn exists(
    service: &Service,
    transaction: &mut Transaction,
    key: &Value,
) -> Result<bool, DatabaseFailure> {
    let view = View::whole(service.definition);
    let statement = plan::item_exists(service.database.dialect(), view, key);
    transaction.finds(statement).await
}
