use super::Service;
use super::diagnose::{Keys, no_such_item, refused_write};
use crate::error::{DatabaseFailure, Failure};
use crate::execute::Transaction;
use crate::plan::Statement;
use crate::validator::Session;
use crate::value::Value;

/// Changes or removes the item `id`, and commits.
pub(super) async fn write(
    service: &Service,
    session: Session,
    id: &Value,
    statement: Statement,
    keys: Keys,
) -> Result<(), Failure> {
    let mut transaction = session.into_transaction().await?;
    match transaction.change(statement).await {
        Ok(0) => Err(no_such_item(service, id)),
        Ok(_) => commit(service, transaction, keys).await,
        Err(failure) => Err(refused_write(service, transaction, failure, keys).await),
    }
}

/// Commits a write, which constraints that are deferred may still refuse.
pub(super) async fn commit(
    service: &Service,
    transaction: Transaction,
    keys: Keys,
) -> Result<(), Failure> {
    let Err(failure) = transaction.commit().await else {
        return Ok(());
    };
    if !matches!(failure, DatabaseFailure::Refused(_)) {
        return Err(failure.into());
    }
    let another = service.database.begin_single().await?;
    Err(refused_write(service, another, failure, keys).await)
}
