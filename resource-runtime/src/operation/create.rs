use std::sync::Arc;

use super::client::Client;
use super::diagnose::{refused_write, without_effect};
use super::diverted::stored_elsewhere;
use super::keys::Keys;
use super::write::commit;
use super::{Service, hooked};
use crate::error::Failure;
use crate::guard::Caller;
use crate::schema::{Attribute, Kind};
use crate::validate::{self, Draft};
use crate::validator::{RequestContext, Session};
use crate::value::{Record, Value};

/// Checks and writes a new item; answers its key. Hooks are told of the `context`.
pub(crate) async fn create(
    service: &Arc<Service>,
    caller: Caller,
    context: Option<RequestContext>,
    draft: Draft,
) -> Result<Value, Failure> {
    let client = Client::naming(caller, service, &draft.record);
    let record = validate::creation(client.view(service), draft)?;
    service.learn_of_triggers().await?;
    match service.hooks.clone().zip(context) {
        None => {
            let session = Session::new(&service.database);
            store(service, &client, session, record).await
        }
        // On the heap, so that writes without hooks do not carry it about.
        Some((hooks, request)) => {
            let service = Arc::clone(service);
            Box::pin(hooked::create(service, hooks, client, request, record)).await
        }
    }
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
