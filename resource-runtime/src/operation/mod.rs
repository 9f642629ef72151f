//! The five operations on a resource, from a caller and an input to an outcome, without any HTTP.

mod bulk;
mod diagnose;
mod keys;
mod model_validation;
mod precondition;
mod retry;
mod service;
mod services;
mod write;

use std::sync::Arc;

use resource_model::error::DatabaseResult;
use resource_model::query::{ListQuery, Lookup, RowQuery, Selection};
use resource_model::schema::Attribute;
use resource_model::value::{Key, Record};

use crate::authorization::Caller;
use crate::failure::Failure;
use crate::hooks::{RequestContext, WriteKind};
use crate::items::Transaction;
use crate::store::RowVisitor;
use diagnose::no_such_item;
pub(crate) use model_validation::Draft;
pub(crate) use precondition::{Precondition, RowTag};
pub(crate) use retry::retry;
pub(crate) use service::Service;
pub(crate) use services::{Services, Writer, not_registered, write_items};
use write::Write;

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
    let item = service.database.read_item(query, new_visitor).await?;
    // No row: the item does not exist, or belongs to another owner.
    item.ok_or_else(|| no_such_item(service, key))
}

/// Checks and writes a new item; returns its key. Hooks get the `context`.
pub(crate) async fn create(
    service: &Arc<Service>,
    caller: Caller,
    context: Option<RequestContext>,
    draft: Draft,
) -> Result<Key, Failure> {
    let (write, record) = creation(service, caller, draft)?;
    let (key, _) = write.run(record, context, None).await?;
    Ok(key)
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

/// Checks the values of a draft, and writes them to the item `key`, `within` a transaction where there is one. Hooks get
/// the `context`.
pub(crate) async fn update(
    service: &Arc<Service>,
    caller: Caller,
    context: Option<RequestContext>,
    key: Key,
    draft: Draft,
    precondition: &Precondition,
    mut within: Option<&mut Transaction>,
) -> Result<(), Failure> {
    match model_validation::change(service.view(&caller), draft, &key) {
        // An empty draft changes nothing, but an item that does not exist is still 404.
        Ok(record) if record.is_empty() => {
            Box::pin(require_item(service, &caller, &key, within)).await?;
            precondition.require_of_unread(service, &key)
        }
        Ok(record) => {
            // References are taken from the record before defaults join it, which are
            // not of the caller's choice.
            precondition
                .require(service, &caller, &key, within.as_deref_mut())
                .await?;
            let write = Write::new(service, caller, WriteKind::Update, Some(key), &record);
            let (definition, value) = (service.definition, Attribute::value_on_update);
            let record = model_validation::with_defaults(definition, record, value)?;
            write.run(record, context, within).await.map(drop)
        }
        // A missing item is reported before the mistakes of its change.
        Err(error) => {
            Box::pin(require_item(service, &caller, &key, within)).await?;
            Err(error.into())
        }
    }
}

/// Removes an item that nothing refers to, `within` a transaction where there is one. Hooks get the `context`.
pub(crate) async fn delete(
    service: &Arc<Service>,
    caller: Caller,
    context: Option<RequestContext>,
    key: Key,
    precondition: &Precondition,
    mut within: Option<&mut Transaction>,
) -> Result<(), Failure> {
    precondition
        .require(service, &caller, &key, within.as_deref_mut())
        .await?;
    // A record without values, so that all three kinds of write take the same way.
    let nothing = Record::absent(service.definition.all_attributes().len());
    let write = Write::new(service, caller, WriteKind::Delete, Some(key), &nothing);
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
    let exists = match within {
        Some(transaction) => transaction.begin().await?.exists(item).await?,
        None => service.database.exists(item).await?,
    };
    exists
        .then_some(())
        .ok_or_else(|| no_such_item(service, key))
}
