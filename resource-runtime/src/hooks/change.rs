//! A write as validators and hooks see it.

use std::fmt;
use std::future::{Ready, ready};
use std::marker::PhantomData;
use std::ops::Deref;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use resource_model::value::{ItemKey as _, Key, Record, Value};

use super::{HookError, HookResult, RequestContext};
use crate::items::{Items, Transaction};
use crate::{ApiResource, Column};

/// A write as validators and hooks see it, whatever its resource.
#[derive(Debug, Clone)]
pub(crate) struct WriteInfo {
    pub(crate) request: RequestContext,
    pub(crate) key: Option<Key>,
    /// True for each attribute that the write sets.
    pub(crate) changed: Vec<bool>,
    /// The item before the change; none of a new one.
    stored: Option<Arc<Record>>,
}

impl WriteInfo {
    /// A write that sets the values which `record` holds.
    pub(crate) fn new(request: RequestContext, key: Option<Key>, record: &Record) -> Self {
        // Kept as flags, because hooks change the record itself and complete it.
        let changed = (0..record.len()).map(|index| record.get(index).is_some());
        Self {
            request,
            key,
            changed: changed.collect(),
            stored: None,
        }
    }

    /// The same write, of an item that is stored like this, which sets no other values than `record` holds.
    pub(crate) fn of_stored(&self, stored: Option<Arc<Record>>, record: &Record) -> Self {
        let changed = self.changed.iter().enumerate();
        let changed = changed.map(|(index, set)| *set && record.get(index).is_some());
        Self {
            stored,
            changed: changed.collect(),
            ..self.clone()
        }
    }

    /// The same write, once the item has a key.
    pub(crate) fn of_item(&self, key: &Key) -> Self {
        Self {
            key: Some(key.clone()),
            ..self.clone()
        }
    }
}

/// A change that a write makes, and the request for it, to which it dereferences.
pub struct Change<R> {
    info: Arc<WriteInfo>,
    /// Set by the default of a hook that follows the statement, or the commit.
    is_default: AtomicBool,
    resource: PhantomData<fn() -> R>,
}

impl<R: ApiResource> Change<R> {
    pub(super) const fn new(info: Arc<WriteInfo>) -> Self {
        Self {
            info,
            is_default: AtomicBool::new(false),
            resource: PhantomData,
        }
    }

    /// Notes that the resource has no hook of the kind that was called; returns the result of its default.
    pub(super) fn note_default(&self) -> Ready<HookResult> {
        self.is_default.store(true, Ordering::Relaxed);
        ready(Ok(()))
    }

    /// Tests whether the last hook that was called is the resource's own, and forgets it for the next one.
    pub(super) fn take_has_hook(&self) -> bool {
        !self.is_default.swap(false, Ordering::Relaxed)
    }

    /// The value of a primary key of one part; `None` before the item is created.
    #[must_use]
    pub fn id(&self) -> Option<&Value> {
        self.info.key.as_ref().and_then(Key::only)
    }

    /// The primary key of the item, of several parts as a tuple; `None` before the item is created.
    ///
    /// ```
    /// # use resource_runtime::{ApiResource, Change, HookResult, Validator};
    /// # #[derive(ApiResource)]
    /// # #[resource(name = "Seat", url = "/seats", version = "1.0")]
    /// # struct Seat { #[resource(primary_key)] row: String, #[resource(primary_key)] number: i32 }
    /// struct Log;
    ///
    /// impl Validator<Seat> for Log {
    ///     async fn after_delete(&self, _: &Seat, change: &Change<Seat>) -> HookResult {
    ///         if let Some((row, number)) = change.key()? {
    ///             println!("seat {number} of row {row} is gone");
    ///         }
    ///         Ok(())
    ///     }
    /// }
    /// ```
    ///
    /// # Errors
    ///
    /// The key is no `R::Key`.
    pub fn key(&self) -> Result<Option<R::Key>, HookError> {
        let key = self.info.key.clone().map(R::Key::from_key).transpose();
        key.map_err(|error| HookError::failed(format!("a stored item has a key that {error}")))
    }

    /// The item before the change; `None` of a new one.
    ///
    /// # Errors
    ///
    /// The stored item is no `R`.
    pub fn stored(&self) -> Result<Option<R>, HookError> {
        let stored = self.info.stored.as_deref().cloned();
        let stored = stored.map(R::from_record).transpose();
        stored.map_err(|error| HookError::failed(format!("a stored item has a value {error}")))
    }

    /// Tests whether the write sets this attribute: the client named it, or it has a default that applies.
    #[must_use]
    pub fn changes<T>(&self, column: Column<R, T>) -> bool {
        // The index always fits, as the column and the record are of the same resource.
        let changed = self.info.changed.get(column.index());
        changed.copied().unwrap_or_default()
    }
}

impl<R> Deref for Change<R> {
    type Target = RequestContext;

    fn deref(&self) -> &RequestContext {
        &self.info.request
    }
}

impl<R> fmt::Debug for Change<R> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Change")
            .field("request", &self.info.request)
            .field("key", &self.info.key)
            .finish_non_exhaustive()
    }
}

/// A [`Change`] that is not written yet, with the transaction that will write it.
pub struct WriteContext<'write, R> {
    change: Change<R>,
    transaction: &'write mut Transaction,
}

impl<'write, R: ApiResource> WriteContext<'write, R> {
    pub(super) fn new(info: &Arc<WriteInfo>, transaction: &'write mut Transaction) -> Self {
        Self {
            // The context shares the write with the hooks that follow.
            change: Change::new(info.clone()),
            transaction,
        }
    }

    /// The items of another resource, or of this one, in the transaction of the write. Writes run the hooks of their
    /// resource, at most 8 deep.
    ///
    /// ```
    /// # use resource_runtime::{ApiResource, HookResult, Validator, WriteContext};
    /// # #[derive(ApiResource)]
    /// # #[resource(name = "Order", url = "/orders", version = "1.0")]
    /// # struct Order { id: i64, article: String }
    /// # #[derive(ApiResource)]
    /// # #[resource(name = "Event", url = "/events", version = "1.0")]
    /// # struct Event { id: i64, order_id: i64 }
    /// struct Outbox;
    ///
    /// impl Validator<Order> for Outbox {
    ///     async fn row_created(
    ///         &self,
    ///         order: &mut Order,
    ///         context: &mut WriteContext<'_, Order>,
    ///     ) -> HookResult {
    ///         let event = Event { id: 0, order_id: order.id };
    ///         context.items::<Event>().insert(event).await?;
    ///         Ok(())
    ///     }
    /// }
    /// ```
    pub fn items<S: ApiResource>(&mut self) -> Items<S, &mut Transaction> {
        self.transaction.items()
    }

    /// The transaction of the write, for SQL of your own: it sees its own changes, and none of others that are not
    /// committed yet.
    ///
    /// A rule about several items holds, "at most three notes of one owner", as if the writes with hooks
    /// had happened one after the other. On SQLite it keeps all other writers waiting from here to the end
    /// of the write, so do slow work before. On PostgreSQL it is serializable: of two writes that conflict,
    /// one is retried with all of its hooks.
    ///
    /// A statement of a [`Transaction`] that fails, or whose future is dropped half-way, rolls it
    /// back, and all that follows fails as well: hand its error on by `?`.
    ///
    /// # Errors
    ///
    /// The database is not free in time.
    pub async fn database(&mut self) -> Result<&mut Transaction, HookError> {
        // The transaction begins with the first call: a hook that never calls this
        // keeps no other write waiting.
        let begun = self.transaction.begin().await;
        begun.map_err(HookError::of_database)?;
        Ok(self.transaction)
    }
}

impl<R> Deref for WriteContext<'_, R> {
    type Target = Change<R>;

    fn deref(&self) -> &Change<R> {
        &self.change
    }
}

impl<R> fmt::Debug for WriteContext<'_, R> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        // The transaction would show what other requests read.
        write!(formatter, "WriteContext({:?})", self.change)
    }
}

#[cfg(test)]
mod tests {
    use crate::{Transaction, WriteContext};

    const fn assert_shared<T: Send + Sync>() {}

    /// Futures of hooks borrow them, and have to be `Send`.
    const _: () = {
        assert_shared::<Transaction>();
        assert_shared::<WriteContext<'static, resource_model::samples::Person>>();
    };
}
