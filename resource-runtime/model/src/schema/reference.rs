use super::{ForeignKey, ResourceDefinition};

/// A foreign key of a resource and the attributes that hold it.
#[derive(Debug, Clone)]
pub struct Reference {
    /// The places of the attributes that hold it.
    pub attributes: Vec<usize>,
    /// The foreign key of the table.
    pub key: ForeignKey,
    /// The resource that it points at.
    pub target: &'static ResourceDefinition,
}

/// A foreign key of any resource that points at a resource.
#[derive(Debug, Clone)]
pub struct Referrer {
    /// The resource that holds it.
    pub source: &'static ResourceDefinition,
    /// The foreign key of its table.
    pub key: ForeignKey,
}
