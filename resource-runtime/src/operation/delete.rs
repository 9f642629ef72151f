use std::sync::Arc;

use axum::extract::rejection::RawPathParamsRejection;
use axum::extract::{RawPathParams, State};
use axum::response::Response;

use super::Service;
use super::diagnose::{References, no_such_item, refused_write};
use crate::error::Failure;
use crate::{encode, extract, plan};

/// `DELETE <collection>/<id>`: removes an item that nothing refers to.
pub async fn delete(
    State(service): State<Arc<Service>>,
    path: Result<RawPathParams, RawPathParamsRejection>,
) -> Result<Response, Failure> {
    let id = extract::item_id(service.definition, path)?;
    let statement = plan::delete(service.database.dialect(), service.definition, &id);
    let mut transaction = service.database.begin().await?;
    match transaction.change(statement).await {
        Ok(0) => return Err(no_such_item(&service, &id)),
        Ok(_) => {}
        Err(failure) => {
            let references = References::of_removal(&id);
            return Err(refused_write(&service, transaction, failure, references).await);
        }
    }
    transaction.commit().await?;
    Ok(encode::changed())
}
