use std::sync::Arc;

use axum::extract::rejection::RawPathParamsRejection;
use axum::extract::{RawPathParams, State};
use axum::response::Response;

use super::Service;
use super::diagnose::References;
use super::write::write;
use crate::error::Failure;
use crate::{encode, extract, plan};

/// `DELETE <collection>/<id>`: removes an item that nothing refers to.
pub async fn delete(
    State(service): State<Arc<Service>>,
    path: Result<RawPathParams, RawPathParamsRejection>,
) -> Result<Response, Failure> {
    let id = extract::item_id(service.definition, path)?;
    let statement = plan::delete(service.database.dialect(), service.definition, &id);
    write(&service, &id, statement, References::of_removal(&id)).await?;
    Ok(encode::changed())
}
