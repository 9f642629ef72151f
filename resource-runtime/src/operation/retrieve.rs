use std::sync::Arc;

use axum::body::Body;
use axum::extract::rejection::RawPathParamsRejection;
use axum::extract::{RawPathParams, State};
use axum::http::Request;
use axum::response::Response;

use super::Service;
use super::diagnose::no_such_item;
use crate::encode::ItemEncoder;
use crate::error::Failure;
use crate::schema::Operation;
use crate::{extract, query};

/// `GET <collection>/<id>`: one item.
pub(crate) async fn retrieve(
    State(service): State<Arc<Service>>,
    path: Result<RawPathParams, RawPathParamsRejection>,
    request: Request<Body>,
) -> Result<Response, Failure> {
    let (request, _) = request.into_parts();
    let headers = &request.headers;
    let caller = service.admit(Operation::Retrieve, headers).await?;
    let view = service.view(&caller);
    extract::require_json(headers)?;
    let id = extract::item_id(service.definition, path)?;
    let parameters = extract::item_parameters(request.uri.query(), service.unknown_parameters)?;
    let fields = parameters.fields.as_deref();
    let selection = query::fields(view, fields, service.query_limits)?;
    let selection = service.reading(view, selection);
    let selection = selection.as_ref();
    let statement = service.planner.item(view, &id, selection);
    let shape = service.shape(&caller, selection, request);
    let item = move || ItemEncoder::new(shape.clone());
    let item = service.database.read_item(statement, item).await?;
    let item = item.ok_or_else(|| no_such_item(&service, &id))?;
    Ok(item.answer(&service.unsent)?)
}
