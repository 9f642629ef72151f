//! The handlers of one item: `POST <collection>`, and `GET`, `PUT`, `PATCH` and `DELETE <collection>/<id>`.

use std::sync::Arc;

use axum::body::Body;
use axum::extract::{OriginalUri, State};
use axum::http::{Method, Request, header};
use axum::response::{IntoResponse as _, Response};
use resource_model::error::ErrorCode;
use resource_model::query;
use resource_model::schema::Operation;

use super::extract::PathParameters;
use super::preference::{Preference, Representation};
use super::{ServedResource, extract, respond};
use crate::authorization::Caller;
use crate::failure::Failure;
use crate::operation::{self, Draft, Terms};

/// Creates an item.
pub(super) async fn create(
    State(resource): State<Arc<ServedResource>>,
    OriginalUri(uri): OriginalUri,
    request: Request<Body>,
) -> Result<Response, Failure> {
    let (request, body) = request.into_parts();
    // The caller is admitted before any of the body is read, so that a refused caller cannot upload one.
    let caller = resource.admit(Operation::Create, &request).await?;
    resource.precondition(&request, &caller)?;
    let preference = Preference::of(&resource, &request, &caller);
    let service = &resource.service;
    let sent = extract::idempotency_key(&request, &caller, service)?;
    let (method, limit) = (&request.method, resource.body_limit);
    let body = extract::body(method, &request.headers, body, limit).await?;
    let terms = Terms {
        wants_tag: preference.wants_tag(&resource, &caller),
        keyed: sent.map(|sent| sent.of_request(uri.path(), &request.headers, &body)),
        ..Terms::default()
    };
    let draft = draft(&resource, &caller, &[Operation::Create], method, &body);
    // The context takes the request over, whose headers the body needed.
    let context = resource.context(request, &caller);
    let stored = operation::create(service, caller, context, draft, &terms).await?;
    let path = respond::item_path(uri.path(), &stored.key);
    let empty = respond::written(&stored, Some(&path));
    let response = preference.respond(&resource, &stored.key, empty, &path);
    Ok(response.await)
}

/// Responds with an item.
pub(super) async fn retrieve(
    State(resource): State<Arc<ServedResource>>,
    path: PathParameters,
    request: Request<Body>,
) -> Result<Response, Failure> {
    let (request, _) = request.into_parts();
    let caller = resource.admit(Operation::Retrieve, &request).await?;
    let service = &resource.service;
    let view = service.view(&caller);
    extract::require_accepts_json(&request.headers)?;
    let known = extract::entity_tags(&request.headers, &header::IF_NONE_MATCH)?;
    let key = extract::item_key(service.definition, path, &request.uri)?;
    let fields = extract::fields(request.uri.query(), resource.unknown_parameters)?;
    let selection = query::fields(view, fields.as_deref(), service.query_limits)?;
    let item = Representation::of(&resource, caller, selection, request);
    let response = item.read(&resource, &key, known.as_ref()).await?;
    Ok(resource.cached(response))
}

/// Changes the attributes that the body names, of `PUT` or `PATCH`; of the others, only those with a default on update and
/// those that a hook sets.
pub(super) async fn update(
    State(resource): State<Arc<ServedResource>>,
    OriginalUri(uri): OriginalUri,
    path: PathParameters,
    request: Request<Body>,
) -> Result<Response, Failure> {
    let (request, body) = request.into_parts();
    let caller = resource.admit(Operation::Update, &request).await?;
    let upserts = resource.upserts(&request);
    let service = &resource.service;
    let (key, precondition) = resource.target(&request, path, &caller).await?;
    let preference = Preference::of(&resource, &request, &caller);
    let (method, limit) = (&request.method, resource.body_limit);
    let body = extract::body(method, &request.headers, body, limit).await;
    let needed = upserts.unwrap_or(&[Operation::Update]);
    let draft = match body.and_then(|it| draft(&resource, &caller, needed, method, &it)) {
        Ok(draft) => draft,
        Err(failure) => {
            // A missing item is reported before any mistake in the body that would have changed it.
            if upserts.is_none() {
                Box::pin(operation::require_item(service, &caller, &key, None)).await?;
            }
            if *method == Method::PATCH && failure.is_refusal(ErrorCode::UnsupportedMediaType) {
                return Ok(respond::accepts_patch(failure.into_response()));
            }
            return Err(failure);
        }
    };
    let context = resource.context(request, &caller);
    let terms = Terms {
        precondition,
        wants_tag: preference.wants_tag(&resource, &caller),
        keyed: None,
    };
    let (stored, is_new) = if upserts.is_some() {
        let upsert = operation::upsert(service, caller, context, key, draft, &terms);
        Box::pin(upsert).await?
    } else {
        let update = operation::update(service, caller, context, key, draft, &terms, None);
        (update.await?, false)
    };
    let empty = respond::written(&stored, is_new.then(|| uri.path()));
    let response = preference.respond(&resource, &stored.key, empty, uri.path());
    Ok(response.await)
}

/// Removes an item that nothing refers to.
pub(super) async fn delete(
    State(resource): State<Arc<ServedResource>>,
    path: PathParameters,
    request: Request<Body>,
) -> Result<Response, Failure> {
    let (request, _) = request.into_parts();
    let caller = resource.admit(Operation::Delete, &request).await?;
    let (key, precondition) = resource.target(&request, path, &caller).await?;
    let context = resource.context(request, &caller);
    operation::delete(&resource.service, caller, context, key, precondition, None).await?;
    Ok(respond::no_content())
}

/// The values of a body, by a caller who may set the attributes that it names in any of these operations.
fn draft(
    resource: &ServedResource,
    caller: &Caller,
    operations: &[Operation],
    method: &Method,
    body: &[u8],
) -> Result<Draft, Failure> {
    // Only attributes that are visible to the caller are found, so hidden ones are unknown in the body, too.
    let is_patch = method == Method::PATCH;
    let draft = extract::draft(resource.service.view(caller), body, is_patch)?;
    // A second check: attributes may require scopes of their own, and only the body names them.
    let named = draft.named(resource.service.definition);
    let authorizer = &resource.authorizer;
    authorizer.require_writable(caller, operations, named)?;
    Ok(draft)
}
