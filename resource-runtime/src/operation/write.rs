use super::Service;
use super::diagnose::{Keys, no_such_item, refused_write};
use crate::error::Failure;
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
        Ok(0) => return Err(no_such_item(service, id)),
        Ok(_) => {}
        Err(failure) => return Err(refused_write(service, transaction, failure, keys).await),
    }
    transaction.commit().await?;
    Ok(())
}
