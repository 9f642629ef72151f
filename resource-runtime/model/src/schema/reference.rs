//! References between resources, and the subresources and collections that follow them.

use std::any::TypeId;

use super::{Attribute, DefinitionOf, ForeignKey, ResourceDefinition, definition_of};
use crate::ApiResource;

/// A foreign key of a resource and the attributes that hold it.
#[derive(Debug, Clone)]
pub struct Reference {
    /// The positions of the attributes that hold it.
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
    /// False where no client reaches the resource, nor learns its name.
    pub is_served: bool,
}

/// A related resource that responses may hold expanded: its name, its definition, and the
/// attributes that point at it.
#[derive(Debug, Clone, Copy)]
pub struct Subresource {
    name: &'static str,
    target: DefinitionOf,
    target_type: TypeId,
    keys: &'static [&'static str],
}

impl Subresource {
    getters! {
        /// The name in `fields` and in expanded responses.
        name() -> &'static str => name;

        /// The type of the related resource.
        #[doc(hidden)]
        target_type() -> TypeId => target_type;

        /// The attributes that point at the related item.
        keys() -> &'static [&'static str] => keys;
    }

    /// The subresource `name` of type `R`, found by the key attributes `keys`.
    #[must_use]
    pub const fn to<R: ApiResource>(name: &'static str, keys: &'static [&'static str]) -> Self {
        Self {
            name,
            target: definition_of::<R>,
            target_type: TypeId::of::<R>(),
            keys,
        }
    }

    /// The definition of the related resource.
    #[must_use]
    pub fn target(&self) -> &'static super::ResourceDefinition {
        (self.target)()
    }
}

/// The items of a related resource that refer to an item: its name, the related resource, and the attributes that
/// refer.
#[derive(Debug, Clone, Copy)]
pub struct Collection {
    name: &'static str,
    target: DefinitionOf,
    target_type: TypeId,
    index: usize,
    /// The positions of the attributes beside the first.
    further: &'static [usize],
}

impl Collection {
    getters! {
        /// The name in `fields`, in `has(…)`, and in responses.
        name() -> &'static str => name;

        /// The type of the related resource.
        #[doc(hidden)]
        target_type() -> TypeId => target_type;
    }

    /// The collection `name` of items of type `R`, which refer by their attribute at `index`.
    #[must_use]
    pub const fn of<R: ApiResource>(name: &'static str, index: usize) -> Self {
        Self {
            name,
            target: definition_of::<R>,
            target_type: TypeId::of::<R>(),
            index,
            further: &[],
        }
    }

    /// The same, whose items refer by their attributes at `further` as well.
    #[must_use]
    pub const fn and(mut self, further: &'static [usize]) -> Self {
        self.further = further;
        self
    }

    /// The definition of the related resource.
    #[must_use]
    pub fn target(&self) -> &'static ResourceDefinition {
        (self.target)()
    }

    /// The attributes of the related resource that refer to the item together.
    pub fn attributes(&self) -> impl Iterator<Item = &'static Attribute> + use<> {
        let all = self.target().all_attributes();
        let places = std::iter::once(self.index).chain(self.further.iter().copied());
        places.filter_map(|index| all.get(index))
    }

    /// The attributes that tell which items belong to an item of this resource: each that refers to it, behind that of the
    /// item; none where one of them refers to another resource.
    #[doc(hidden)]
    pub fn keys(&self, of: &ResourceDefinition) -> Vec<(&'static Attribute, &'static Attribute)> {
        let path = |it: &ResourceDefinition| (it.collection(), it.version());
        let keys = self.attributes().map(|refers| {
            let mut references = refers.all_references();
            let (_, target) = references.find(|(it, _)| path((it.target)()) == path(of))?;
            Some((target?, refers))
        });
        keys.collect::<Option<_>>().unwrap_or_default()
    }
}
