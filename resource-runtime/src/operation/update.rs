use std::sync::Arc;

use axum::body::Body;
use axum::extract::rejection::RawPathParamsRejection;
use axum::extract::{RawPathParams, State};
use axum::http::Request;
use axum::response::Response;

use super::Service;
use super::diagnose::{References, no_such_item};
use super::write::write;
use crate::error::Failure;
use crate::value::{Record, Value};
use crate::{encode, extract, plan, validate};

/// `PUT <collection>/<id>`: changes what the body names, and nothing else.
pub async fn update(
    State(service): State<Arc<Service>>,
    path: Result<RawPathParams, RawPathParamsRejection>,
    request: Request<Body>,
) -> Result<Response, Failure> {
    let id = extract::item_id(service.definition, path)?;
    match read_change(&service, &id, request).await {
        Ok(record) => write_change(&service, &id, record).await?,
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
    request: Request<Body>,
) -> Result<Record, Failure> {
    let body = extract::body(request, service.body_limit).await?;
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

/// A body that names nothing changes nothing, of an item that there is.
async fn write_change(service: &Service, id: &Value, mut record: Record) -> Result<(), Failure> {
    let references = References::of_change(service, &record, id);
    let dialect = service.database.dialect();
    match plan::update(dialect, service.definition, &mut record, id) {
        Some(statement) => write(service, id, statement, references).await,
        None => require_item(service, id).await,
    }
}
