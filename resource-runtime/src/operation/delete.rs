use std::sync::Arc;

use axum::body::Body;
use axum::extract::rejection::RawPathParamsRejection;
use axum::extract::{RawPathParams, State};
use axum::http::Request;
use axum::response::Response;

use super::diagnose::Keys;
use super::write::write;
use super::{Service, hooked};
use crate::error::Failure;
use crate::validator::{RequestContext, Session};
use crate::value::Value;
use crate::{encode, extract, plan};

/// `DELETE <collection>/<id>`: removes an item that nothing refers to.
pub async fn delete(
    State(service): State<Arc<Service>>,
    path: Result<RawPathParams, RawPathParamsRejection>,
    request: Request<Body>,
) -> Result<Response, Failure> {
    let id = extract::item_id(service.definition, path)?;
    match service.hooks.clone() {
        None => remove(&service, Session::new(&service.database), &id).await?,
        Some(hooks) => {
            let (request, _) = request.into_parts();
            hooked::delete(service, hooks, RequestContext::new(request), id).await?;
        }
    }
    Ok(encode::changed())
}

/// Removes the item `id`.
pub(super) async fn remove(service: &Service, session: Session, id: &Value) -> Result<(), Failure> {
    let statement = plan::delete(service.database.dialect(), service.definition, id);
    let keys = Keys::of_removal(id);
    write(service, session, id, statement, keys).await
}
