use std::sync::Arc;

use axum::body::Body;
use axum::extract::{OriginalUri, State};
use axum::http::Request;
use axum::response::Response;

use super::client::Client;
use super::diagnose::{refused_write, without_effect};
use super::diverted::stored_elsewhere;
use super::keys::Keys;
use super::write::commit;
use super::{Service, hooked};
use crate::error::Failure;
use crate::schema::{Attribute, Kind, Operation};
use crate::validator::{RequestContext, Session};
use crate::value::{Record, Value};
use crate::{encode, extract, validate};

/// `POST <collection>`: a new item.
pub(crate) async fn create(
    State(service): State<Arc<Service>>,
    OriginalUri(uri): OriginalUri,
    request: Request<Body>,
) -> Result<Response, Failure> {
    let (request, body) = request.into_parts();
    let caller = service.admit(Operation::Create, &request.headers).await?;
    let body = extract::body(&request.headers, body, service.body_limit).await?;
    let draft = extract::draft(service.view(&caller), &body)?;
    let named = draft.named(service.definition);
    service
        .gate
        .require_to_write(&caller, Operation::Create, named)?;
    let context = service
        .hooks
        .clone()
        .map(|hooks| (hooks, RequestContext::new(request, &caller)));
    let client = Client::naming(caller, &service, &draft.record);
    let record = validate::creation(client.view(&service), draft)?;
    service.learn_of_triggers().await?;
    let id = match context {
        None => {
            let session = Session::new(&service.database);
            store(&service, &client, session, record).await?
        }
        // On the heap, so that writes without hooks do not carry it about.
        Some((hooks, request)) => {
            Box::pin(hooked::create(service, hooks, client, request, record)).await?
        }
    };
    Ok(encode::created(uri.path(), &id))
}

/// Writes a new item; answers its key.
pub(super) async fn store(
    service: &Service,
    client: &Client,
    mut session: Session,
    mut record: Record,
) -> Result<Value, Failure> {
    let named = if service.diverting().creations {
        Box::pin(session.transaction()).await?;
        service.named_key(&record)
    } else {
        None
    };
    let keys = Keys::of_creation(service, client, &record);
    let key = service.definition.primary_key();
    let kind = key.map_or(Kind::BigInteger, Attribute::kind);
    let targets = keys.targets(service);
    let statement = service.planner.insert(&mut record, &targets);
    let mut transaction = session.into_transaction()?;
    let id = match transaction.insert_row(statement, kind).await {
        Ok(Some(id)) => id,
        // What is rare is on the heap, too.
        Ok(None) => {
            let stored = stored_elsewhere(service, &mut transaction, named, keys.clone());
            match Box::pin(stored).await? {
                Some(id) => id,
                None => return Err(Box::pin(without_effect(service, transaction, keys)).await),
            }
        }
        Err(failure) => {
            let refused = refused_write(service, client, failure, keys);
            return Err(Box::pin(refused).await);
        }
    };
    commit(service, client, transaction, keys).await?;
    Ok(id)
}
