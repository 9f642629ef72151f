//! Writes of a resource that has a validator: its hooks stand around the same steps.

use std::future::Future;
use std::sync::Arc;

use tracing::Instrument as _;

use super::Service;
use super::attempts::attempts;
use super::checked::{Checked, in_time};
use crate::error::{Cause, Failure};
use crate::validator::{Facts, Hooks, RequestContext, Step};
use crate::value::{Record, Value};

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
        let checked = Checked::new(&service, &hooks, &facts);
        let (stored, id) =
            attempts(service.hook_timeout, |turn| checked.store(&record, turn)).await?;
        let created = with_key(&service, stored, &id);
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
        let checked = Checked::new(&service, &hooks, &facts);
        let changed = attempts(service.hook_timeout, |turn| {
            checked.change(&id, &record, turn)
        })
        .await?;
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
        let checked = Checked::new(&service, &hooks, &facts);
        let removed = attempts(service.hook_timeout, |turn| checked.remove(&id, turn)).await?;
        tell(service, hooks, Step::Delete, removed, facts).await;
        Ok(())
    })
    .await
}

/// Runs a write to its end even if its client goes away, so that no hook is left half-way.
async fn whole<T: Send + 'static>(
    write: impl Future<Output = Result<T, Failure>> + Send + 'static,
) -> Result<T, Failure> {
    let written = tokio::spawn(write.in_current_span()).await;
    written.unwrap_or_else(|error| Err(Failure::internal(format!("the write ended: {error}"))))
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
