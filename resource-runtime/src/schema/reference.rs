use super::{ForeignKey, ResourceDefinition};

/// A foreign key of a resource and the attributes that hold it.
#[derive(Debug, Clone)]
pub(crate) struct Reference {
    pub(crate) attributes: Vec<usize>,
    pub(crate) key: ForeignKey,
    /// The resource that it points at.
    pub(crate) target: &'static ResourceDefinition,
}

/// A foreign key of any resource that points at a resource.
#[derive(Debug, Clone)]
pub(crate) struct Referrer {
    /// The resource that holds it.
    pub(crate) source: &'static ResourceDefinition,
    pub(crate) key: ForeignKey,
}
