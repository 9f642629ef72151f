use std::sync::Arc;

use super::client::Client;
use super::keys::Keys;
use super::write::write;
use super::{Service, hooked};
use crate::error::Failure;
use crate::guard::Caller;
use crate::validator::{RequestContext, Session};
use crate::value::Value;

/// Removes an item that nothing refers to. Hooks are told of the `context`.
pub(crate) async fn delete(
    service: &Arc<Service>,
    caller: Caller,
    context: Option<RequestContext>,
    id: Value,
) -> Result<(), Failure> {
    service.learn_of_triggers().await?;
    let client = Client::new(caller);
    match service.hooks.clone().zip(context) {
        None => {
            let session = Session::new(&service.database);
            remove(service, &client, session, &id).await
        }
        // On the heap, so that removals without hooks do not carry it about.
        Some((hooks, request)) => {
            let service = Arc::clone(service);
            Box::pin(hooked::delete(service, hooks, client, request, id)).await
        }
    }
}

/// Removes the item `id`.
pub(super) async fn remove(
    service: &Service,
    client: &Client,
    session: Session,
    id: &Value,
) -> Result<(), Failure> {
    let statement = service.planner.delete(client.view(service), id);
    let keys = Keys::of_removal(id);
    let is_diverted = service.diverting().removals;
    write(service, client, session, id, statement, keys, is_diverted).await
}
