//! The handler of `DELETE <collection>/<id>`.

use std::sync::Arc;

use axum::body::Body;
use axum::extract::rejection::RawPathParamsRejection;
use axum::extract::{RawPathParams, State};
use axum::http::Request;
use axum::response::Response;
use resource_model::schema::Operation;

use super::{ServedResource, extract, respond};
use crate::failure::Failure;
use crate::operation;

/// Removes an item that nothing refers to.
pub(crate) async fn delete(
    State(resource): State<Arc<ServedResource>>,
    path: Result<RawPathParams, RawPathParamsRejection>,
    request: Request<Body>,
) -> Result<Response, Failure> {
    let (request, _) = request.into_parts();
    let caller = resource.admit(Operation::Delete, &request).await?;
    let key = extract::item_key(resource.service.definition, path)?;
    let context = resource.context(request, &caller);
    operation::delete(&resource.service, caller, context, key).await?;
    Ok(respond::changed())
}
