//! Keys of items: a list of values, one for each key attribute.

use std::{fmt, iter};

use super::Value;

/// The values of the key attributes of one item, in the order of their declaration.
#[derive(Debug, Clone, PartialEq)]
pub struct Key {
    first: Value,
    /// Empty for nearly every resource, which takes no memory.
    rest: Vec<Value>,
}

impl Key {
    /// A key of these values, one for each key attribute; `None` without any value.
    pub fn new(values: impl IntoIterator<Item = Value>) -> Option<Self> {
        // The first value is held apart, so that a key without any cannot exist.
        let mut values = values.into_iter();
        let first = values.next()?;
        // An empty `Vec` allocates nothing, which is the case for keys of one attribute.
        let rest = values.collect();
        Some(Self { first, rest })
    }

    /// The values, one for each key attribute.
    pub fn values(&self) -> impl Iterator<Item = &Value> {
        iter::once(&self.first).chain(&self.rest)
    }

    /// The value of a key of one attribute.
    pub const fn first(&self) -> &Value {
        &self.first
    }
}

impl From<Value> for Key {
    fn from(first: Value) -> Self {
        let rest = Vec::new();
        Self { first, rest }
    }
}

/// Shows the key for people, its values separated by commas.
impl fmt::Display for Key {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.first.fmt(formatter)?;
        self.rest
            .iter()
            .try_for_each(|value| write!(formatter, ",{value}"))
    }
}
