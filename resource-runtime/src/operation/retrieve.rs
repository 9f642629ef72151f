use super::Service;
use super::diagnose::no_such_item;
use crate::error::Failure;
use crate::execute::RowVisitor;
use crate::guard::Caller;
use crate::query::Selection;
use crate::value::Value;

/// Lends the row of one item to a visitor, and answers it.
pub(crate) async fn retrieve<V: RowVisitor>(
    service: &Service,
    caller: &Caller,
    id: &Value,
    selection: Option<&Selection>,
    visitor: impl Fn() -> V + Send + Sync + 'static,
) -> Result<V, Failure> {
    let statement = service.planner.item(service.view(caller), id, selection);
    let item = service.database.read_item(statement, visitor).await?;
    item.ok_or_else(|| no_such_item(service, id))
}
