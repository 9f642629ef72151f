use std::sync::Arc;

use axum::body::Body;
use axum::extract::rejection::RawPathParamsRejection;
use axum::extract::{RawPathParams, State};
use axum::http::Request;
use axum::http::request::Parts;
use axum::response::Response;

use super::diagnose::{Keys, no_such_item};
use super::write::write;
use super::{Service, hooked};
use crate::error::Failure;
use crate::validator::{RequestContext, Session};
use crate::value::{Record, Value};
use crate::{encode, extract, plan, validate};

/// `PUT <collection>/<id>`: changes what the body names, and nothing else.
pub async fn update(
    State(service): State<Arc<Service>>,
    path: Result<RawPathParams, RawPathParamsRejection>,
    request: Request<Body>,
) -> Result<Response, Failure> {
    let id = extract::item_id(service.definition, path)?;
    let (request, body) = request.into_parts();
    match read_change(&service, &id, &request, body).await {
        // A body that names nothing changes nothing, of an item that there is.
        Ok(record) if record.is_empty() => require_item(&service, &id).await?,
        Ok(record) => change(service, id, request, record).await?,
        // An item that does not exist is said before what is wrong with the body.
        Err(failure) => {
            require_item(&service, &id).await?;
            return Err(failure);
        }
    }
    Ok(encode::changed())
}

async fn read_change(
    service: &Service,
    id: &Value,
    request: &Parts,
    body: Body,
) -> Result<Record, Failure> {
    let body = extract::body(&request.headers, body, service.body_limit).await?;
    let draft = extract::draft(service.definition, &body)?;
    Ok(validate::change(service.definition, draft, id)?)
}

async fn require_item(service: &Service, id: &Value) -> Result<(), Failure> {
    let statement = plan::item_exists(service.database.dialect(), service.definition, id);
    if service.database.finds(statement).await? {
        return Ok(());
    }
    Err(no_such_item(service, id))
}

async fn change(
    service: Arc<Service>,
    id: Value,
    request: Parts,
    record: Record,
) -> Result<(), Failure> {
    let record = validate::with_updates(service.definition, record)?;
    match service.hooks.clone() {
        None => store(&service, Session::new(&service.database), &id, record).await,
        Some(hooks) => {
            let request = RequestContext::new(request);
            hooked::update(service, hooks, request, id, record).await
        }
    }
}

/// Writes what `record` holds of the item `id`.
pub(super) async fn store(
    service: &Service,
    session: Session,
    id: &Value,
    mut record: Record,
) -> Result<(), Failure> {
    let keys = Keys::of_change(service, &record, id);
    let statement = plan::update(
        service.database.dialect(),
        service.definition,
        &mut record,
        &service.updated_elsewhere,
        id,
    );
    match statement {
        Some(statement) => write(service, session, id, statement, keys).await,
        None => Ok(()),
    }
}
