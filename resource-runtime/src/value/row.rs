use crate::error::DatabaseFailure;

/// One value of a row, lent by the database while it is stepped.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum ValueRef<'row> {
    Null,
    Integer(i64),
    Real(f64),
    Text(&'row str),
}

/// A row of whichever database; it knows no driver, and no stage behind it does either.
pub(crate) trait Row {
    /// The value of the column at `index`, as the statement selected it.
    fn value(&self, index: usize) -> Result<ValueRef<'_>, DatabaseFailure>;
}
