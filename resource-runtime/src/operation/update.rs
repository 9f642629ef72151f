use std::sync::Arc;

use super::client::Client;
use super::diagnose::no_such_item;
use super::keys::Keys;
use super::write::write;
use super::{Service, hooked};
use crate::error::Failure;
use crate::guard::Caller;
use crate::plan;
use crate::validate::{self, Draft};
use crate::validator::{RequestContext, Session};
use crate::value::{Record, Value};

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
        Ok(record) => change(service, caller, context, id, record).await,
        // An item that does not exist is said before what is wrong with its change.
        Err(error) => {
            Box::pin(require_item(service, &caller, &id)).await?;
            Err(error.into())
        }
    }
}

/// Fails where the caller finds no item `id`.
pub(crate) async fn require_item(
    service: &Service,
    caller: &Caller,
    id: &Value,
) -> Result<(), Failure> {
    let statement = plan::item_exists(service.database.dialect(), service.view(caller), id);
    if service.database.finds(statement).await? {
        return Ok(());
    }
    Err(no_such_item(service, id))
}

async fn change(
    service: &Arc<Service>,
    caller: Caller,
    context: Option<RequestContext>,
    id: Value,
    record: Record,
) -> Result<(), Failure> {
    let client = Client::naming(caller, service, &record);
    let record = validate::with_updates(service.definition, record)?;
    service.learn_of_triggers().await?;
    match service.hooks.clone().zip(context) {
        None => {
            let session = Session::new(&service.database);
            store(service, &client, session, &id, record).await
        }
        // On the heap, so that writes without hooks do not carry it about.
        Some((hooks, request)) => {
            let service = Arc::clone(service);
            Box::pin(hooked::update(service, hooks, client, request, id, record)).await
        }
    }
}

/// Writes what `record` holds of the item `id`.
pub(super) async fn store(
    service: &Service,
    client: &Client,
    session: Session,
    id: &Value,
    mut record: Record,
) -> Result<(), Failure> {
    let keys = Keys::of_change(service, client, &record, id);
    let statement = plan::update(
        service.database.dialect(),
        client.view(service),
        &mut record,
        &service.updated_elsewhere,
        id,
        &keys.targets(service),
    );
    match statement {
        Some(statement) => {
            let is_diverted = service.diverting().changes;
            write(service, client, session, id, statement, keys, is_diverted).await
        }
        None => Ok(()),
    }
}
