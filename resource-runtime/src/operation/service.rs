use std::sync::Arc;

use crate::encode::Shape;
use crate::execute::Database;
use crate::extract::UnknownParameters;
use crate::query::{PageLimits, QueryLimits, Selection};
use crate::schema::{Attribute, Reference, Referrer, ResourceDefinition};

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
