use super::Service;
use super::client::Client;
use super::diagnose::{no_such_item, refused_write, without_effect};
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
    mut session: Session,
    id: &Value,
    statement: Statement,
    keys: Keys,
    is_diverted: bool,
) -> Result<(), Failure> {
    if is_diverted {
        Box::pin(session.transaction()).await?;
    }
    let is_begun = session.is_begun();
    let mut transaction = session.into_transaction()?;
    match transaction.change(statement).await {
        // On the heap, so that writes that succeed do not carry it about.
        Ok(0) => {
            let begun = is_begun.then_some(transaction);
            let nothing_changed = nothing_changed(service, client, begun, id, keys);
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

/// Either there is no such item, or what it was to refer to is missing, or a trigger dropped the write.
/// A transaction that is `begun` knows what its hook wrote; without one, none is begun to answer 404.
async fn nothing_changed(
    service: &Service,
    client: &Client,
    mut begun: Option<Transaction>,
    id: &Value,
    keys: Keys,
) -> Failure {
    let statement = plan::item_exists(service.database.dialect(), client.view(service), id);
    let found = match &mut begun {
        Some(transaction) => transaction.finds(statement).await,
        None => service.database.finds(statement).await,
    };
    match found {
        Ok(false) => no_such_item(service, id),
        Err(failure) => failure.into(),
        Ok(true) => match begun.map_or_else(|| service.database.begin_single(), Ok) {
            Ok(transaction) => without_effect(service, transaction, keys).await,
            Err(failure) => failure.into(),
        },
    }
}
