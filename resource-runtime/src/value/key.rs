//! The primary key of an item.

use std::fmt;

use super::Value;

/// The values of the key attributes of one item, in the order of their declaration.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Key {
    values: Vec<Value>,
}

impl Key {
    /// A key of these values, one for each key attribute.
    pub(crate) const fn new(values: Vec<Value>) -> Self {
        Self { values }
    }

    pub(crate) fn values(&self) -> &[Value] {
        &self.values
    }

    /// The value of a key of one attribute.
    pub(crate) fn first(&self) -> Option<&Value> {
        self.values.first()
    }

    pub(crate) fn into_first(self) -> Option<Value> {
        self.values.into_iter().next()
    }
}

impl From<Value> for Key {
    fn from(value: Value) -> Self {
        Self::new(vec![value])
    }
}

/// The key as people read it.
impl fmt::Display for Key {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, value) in self.values.iter().enumerate() {
            if index > 0 {
                formatter.write_str(",")?;
            }
            value.fmt(formatter)?;
        }
        Ok(())
    }
}
