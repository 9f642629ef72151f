use super::Service;
use super::client::Client;
use super::diagnose::{missing_target, no_such_item, refused_write};
use super::keys::Keys;
use crate::error::{DatabaseFailure, Failure};
use crate::execute::Transaction;
use crate::plan::{self, Statement};
use crate::validator::Session;
use crate::value::Value;

/// Changes or removes the item `id`, and commits.
pub(super) async fn write(
    service: &Service,
    client: &Client,
    session: Session,
    id: &Value,
    statement: Statement,
    keys: Keys,
) -> Result<(), Failure> {
    let mut transaction = session.into_transaction()?;
    match transaction.change(statement).await {
        // On the heap, so that writes that succeed do not carry it about.
        Ok(0) => {
            let nothing_changed = nothing_changed(service, client, transaction, id, keys);
            Err(Box::pin(nothing_changed).await)
        }
        Ok(_) => commit(service, client, transaction, keys).await,
        Err(failure) => {
            let refused = refused_write(service, client, failure, keys);
            Err(Box::pin(refused).await)
        }
    }
}

/// Commits a write, which constraints that are deferred may still refuse.
pub(super) async fn commit(
    service: &Service,
    client: &Client,
    transaction: Transaction,
    keys: Keys,
) -> Result<(), Failure> {
    let Err(failure) = transaction.end().await else {
        return Ok(());
    };
    if !matches!(failure, DatabaseFailure::Refused(_)) {
        return Err(failure.into());
    }
    Err(Box::pin(refused_write(service, client, failure, keys)).await)
}

/// Where a write depends on what it refers to, either the item is missing or that.
async fn nothing_changed(
    service: &Service,
    client: &Client,
    mut transaction: Transaction,
    id: &Value,
    keys: Keys,
) -> Failure {
    if keys.targets(service).is_empty() {
        return no_such_item(service, id);
    }
    let statement = plan::item_exists(service.database.dialect(), client.view(service), id);
    match transaction.finds(statement).await {
        Ok(true) => missing_target(service, client, transaction, keys).await,
        Ok(false) => no_such_item(service, id),
        Err(failure) => failure.into(),
    }
}
