use std::sync::Arc;

use axum::body::Body;
use axum::extract::{OriginalUri, State};
use axum::http::Request;
use axum::response::Response;

use super::Service;
use super::diagnose::{References, refused_write};
use crate::error::Failure;
use crate::{encode, extract, plan, validate};

/// `POST <collection>`: a new item.
pub async fn create(
    State(service): State<Arc<Service>>,
    OriginalUri(uri): OriginalUri,
    request: Request<Body>,
) -> Result<Response, Failure> {
    let body = extract::body(request, service.body_limit).await?;
    let draft = extract::draft(service.definition, &body)?;
    let mut record = validate::creation(service.definition, draft)?;
    let references = References::of_creation(&service, &record);
    let statement = plan::insert(
        service.database.dialect(),
        service.definition,
        &mut record,
        &service.elsewhere,
    );
    let mut transaction = service.database.begin().await?;
    let id = match transaction.insert(statement).await {
        Ok(id) => id,
        Err(failure) => return Err(refused_write(&service, transaction, failure, references).await),
    };
    transaction.commit().await?;
    Ok(encode::created(uri.path(), &id))
}
