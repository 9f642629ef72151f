//! Rows of a table by their owner; `View::rows` decides which of them there are for a caller.

use crate::schema::Attribute;
use crate::value::Value;

/// Which rows of a table there are for a caller.
#[derive(Debug, Clone)]
pub enum Rows {
    /// All rows.
    All,
    /// Those in which the attribute holds this value.
    Of(&'static Attribute, Value),
    /// No row.
    None,
}

impl Rows {
    /// Tells that no row is left out.
    pub const fn are_all(&self) -> bool {
        matches!(self, Self::All)
    }
}
