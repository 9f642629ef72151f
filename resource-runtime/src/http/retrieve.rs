//! The handler of `GET <collection>/<id>`.

use std::sync::Arc;

use axum::body::Body;
use axum::extract::rejection::RawPathParamsRejection;
use axum::extract::{RawPathParams, State};
use axum::http::Request;
use axum::response::Response;
use resource_model::query;
use resource_model::schema::Operation;

use super::respond::ItemEncoder;
use super::{ServedResource, extract};
use crate::failure::Failure;
use crate::operation;

/// Answers with an item.
pub(crate) async fn retrieve(
    State(resource): State<Arc<ServedResource>>,
    path: Result<RawPathParams, RawPathParamsRejection>,
    request: Request<Body>,
) -> Result<Response, Failure> {
    let (request, _) = request.into_parts();
    let headers = &request.headers;
    let caller = resource.admit(Operation::Retrieve, &request).await?;
    let service = &resource.service;
    let view = service.view(&caller);
    extract::require_json(headers)?;
    let key = extract::item_key(service.definition, path)?;
    let parameters = extract::item_parameters(request.uri.query(), resource.unknown_parameters)?;
    let fields = parameters.fields.as_deref();
    let selection = query::fields(view, fields, service.query_limits)?;
    let selection = service.reading(view, selection);
    let selection = selection.as_ref();
    let shape = resource.shape(&caller, selection, request);
    // A new encoder for each attempt to read the item.
    let item = move || ItemEncoder::new(shape.clone());
    let item = operation::retrieve(service, &caller, &key, selection, item).await?;
    Ok(item.answer(&resource.unsent)?)
}
