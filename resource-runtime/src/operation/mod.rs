//! The five operations on a resource, from a caller and an input to an outcome, without any HTTP.

mod bulk;
mod diagnose;
mod idempotency;
mod keys;
mod model_validation;
mod precondition;
mod retry;
mod row_tag;
mod service;
mod services;
mod upsert;
mod write;

use std::sync::Arc;

use resource_model::error::{DatabaseFailure, DatabaseResult, Violation};
use resource_model::query::{ListQuery, Lookup, RowQuery, Selection};
use resource_model::schema::Attribute;
use resource_model::value::{Key, Record};

use crate::authorization::Caller;
use crate::failure::Failure;
use crate::hooks::{RequestContext, WriteKind};
use crate::items::Transaction;
use crate::store::RowVisitor;
use diagnose::{exists, no_such_item};
use idempotency::create_once;
pub(crate) use idempotency::{IdempotencyKeys, KeyedRequest, StoredAnswer};
pub(crate) use model_validation::Draft;
pub(crate) use precondition::Precondition;
pub(crate) use retry::retry;
pub(crate) use row_tag::{RowTag, TagSource, digests};
pub(crate) use service::Service;
pub(crate) use services::{Services, Writer, not_registered, write_items};
pub(crate) use upsert::upsert;
use write::{IS_ASSIGNED, Write, begun};

/// Lends the rows of one page to a visitor, a new one for each attempt; returns the visitor and the total of items.
/// The future borrows nothing, so that a task can read the rest of a page while its response is sent.
pub(crate) fn list<V: RowVisitor, F: Fn() -> V + Send + Sync + 'static>(
    service: &Service,
    caller: &Caller,
    query: &ListQuery,
    new_visitor: F,
) -> impl Future<Output = DatabaseResult<(V, u64)>> + Send + use<V, F> {
    service
        .database
        .page(service.view(caller), query, new_visitor)
}

/// Lends the row of one item to a visitor, a new one for each attempt, and returns it.
pub(crate) async fn retrieve<V: RowVisitor>(
    service: &Service,
    caller: &Caller,
    key: &Key,
    selection: Option<&Selection>,
    new_visitor: impl Fn() -> V + Send + Sync + 'static,
) -> Result<V, Failure> {
    let query = RowQuery::Item {
        view: service.view(caller),
        key,
        selection,
    };
    let item = match service.database.read_item(query, new_visitor).await {
        // A text that the type of the key column rejects is the key of no item.
        Err(DatabaseFailure::ConstraintViolation(Violation::Check(..), _)) => None,
        item => item?,
    };
    // No row: the item does not exist, or belongs to another owner.
    item.ok_or_else(|| no_such_item(service, key))
}

/// The terms of a write, beside its values.
#[derive(Debug, Default)]
pub(crate) struct Terms {
    pub(crate) precondition: Precondition,
    /// True where the tag of the item is to be told.
    pub(crate) wants_tag: bool,
    /// The request that creates nothing when it comes again.
    pub(crate) keyed: Option<KeyedRequest>,
}

/// An item that was written.
#[derive(Debug)]
pub(crate) struct Stored {
    pub(crate) key: Key,
    /// The tag of the item, where it is wanted, and known without another read.
    pub(crate) tag: Option<RowTag>,
    /// True where an earlier request of the same idempotency key has written it.
    pub(crate) is_repeated: bool,
}

impl Stored {
    const fn new(key: Key, tag: Option<RowTag>) -> Self {
        Self {
            key,
            tag,
            is_repeated: false,
        }
    }

    fn repeated(key: Key) -> Self {
        Self {
            is_repeated: true,
            ..Self::new(key, None)
        }
    }
}

/// Checks and writes a new item; returns its key and its tag. Hooks get the `context`.
pub(crate) async fn create(
    service: &Arc<Service>,
    caller: Caller,
    context: Option<RequestContext>,
    draft: Result<Draft, Failure>,
    terms: &Terms,
) -> Result<Stored, Failure> {
    if let Some(keyed) = &terms.keyed {
        // On the heap, so that the futures of requests without a key stay small.
        return Box::pin(create_once(service, caller, context, draft, terms, keyed)).await;
    }
    create_new(service, caller, context, draft?, terms).await
}

async fn create_new(
    service: &Arc<Service>,
    caller: Caller,
    context: Option<RequestContext>,
    draft: Draft,
    terms: &Terms,
) -> Result<Stored, Failure> {
    let (mut write, record) = creation(service, caller, draft)?;
    write.keyed.clone_from(&terms.keyed);
    let source = service.tags.filter(|_| terms.wants_tag);
    write.returns_item = source.is_some();
    // The statement consumes the record.
    let new = source.and_then(|source| source.of_new(&record));
    let (key, changed) = write.run(record, context, None).await?;
    let with_key = |new| service.definition.with_key(new, &key, IS_ASSIGNED);
    // Hooks may have changed it.
    let item = changed.or_else(|| new.map(with_key));
    let tag = source.zip(item);
    let tag = tag.and_then(|(source, item)| source.of_record(&item));
    Ok(Stored::new(key, told(service, WriteKind::Create, tag)))
}

/// The tag that the client of a write is told: none of a row that a trigger may have changed, or of texts in the words
/// of the database.
fn told(service: &Service, kind: WriteKind, tag: Option<RowTag>) -> Option<RowTag> {
    let attributes = service.definition.all_attributes();
    let is_known = || {
        !service.may_be_diverted(kind) && !attributes.iter().any(Attribute::has_text_of_database)
    };
    tag.filter(|tag| matches!(tag, RowTag::Revision(_)) || is_known())
}

/// The write of a new item, and its checked values.
fn creation(
    service: &Arc<Service>,
    caller: Caller,
    draft: Draft,
) -> Result<(Write, Record), Failure> {
    // References are taken from the draft: defaults, which validation adds, are not of the caller's choice.
    let write = Write::new(service, caller, WriteKind::Create, None, &draft.record);
    let record = model_validation::creation(write.view(), draft)?;
    Ok((write, record))
}

/// Checks the values of a draft, and writes them to the item `key`, `within` a transaction where there is one; returns
/// the tag of the item where it is known without another read. Hooks get the `context`.
pub(crate) async fn update(
    service: &Arc<Service>,
    caller: Caller,
    context: Option<RequestContext>,
    key: Key,
    mut draft: Draft,
    terms: &Terms,
    within: Option<&mut Transaction>,
) -> Result<Stored, Failure> {
    model_validation::note_told_back(service, &caller, &mut draft);
    let patches = draft.patches.clone();
    let record = match model_validation::change(service.view(&caller), draft, &key) {
        Ok(record) => record,
        // A missing item is reported before the mistakes of its change.
        Err(error) => {
            Box::pin(require_item(service, &caller, &key, within)).await?;
            return Err(error.into());
        }
    };
    // References are taken from the record before defaults join it, which are
    // not of the caller's choice.
    let item = Some(key.clone());
    let mut write = Write::new(service, caller, WriteKind::Update, item, &record);
    write.patches = patches;
    write.precondition.clone_from(&terms.precondition);
    let source = service.tags.filter(|_| terms.wants_tag);
    let tag_of = |record: &Record| source.and_then(|source| source.of_record(record));
    // An empty draft changes nothing, but an item that does not exist is still 404.
    if record.is_empty() {
        let begun = begun(within).await?;
        let stored = Box::pin(write.read(&key, begun, false)).await?;
        write.precondition.require(&write, &stored)?;
        return Ok(Stored::new(key, tag_of(&stored)));
    }
    let (definition, value) = (service.definition, Attribute::value_on_update);
    let record = model_validation::with_defaults(definition, record, value)?;
    let tag = tag_of(&record);
    write.returns_item = source.is_some();
    let (key, item) = write.run(record, context, within).await?;
    let tag = item.as_ref().map_or(tag, tag_of);
    Ok(Stored::new(key, told(service, WriteKind::Update, tag)))
}

/// Removes an item that nothing refers to, `within` a transaction where there is one. Hooks get the `context`.
pub(crate) async fn delete(
    service: &Arc<Service>,
    caller: Caller,
    context: Option<RequestContext>,
    key: Key,
    precondition: Precondition,
    within: Option<&mut Transaction>,
) -> Result<(), Failure> {
    // A record without values, so that all three kinds of write take the same way.
    let nothing = Record::absent(service.definition.all_attributes().len());
    let mut write = Write::new(service, caller, WriteKind::Delete, Some(key), &nothing);
    write.precondition = precondition;
    write.run(nothing, context, within).await.map(drop)
}

/// Fails where no item `key` is visible to the caller.
pub(crate) async fn require_item(
    service: &Service,
    caller: &Caller,
    key: &Key,
    within: Option<&mut Transaction>,
) -> Result<(), Failure> {
    // An item of another owner is as missing as one that never was: the view limits the rows.
    let item = Lookup::Item {
        view: service.view(caller),
        key,
    };
    exists(service, begun(within).await?, item)
        .await?
        .then_some(())
        .ok_or_else(|| no_such_item(service, key))
}
