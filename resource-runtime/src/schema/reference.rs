use super::{ForeignKey, Identifier};

/// A foreign key of a resource and the attributes that hold it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Reference {
    pub(crate) attributes: Vec<usize>,
    pub(crate) key: ForeignKey,
    /// The name of the resource that it points at.
    pub(crate) target: &'static str,
}

/// A foreign key of any resource that points at a resource.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Referrer {
    /// The name of the resource that holds it.
    pub(crate) resource: &'static str,
    pub(crate) table: Identifier,
    pub(crate) key: ForeignKey,
}
