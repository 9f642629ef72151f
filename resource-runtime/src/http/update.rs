//! The handler of `PUT <collection>/<id>`.

use std::sync::Arc;

use axum::body::Body;
use axum::extract::rejection::RawPathParamsRejection;
use axum::extract::{RawPathParams, State};
use axum::http::{HeaderMap, Request};
use axum::response::Response;
use resource_model::schema::Operation;

use super::{ServedResource, extract, respond};
use crate::authorization::Caller;
use crate::failure::Failure;
use crate::operation::{self, Draft};

/// Changes the attributes that the body names, and no others.
pub(crate) async fn update(
    State(resource): State<Arc<ServedResource>>,
    path: Result<RawPathParams, RawPathParamsRejection>,
    request: Request<Body>,
) -> Result<Response, Failure> {
    let (request, body) = request.into_parts();
    let headers = &request.headers;
    let caller = resource.admit(Operation::Update, &request).await?;
    let service = &resource.service;
    let key = extract::item_key(service.definition, path)?;
    match draft(&resource, &caller, headers, body).await {
        Ok(draft) => {
            let context = resource.context(request, &caller);
            operation::update(service, caller, context, key, draft).await?;
        }
        // A missing item is reported before any mistake in the body that would have changed it.
        Err(failure) => {
            Box::pin(operation::require_item(service, &caller, &key)).await?;
            return Err(failure);
        }
    }
    Ok(respond::changed())
}

async fn draft(
    resource: &ServedResource,
    caller: &Caller,
    headers: &HeaderMap,
    body: Body,
) -> Result<Draft, Failure> {
    let body = extract::body(headers, body, resource.body_limit).await?;
    let draft = extract::draft(resource.service.view(caller), &body)?;
    // Attributes may ask for scopes of their own, and only the body names them.
    let named = draft.named(resource.service.definition);
    let authorizer = &resource.authorizer;
    authorizer.require_to_write(caller, Operation::Update, named)?;
    Ok(draft)
}
