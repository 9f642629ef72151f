use std::sync::Arc;

use crate::encode::Shape;
use crate::execute::Database;
use crate::extract::UnknownParameters;
use crate::query::{PageLimits, QueryLimits, Selection};
use crate::schema::{Attribute, ForeignKey, Identifier, ResourceDefinition};

/// One version of a resource, ready to serve: what every operation on it needs.
#[derive(Debug)]
pub struct Service {
    pub(crate) definition: &'static ResourceDefinition,
    pub(crate) database: Database,
    pub(crate) shape: Arc<Shape>,
    pub(crate) page_limits: PageLimits,
    pub(crate) query_limits: QueryLimits,
    pub(crate) body_limit: usize,
    pub(crate) unknown_parameters: UnknownParameters,
    /// What versions in the same table have beside this one's attributes, with a default.
    pub(crate) elsewhere: Vec<&'static Attribute>,
    pub(crate) references: Vec<Reference>,
    pub(crate) referrers: Vec<Referrer>,
}

impl Service {
    /// How the rows of a selection become JSON; without one, the shape of all attributes.
    pub(crate) fn shape(&self, selection: Option<&Selection>) -> Arc<Shape> {
        match selection {
            Some(selection) => Arc::new(Shape::of(self.definition, selection)),
            None => self.shape.clone(),
        }
    }
}

/// A foreign key of this resource and the attributes that hold it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Reference {
    pub(crate) attributes: Vec<usize>,
    pub(crate) key: ForeignKey,
    /// The name of the resource that it points at.
    pub(crate) target: &'static str,
}

/// A foreign key of any resource that points at this one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Referrer {
    /// The name of the resource that holds it.
    pub(crate) resource: &'static str,
    pub(crate) table: Identifier,
    pub(crate) key: ForeignKey,
}
