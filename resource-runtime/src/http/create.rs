//! The handler of `POST <collection>`.

use std::sync::Arc;

use axum::body::Body;
use axum::extract::{OriginalUri, State};
use axum::http::Request;
use axum::response::Response;
use resource_model::schema::Operation;

use super::{ServedResource, extract, respond};
use crate::failure::Failure;
use crate::operation;

/// Creates an item.
pub(crate) async fn create(
    State(resource): State<Arc<ServedResource>>,
    OriginalUri(uri): OriginalUri,
    request: Request<Body>,
) -> Result<Response, Failure> {
    let (request, body) = request.into_parts();
    // The caller comes before the body, of which nothing is read for a caller who is refused.
    let caller = resource.admit(Operation::Create, &request).await?;
    let service = &resource.service;
    let body = extract::body(&request.headers, body, resource.body_limit).await?;
    let draft = extract::draft(service.view(&caller), &body)?;
    // A second check: attributes may ask for scopes of their own, and only the body names them.
    let named = draft.named(service.definition);
    let authorizer = &resource.authorizer;
    authorizer.require_to_write(&caller, Operation::Create, named)?;
    let context = resource.context(request, &caller);
    let key = operation::create(service, caller, context, draft).await?;
    Ok(respond::created(uri.path(), &key))
}
