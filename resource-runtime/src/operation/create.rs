use std::sync::Arc;

use axum::body::Body;
use axum::extract::{OriginalUri, State};
use axum::http::Request;
use axum::response::Response;

use super::diagnose::{Keys, refused_write};
use super::write::commit;
use super::{Service, hooked};
use crate::error::Failure;
use crate::schema::{Attribute, Kind};
use crate::validator::{RequestContext, Session};
use crate::value::{Record, Value};
use crate::{encode, extract, plan, validate};

/// `POST <collection>`: a new item.
pub async fn create(
    State(service): State<Arc<Service>>,
    OriginalUri(uri): OriginalUri,
    request: Request<Body>,
) -> Result<Response, Failure> {
    let (request, body) = request.into_parts();
    let body = extract::body(&request.headers, body, service.body_limit).await?;
    let draft = extract::draft(service.definition, &body)?;
    let record = validate::creation(service.definition, draft)?;
    let id = match service.hooks.clone() {
        None => store(&service, Session::new(&service.database), record).await?,
        Some(hooks) => {
            let request = RequestContext::new(request);
            hooked::create(service, hooks, request, record).await?
        }
    };
    Ok(encode::created(uri.path(), &id))
}

/// Writes a new item; answers its key.
pub(super) async fn store(
    service: &Service,
    session: Session,
    mut record: Record,
) -> Result<Value, Failure> {
    let keys = Keys::of_creation(service, &record);
    let key = service.definition.primary_key();
    let kind = key.map_or(Kind::BigInteger, Attribute::kind);
    let statement = plan::insert(
        service.database.dialect(),
        service.definition,
        &mut record,
        &service.elsewhere,
    );
    let mut transaction = session.into_transaction().await?;
    let id = match transaction.insert(statement, kind).await {
        Ok(id) => id,
        Err(failure) => return Err(refused_write(service, transaction, failure, keys).await),
    };
    commit(service, transaction, keys).await?;
    Ok(id)
}
