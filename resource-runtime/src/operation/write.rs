use super::Service;
use super::client::Client;
use super::diagnose::{missing_target, no_such_item, refused_write};
use super::references::References;
use crate::error::Failure;
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
    references: References,
) -> Result<(), Failure> {
    let mut transaction = session.into_transaction().await?;
    match transaction.change(statement).await {
        Ok(0) => return Err(nothing_changed(service, client, transaction, id, references).await),
        Ok(_) => {}
        Err(failure) => {
            return Err(refused_write(service, client, transaction, failure, references).await);
        }
    }
    transaction.commit().await?;
    Ok(())
}

/// Where a write depends on what it refers to, either the item is missing or that.
async fn nothing_changed(
    service: &Service,
    client: &Client,
    mut transaction: Transaction,
    id: &Value,
    references: References,
) -> Failure {
    if references.targets(service).is_empty() {
        return no_such_item(service, id);
    }
    let statement = plan::item_exists(service.database.dialect(), client.view(service), id);
    match transaction.finds(statement).await {
        Ok(true) => missing_target(service, client, transaction, references).await,
        Ok(false) => no_such_item(service, id),
        Err(failure) => failure.into(),
    }
}
