use std::sync::Arc;

use axum::body::Body;
use axum::extract::State;
use axum::http::Request;
use axum::response::Response;

use super::Service;
use crate::encode::PageEncoder;
use crate::error::Failure;
use crate::schema::Operation;
use crate::{extract, plan, query};

/// `GET <collection>`: one page of the items, and how many there are.
pub async fn list(
    State(service): State<Arc<Service>>,
    request: Request<Body>,
) -> Result<Response, Failure> {
    let (request, _) = request.into_parts();
    let caller = service.admit(Operation::List, &request.headers).await?;
    let view = service.view(&caller);
    extract::require_json(&request.headers)?;
    let parameters = extract::list_parameters(request.uri.query(), service.unknown_parameters)?;
    let (page, limits) = (service.page_limits, service.query_limits);
    let mut query = query::list(view, &parameters, page, limits)?;
    query.selection = service.reading(view, query.selection);
    let read = plan::page(service.database.dialect(), view, &query);
    let shape = service.shape(&caller, query.selection.as_ref(), request);
    let page = move || PageEncoder::new(shape.clone());
    let (page, total) = service.database.read_page(read, page).await?;
    Ok(page.answer(total))
}
