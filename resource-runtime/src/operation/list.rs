use std::sync::Arc;

use super::Service;
use crate::error::DatabaseFailure;
use crate::execute::RowVisitor;
use crate::guard::Caller;
use crate::query::ListQuery;

/// Lends the rows of one page to a visitor; answers it, and how many items there are in all. What is returned
/// borrows nothing, so that a page is read on while it is sent.
pub(crate) fn list<V: RowVisitor, F: Fn() -> V + Send + Sync + 'static>(
    service: &Arc<Service>,
    caller: &Caller,
    query: &ListQuery,
    visitor: F,
) -> impl Future<Output = Result<(V, u64), DatabaseFailure>> + Send + use<V, F> {
    let read = service.planner.page(service.view(caller), query);
    let service = Arc::clone(service);
    async move { service.database.read_page(read, visitor).await }
}
