//! The five operations: a caller and an input become an outcome. They know no HTTP.

mod diagnose;
mod keys;
mod retry;
mod service;
mod write;

use std::sync::Arc;

use crate::error::{DatabaseFailure, Failure};
use crate::execute::RowVisitor;
use crate::guard::{Caller, View};
use crate::plan;
use crate::query::{ListQuery, Selection};
use crate::validate::{self, Draft};
use crate::validator::{RequestContext, WriteKind};
use crate::value::{Record, Value};

use diagnose::no_such_item;
pub(crate) use service::Service;
use write::Write;

/// Lends the rows of one page to a visitor; returns it, and how many items there are in all. The future
/// borrows nothing, so that a page is read on while it is sent.
pub(crate) fn list<V: RowVisitor, F: Fn() -> V + Send + Sync + 'static>(
    service: &Arc<Service>,
    caller: &Caller,
    query: &ListQuery,
    visitor: F,
) -> impl Future<Output = Result<(V, u64), DatabaseFailure>> + Send + use<V, F> {
    let page = plan::page(service.database.dialect(), service.view(caller), query);
    let service = Arc::clone(service);
    async move { service.database.read_page(page, visitor).await }
}

/// Lends the row of one item to a visitor, and returns it.
pub(crate) async fn retrieve<V: RowVisitor>(
    service: &Service,
    caller: &Caller,
    id: &Value,
    selection: Option<&Selection>,
    visitor: impl Fn() -> V + Send + Sync + 'static,
) -> Result<V, Failure> {
    let dialect = service.database.dialect();
    let statement = plan::item(dialect, service.view(caller), id, selection);
    let item = service.database.read_item(statement, visitor).await?;
    item.ok_or_else(|| no_such_item(service, id))
}

/// Checks and writes a new item; returns its key. Hooks are told of the `context`.
pub(crate) async fn create(
    service: &Arc<Service>,
    caller: Caller,
    context: Option<RequestContext>,
    draft: Draft,
) -> Result<Value, Failure> {
    let write = Write::new(service, caller, WriteKind::Create, None, &draft.record);
    let record = validate::creation(write.view(), draft)?;
    write.run(record, context).await
}

/// Checks and writes what a draft names of the item `id`. Hooks are told of the `context`.
pub(crate) async fn update(
    service: &Arc<Service>,
    caller: Caller,
    context: Option<RequestContext>,
    id: Value,
    draft: Draft,
) -> Result<(), Failure> {
    match validate::change(service.view(&caller), draft, &id) {
        // A draft that names nothing changes nothing, of an item that there is.
        Ok(record) if record.is_empty() => Box::pin(require_item(service, &caller, &id)).await,
        Ok(record) => {
            let write = Write::new(service, caller, WriteKind::Update, Some(id), &record);
            let record = validate::with_updates(service.definition, record)?;
            write.run(record, context).await.map(drop)
        }
        // An item that does not exist is said before what is wrong with its change.
        Err(error) => {
            Box::pin(require_item(service, &caller, &id)).await?;
            Err(error.into())
        }
    }
}

/// Removes an item that nothing refers to. Hooks are told of the `context`.
pub(crate) async fn delete(
    service: &Arc<Service>,
    caller: Caller,
    context: Option<RequestContext>,
    id: Value,
) -> Result<(), Failure> {
    let nothing = Record::absent(service.definition.all_attributes().len());
    let write = Write::new(service, caller, WriteKind::Delete, Some(id), &nothing);
    write.run(nothing, context).await.map(drop)
}

/// Fails where the caller finds no item `id`.
pub(crate) async fn require_item(
    service: &Service,
    caller: &Caller,
    id: &Value,
) -> Result<(), Failure> {
    let view = View::new(service.definition, caller);
    let statement = plan::item_exists(service.database.dialect(), view, id);
    if service.database.finds(statement).await? {
        return Ok(());
    }
    Err(no_such_item(service, id))
}
