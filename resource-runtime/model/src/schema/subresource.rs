use std::any::TypeId;

use super::{DefinitionOf, definition_of};
use crate::ApiResource;

/// A related resource that answers may hold expanded: its name, its definition, and the
/// attributes that point at it.
#[derive(Debug, Clone, Copy)]
pub struct Subresource {
    name: &'static str,
    target: DefinitionOf,
    target_type: TypeId,
    keys: &'static [&'static str],
}

impl Subresource {
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

    /// The name in `fields` and in expanded answers.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        self.name
    }

    /// The definition of the related resource.
    #[must_use]
    pub fn target(&self) -> &'static super::ResourceDefinition {
        (self.target)()
    }

    /// The type of the related resource.
    pub const fn target_type(&self) -> TypeId {
        self.target_type
    }

    /// The attributes that point at the related item.
    #[must_use]
    pub const fn keys(&self) -> &'static [&'static str] {
        self.keys
    }
}
