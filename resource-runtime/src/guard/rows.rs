use crate::schema::Attribute;
use crate::value::Value;

/// Which rows of a table there are for a caller.
#[derive(Debug, Clone)]
#[cfg_attr(
    not(feature = "oauth2"),
    expect(dead_code, reason = "without authorization all rows are everybody's")
)]
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
