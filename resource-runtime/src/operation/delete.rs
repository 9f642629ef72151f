use std::sync::Arc;

use axum::body::Body;
use axum::extract::rejection::RawPathParamsRejection;
use axum::extract::{RawPathParams, State};
use axum::http::Request;
use axum::response::Response;

use super::client::Client;
use super::keys::Keys;
use super::write::write;
use super::{Service, hooked};
use crate::error::Failure;
use crate::schema::Operation;
use crate::validator::{RequestContext, Session};
use crate::value::Value;
use crate::{encode, extract};

/// `DELETE <collection>/<id>`: removes an item that nothing refers to.
pub(crate) async fn delete(
    State(service): State<Arc<Service>>,
    path: Result<RawPathParams, RawPathParamsRejection>,
    request: Request<Body>,
) -> Result<Response, Failure> {
    let (request, _) = request.into_parts();
    let headers = &request.headers;
    let caller = service.admit(Operation::Delete, headers).await?;
    let id = extract::item_id(service.definition, path)?;
    service.learn_of_triggers().await?;
    match service.hooks.clone() {
        None => {
            let (client, session) = (Client::new(caller), Session::new(&service.database));
            remove(&service, &client, session, &id).await?;
        }
        Some(hooks) => {
            let request = RequestContext::new(request, &caller);
            let delete = hooked::delete(service, hooks, Client::new(caller), request, id);
            Box::pin(delete).await?;
        }
    }
    Ok(encode::changed())
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
