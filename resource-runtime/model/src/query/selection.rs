use crate::authorization::View;
use crate::schema::{Attribute, ResourceDefinition};

/// What an answer holds of an item: attributes in declaration order, expansions after them.
#[derive(Debug, Clone)]
pub struct Selection {
    /// The attributes of the response.
    pub attributes: Vec<&'static Attribute>,
    /// What is read for them: more than the attributes, where a format hook sees the whole item.
    pub columns: Vec<&'static Attribute>,
    /// The subresources of the response.
    pub expansions: Vec<Expansion>,
}

/// A subresource that stands in the answer itself.
#[derive(Debug, Clone)]
pub struct Expansion {
    /// Its place among the definition's subresources.
    pub subresource: usize,
    pub attributes: Vec<&'static Attribute>,
    /// What is read for them, as of a [`Selection`].
    pub columns: Vec<&'static Attribute>,
}

impl Selection {
    /// All attributes that the caller may read, nothing expanded.
    pub fn all(view: View<'_>) -> Self {
        Self::new(view.readable_attributes().collect(), Vec::new())
    }

    pub(crate) fn new(attributes: Vec<&'static Attribute>, expansions: Vec<Expansion>) -> Self {
        Self {
            columns: attributes.clone(),
            attributes,
            expansions,
        }
    }

    /// Reads the whole item, hidden attributes too, if anything of it is shown.
    pub fn read_whole(&mut self, definition: &ResourceDefinition) {
        if !self.attributes.is_empty() {
            self.columns = definition.all_attributes().iter().collect();
        }
    }
}

impl Expansion {
    pub fn new(subresource: usize, attributes: Vec<&'static Attribute>) -> Self {
        Self {
            subresource,
            columns: attributes.clone(),
            attributes,
        }
    }

    /// Reads the whole subresource, hidden attributes too.
    pub fn read_whole(&mut self, target: &ResourceDefinition) {
        self.columns = target.all_attributes().iter().collect();
    }
}
