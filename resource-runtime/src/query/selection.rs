use crate::schema::{Attribute, ResourceDefinition};

/// What an answer holds of an item: attributes in declaration order, expansions after them.
#[derive(Debug, Clone)]
pub(crate) struct Selection {
    pub(crate) attributes: Vec<&'static Attribute>,
    pub(crate) expansions: Vec<Expansion>,
}

/// A subresource that stands in the answer itself.
#[derive(Debug, Clone)]
pub(crate) struct Expansion {
    /// Its place among the definition's subresources.
    pub(crate) subresource: usize,
    pub(crate) attributes: Vec<&'static Attribute>,
}

impl Selection {
    /// All attributes that clients may read, nothing expanded.
    pub(crate) fn all(definition: &ResourceDefinition) -> Self {
        Self {
            attributes: definition.readable_attributes().collect(),
            expansions: Vec::new(),
        }
    }
}
