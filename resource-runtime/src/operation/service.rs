//! A version of a resource, with the parts that its operations need.

use std::sync::{Arc, Weak};
use std::time::Duration;

use resource_model::error::{DatabaseFailure, DatabaseResult};
use resource_model::query::{PageLimits, QueryLimits, Selection};
use resource_model::schema::{Attribute, Reference, Referrer, ResourceDefinition};
use tokio::sync::OnceCell;

use super::{IdempotencyKeys, Services, TagSource};
use crate::authorization::{Caller, View};
use crate::clock::Clock;
use crate::hooks::{Hooks, WriteKind};
use crate::store::{Database, DatabaseTransaction, DivertedWrites, READ_COMMITTED};

/// A version of a resource, with the parts that every operation on it needs.
#[derive(Debug)]
#[allow(
    clippy::struct_excessive_bools,
    reason = "each is one property of the resource, independent of the others"
)]
pub(crate) struct Service {
    pub(crate) definition: &'static ResourceDefinition,
    /// The version to use, where this one is deprecated.
    pub(crate) successor: Option<&'static ResourceDefinition>,
    /// True where clients have routes to the resource.
    pub(crate) is_served: bool,
    pub(crate) database: Database,
    /// The validator of the resource, with its types erased.
    pub(crate) hooks: Option<Arc<dyn Hooks>>,
    /// The hooks of each subresource: a resource that an item refers to, and that a response may hold within it.
    pub(crate) subresource_hooks: Vec<Option<Arc<dyn Hooks>>>,
    /// The hooks of the items of each collection.
    pub(crate) collection_hooks: Vec<Option<Arc<dyn Hooks>>>,
    pub(crate) page_limits: PageLimits,
    pub(crate) query_limits: QueryLimits,
    pub(crate) hook_timeout: Duration,
    /// The settings of idempotency keys; none where clients cannot send any.
    pub(crate) idempotency: Option<Arc<IdempotencyKeys>>,
    pub(crate) clock: Arc<dyn Clock>,
    /// The services of all resources, for writes of hooks.
    pub(crate) services: Weak<Services>,
    /// The attributes that other versions have in the same table, with a default.
    pub(crate) defaulted_by_other_versions: Vec<&'static Attribute>,
    /// The attributes that other versions have in the same table, with a default on update.
    pub(crate) updated_by_other_versions: Vec<&'static Attribute>,
    /// The attributes of which clients may send back what they have read, though it does not fit or is only a part.
    pub(crate) told_back: Vec<usize>,
    /// The attributes of each set whose values no two items share.
    pub(crate) unique: Vec<Vec<usize>>,
    pub(crate) references: Vec<Reference>,
    pub(crate) referrers: Vec<Referrer>,
    /// The part of a row that its tag is made of; none where items have no tags.
    pub(crate) tags: Option<TagSource>,
    /// True where every change has to name the state of the item.
    pub(crate) requires_if_match: bool,
    /// True where foreign keys of the table, or to it, are checked only at the commit.
    pub(crate) defers_keys: bool,
    /// True where items refer to those of this resource without a foreign key.
    pub(crate) has_unenforced_referrers: bool,
    /// The writes that a trigger may drop or divert; read from the database once, for the first write.
    pub(crate) diverted_writes: OnceCell<DivertedWrites>,
}

impl Service {
    /// The resource as a caller may see it.
    pub(crate) const fn view<'caller>(&self, caller: &'caller Caller) -> View<'caller> {
        View::new(self.definition, caller)
    }

    /// The services of all resources.
    pub(super) fn services(&self) -> DatabaseResult<Arc<Services>> {
        // The service of a request, which is at work, keeps the others.
        let services = self.services.upgrade();
        services.ok_or_else(|| DatabaseFailure::internal("the API has ended"))
    }

    /// Tests whether another resource refers to items by this attribute.
    pub(crate) fn is_referred_to_by(&self, attribute: &Attribute) -> bool {
        let mut referrers = self.referrers.iter();
        // Other resources refer to columns, which all versions of this one share.
        referrers.any(|it| it.key.target_columns.contains(&attribute.identifier()))
    }

    /// Reads the triggers of the table, for the first write: before a hook holds a connection, so that no
    /// write holds one while it waits for another. A trigger that is added
    /// later is noticed after a restart.
    pub(super) async fn load_triggers(&self) -> DatabaseResult<()> {
        // Checked first, so that only the first writes pay for the boxed future.
        if self.diverted_writes.initialized() {
            return Ok(());
        }
        let table = self.definition.table_identifier();
        let read = async || self.database.driver()?.diverted_writes(table).await;
        let loaded = self.diverted_writes.get_or_try_init(read);
        Box::pin(loaded).await.map(drop)
    }

    /// The transaction of a write that is one statement: begun where the write needs one, as for a trigger whose own writes
    /// are rolled back with the row that it drops; otherwise the statement commits by itself.
    pub(super) async fn begin_statement(
        &self,
        is_begun: bool,
    ) -> DatabaseResult<DatabaseTransaction> {
        if is_begun {
            return Box::pin(self.database.begin_with(READ_COMMITTED)).await;
        }
        self.database.begin_single()
    }

    /// Tests whether a trigger may drop or divert a write of this kind. Such a write begins a transaction, so
    /// that a refusal also rolls back the trigger's own changes.
    pub(super) fn may_be_diverted(&self, kind: WriteKind) -> bool {
        // `load_triggers` has run before every write but those within a transaction of the developer's code, which must
        // not wait for a second connection.
        let Some(diverted) = self.diverted_writes.get() else {
            return true;
        };
        match kind {
            WriteKind::Create => diverted.inserts,
            WriteKind::Update => diverted.updates,
            WriteKind::Delete => diverted.deletes,
        }
    }

    /// The selection to read for a response: all attributes where the resource has a validator, whose format hook
    /// sees the item. `None` stands for all attributes that clients may read, with nothing expanded, formatted, cut or
    /// withheld.
    pub(crate) fn selection_to_read(
        &self,
        view: View<'_>,
        selection: Option<Selection>,
    ) -> Option<Selection> {
        // The usual case needs no selection, and takes the encoder that was made once for the resource.
        if self.hooks.is_none() && selection.is_none() && view.is_complete() {
            return None;
        }
        let mut selection = selection.unwrap_or_else(|| Selection::all(view));
        if self.hooks.is_some() {
            selection.read_whole(self.definition);
        }
        for expansion in &mut selection.expansions {
            let index = expansion.subresource;
            // A subresource is formatted by the hook of its own resource, which sees all
            // of its attributes as well.
            let hooked = matches!(self.subresource_hooks.get(index), Some(Some(_)));
            let target = self.definition.all_subresources().get(index);
            if let Some(subresource) = target.filter(|_| hooked) {
                expansion.read_whole(subresource.target());
            }
        }
        if let Some(elements) = &mut selection.elements {
            let hooks = self.collection_hooks.get(elements.index);
            // Without an attribute to show, there is nothing to format.
            if matches!(hooks, Some(Some(_))) && !elements.columns.is_empty() {
                let all = elements.collection.target().all_attributes();
                elements.columns = all.iter().collect();
            }
        }
        Some(selection)
    }
}
