//! Writes of a resource that has a validator: its hooks stand around the same steps.

use std::future::Future;
use std::sync::Arc;

use tracing::Instrument as _;

use super::Service;
use super::attempts::{Attempt, attempts};
use super::create::store as store_new;
use super::delete::remove;
use super::diagnose::no_such_item;
use super::update::store as store_changes;
use crate::error::{Cause, DatabaseFailure, Failure};
use crate::execute::Kept;
use crate::validator::{Facts, HookFuture, Hooks, RequestContext, Session, Step, Write};
use crate::value::{Record, Value};
use crate::{plan, validate};

/// Checks and writes a new item; answers its key.
pub(super) async fn create(
    service: Arc<Service>,
    hooks: Arc<dyn Hooks>,
    request: RequestContext,
    record: Record,
) -> Result<Value, Failure> {
    whole(async move {
        let facts = Arc::new(Facts::new(request, None, &record));
        let record = with_key(&service, record, &Value::Integer(0)).filled_with(&Value::Null);
        let store = |attempt| store_checked(&service, &hooks, &facts, &record, attempt);
        let (checked, id) = attempts(store).await?;
        let created = with_key(&service, checked, &id);
        let facts = Arc::new(facts.of_item(&id));
        tell(service, hooks, Step::Create, created, facts).await;
        Ok(id)
    })
    .await
}

/// Checks the item `id` as it would be with the changes of `record`, and writes them.
pub(super) async fn update(
    service: Arc<Service>,
    hooks: Arc<dyn Hooks>,
    request: RequestContext,
    id: Value,
    record: Record,
) -> Result<(), Failure> {
    whole(async move {
        let facts = Arc::new(Facts::new(request, Some(id.clone()), &record));
        let change = |attempt| change_checked(&service, &hooks, &facts, &id, &record, attempt);
        let changed = attempts(change).await?;
        tell(service, hooks, Step::Update, changed, facts).await;
        Ok(())
    })
    .await
}

/// Checks that the item `id` may be removed, and removes it.
pub(super) async fn delete(
    service: Arc<Service>,
    hooks: Arc<dyn Hooks>,
    request: RequestContext,
    id: Value,
) -> Result<(), Failure> {
    whole(async move {
        let nothing = Record::absent(service.definition.all_attributes().len());
        let facts = Arc::new(Facts::new(request, Some(id.clone()), &nothing));
        let remove = |attempt| remove_checked(&service, &hooks, &facts, &id, attempt);
        let removed = attempts(remove).await?;
        tell(service, hooks, Step::Delete, removed, facts).await;
        Ok(())
    })
    .await
}

/// Answers the item as it was stored, and its key.
async fn store_checked(
    service: &Service,
    hooks: &Arc<dyn Hooks>,
    facts: &Arc<Facts>,
    record: &Record,
    attempt: Attempt,
) -> Result<(Record, Value), Failure> {
    let mut write = begin(service, facts, attempt).await?;
    let hook = hooks.before(Step::Create, record.clone(), &mut write);
    let checked = in_time(service, hook).await?;
    require_fit(service, record, &checked)?;
    let id = store_new(service, write.session, checked.clone()).await?;
    Ok((checked, id))
}

/// Answers the item as it is now.
async fn change_checked(
    service: &Service,
    hooks: &Arc<dyn Hooks>,
    facts: &Arc<Facts>,
    id: &Value,
    record: &Record,
    attempt: Attempt,
) -> Result<Record, Failure> {
    let merge = |stored: &Record| stored.with(record);
    let (write, merged, checked) =
        before(service, hooks, (Step::Update, attempt), facts, id, merge).await?;
    require_fit(service, &merged, &checked)?;
    let changes = changes(record, &merged, &checked);
    store_changes(service, write.session, id, changes).await?;
    Ok(checked)
}

/// Answers the item that was removed.
async fn remove_checked(
    service: &Service,
    hooks: &Arc<dyn Hooks>,
    facts: &Arc<Facts>,
    id: &Value,
    attempt: Attempt,
) -> Result<Record, Failure> {
    let (write, stored, _) = before(
        service,
        hooks,
        (Step::Delete, attempt),
        facts,
        id,
        Record::clone,
    )
    .await?;
    remove(service, write.session, id).await?;
    Ok(stored)
}

async fn begin(
    service: &Service,
    facts: &Arc<Facts>,
    attempt: Attempt,
) -> Result<Write, DatabaseFailure> {
    let mut session = Session::new(&service.database);
    if attempt == Attempt::Alone {
        let statement = plan::alone(service.database.dialect(), service.definition);
        session.begin_alone(statement).await?;
    }
    Ok(Write {
        facts: facts.clone(),
        session,
    })
}

/// Lets the hook *before* see the item `id` as the write makes it; answers the write, within a
/// transaction, with what the hook saw and what it made of it.
///
/// The item is read before the transaction begins, so that a slow hook keeps no other writer
/// waiting. Where it is another by then, the hook has to see it anew.
async fn before(
    service: &Service,
    hooks: &Arc<dyn Hooks>,
    (step, attempt): (Step, Attempt),
    facts: &Arc<Facts>,
    id: &Value,
    merge: impl Fn(&Record) -> Record,
) -> Result<(Write, Record, Record), Failure> {
    let mut write = begin(service, facts, attempt).await?;
    let stored = match attempt {
        Attempt::Open => read(service, id).await?,
        Attempt::Alone => read_within(service, &mut write, id).await?,
    };
    let merged = merge(&stored);
    let hook = hooks.before(step, merged.clone(), &mut write);
    let checked = in_time(service, hook).await?;
    if read_within(service, &mut write, id).await? != stored {
        return Err(Failure::again("the item was changed while its hook ran"));
    }
    Ok((write, merged, checked))
}

/// Runs a write to its end even if its client goes away, so that no hook is left half-way.
async fn whole<T: Send + 'static>(
    write: impl Future<Output = Result<T, Failure>> + Send + 'static,
) -> Result<T, Failure> {
    let written = tokio::spawn(write.in_current_span()).await;
    written.unwrap_or_else(|error| Err(Failure::internal(format!("the write ended: {error}"))))
}

/// A hook that never ends would keep all other writers waiting with it.
async fn in_time<T>(service: &Service, hook: HookFuture<'_, T>) -> Result<T, Failure> {
    let limit = service.hook_timeout;
    let in_time = tokio::time::timeout(limit, hook).await;
    in_time.unwrap_or_else(|_| {
        Err(Failure::internal(format!(
            "a hook took longer than {limit:?}"
        )))
    })
}

/// Tells the hook *after* of a write. Whatever becomes of it, the write is done.
async fn tell(
    service: Arc<Service>,
    hooks: Arc<dyn Hooks>,
    step: Step,
    record: Record,
    facts: Arc<Facts>,
) {
    let told = async move { in_time(&service, hooks.after(step, record, facts)).await };
    let cause = match tokio::spawn(told.in_current_span()).await {
        Ok(Ok(())) => return,
        Ok(Err(failure)) => match failure.cause() {
            Cause::Again(cause) | Cause::Internal(cause) => cause.clone(),
            Cause::Refused(error) => error.description().to_owned(),
        },
        Err(error) => error.to_string(),
    };
    tracing::error!(cause, ?step, "a hook failed after the write was done");
}

async fn read(service: &Service, id: &Value) -> Result<Record, Failure> {
    let definition = service.definition;
    let statement = plan::whole_item(service.database.dialect(), definition, id);
    let kept = || Kept::of(definition.all_attributes());
    let kept = service.database.read_item(statement, kept).await?;
    let record = kept.and_then(Kept::into_record);
    record.ok_or_else(|| no_such_item(service, id))
}

async fn read_within(service: &Service, write: &mut Write, id: &Value) -> Result<Record, Failure> {
    let definition = service.definition;
    let statement = plan::whole_item(service.database.dialect(), definition, id);
    let transaction = write.session.transaction().await?;
    let row = transaction.row(statement, definition.all_attributes());
    row.await?.ok_or_else(|| no_such_item(service, id))
}

/// A key that the database assigns has no value before, so one stands in its place.
fn with_key(service: &Service, mut record: Record, value: &Value) -> Record {
    let attributes = service.definition.all_attributes().iter().enumerate();
    for (index, attribute) in attributes {
        if attribute.is_assigned_by_database() {
            record.set(index, value.clone());
        }
    }
    record
}

/// What is written: what the client changes, and what the hook changed beside it.
fn changes(named: &Record, merged: &Record, checked: &Record) -> Record {
    let mut changes = Record::absent(checked.len());
    for index in 0..checked.len() {
        let value = checked.get(index);
        let is_set = named.get(index).is_some() || value != merged.get(index);
        if let Some(value) = value.filter(|_| is_set) {
            changes.set(index, value.clone());
        }
    }
    changes
}

/// A hook that stores what the model forbids is a defect of the service, not of its client.
fn require_fit(service: &Service, before: &Record, checked: &Record) -> Result<(), Failure> {
    let misfit = validate::altered_misfit(service.definition, before, checked);
    misfit.map_or(Ok(()), |misfit| {
        let resource = service.definition.name();
        Err(Failure::internal(format!(
            "a hook of `{resource}` set a value that the model forbids: {misfit}"
        )))
    })
}
