use crate::error::DatabaseFailure;
use crate::value::Row;

/// Takes rows one by one while the database is stepped, on whichever thread does that.
pub(crate) trait RowVisitor: Send + 'static {
    /// Takes the next row.
    fn visit(&mut self, row: &dyn Row) -> Result<(), DatabaseFailure>;
}
