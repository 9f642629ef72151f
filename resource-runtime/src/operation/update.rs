use std::sync::Arc;

use axum::body::Body;
use axum::extract::rejection::RawPathParamsRejection;
use axum::extract::{RawPathParams, State};
use axum::http::request::Parts;
use axum::http::{HeaderMap, Request};
use axum::response::Response;

use super::client::Client;
use super::diagnose::no_such_item;
use super::keys::Keys;
use super::write::write;
use super::{Service, hooked};
use crate::error::Failure;
use crate::guard::Caller;
use crate::schema::Operation;
use crate::validator::{RequestContext, Session};
use crate::value::{Record, Value};
use crate::{encode, extract, plan, validate};

/// `PUT <collection>/<id>`: changes what the body names, and nothing else.
pub(crate) async fn update(
    State(service): State<Arc<Service>>,
    path: Result<RawPathParams, RawPathParamsRejection>,
    request: Request<Body>,
) -> Result<Response, Failure> {
    let (request, body) = request.into_parts();
    let headers = &request.headers;
    let caller = service.admit(Operation::Update, headers).await?;
    let id = extract::item_id(service.definition, path)?;
    match read_change(&service, &caller, &id, headers, body).await {
        // A body that names nothing changes nothing, of an item that there is.
        Ok(record) if record.is_empty() => Box::pin(require_item(&service, &caller, &id)).await?,
        Ok(record) => change(service, caller, id, request, record).await?,
        // An item that does not exist is said before what is wrong with the body.
        Err(failure) => {
            Box::pin(require_item(&service, &caller, &id)).await?;
            return Err(failure);
        }
    }
    Ok(encode::changed())
}

async fn read_change(
    service: &Service,
    caller: &Caller,
    id: &Value,
    headers: &HeaderMap,
    body: Body,
) -> Result<Record, Failure> {
    let body = extract::body(headers, body, service.body_limit).await?;
    let view = service.view(caller);
    let draft = extract::draft(view, &body)?;
    let named = draft.named(service.definition);
    let gate = &service.gate;
    gate.require_to_write(caller, Operation::Update, named)?;
    Ok(validate::change(view, draft, id)?)
}

async fn require_item(service: &Service, caller: &Caller, id: &Value) -> Result<(), Failure> {
    let statement = plan::item_exists(service.database.dialect(), service.view(caller), id);
    if service.database.finds(statement).await? {
        return Ok(());
    }
    Err(no_such_item(service, id))
}

async fn change(
    service: Arc<Service>,
    caller: Caller,
    id: Value,
    request: Parts,
    record: Record,
) -> Result<(), Failure> {
    let context = service
        .hooks
        .clone()
        .map(|hooks| (hooks, RequestContext::new(request, &caller)));
    let client = Client::naming(caller, &service, &record);
    let record = validate::with_updates(service.definition, record)?;
    service.learn_of_triggers().await?;
    match context {
        None => {
            let session = Session::new(&service.database);
            store(&service, &client, session, &id, record).await
        }
        // On the heap, so that writes without hooks do not carry it about.
        Some((hooks, request)) => {
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
