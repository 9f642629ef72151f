//! Rows of a table by their owner; `View::rows` decides which of them there are for a caller.

use crate::schema::Attribute;
use crate::value::Value;

/// Which rows of a table there are for a caller.
#[derive(Debug, Clone)]
pub(crate) enum Rows {
    All,
    /// Those in which the attribute holds this value.
    Of(&'static Attribute, Value),
    None,
}

impl Rows {
    pub(crate) const fn are_all(&self) -> bool {
        matches!(self, Self::All)
    }
}
