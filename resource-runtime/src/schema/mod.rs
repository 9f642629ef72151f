//! What a resource is: the vocabulary that every stage of a request speaks.

mod attribute;
mod definition;
mod erased_validator;
mod guard;
mod identifier;
mod operation;
mod record;
mod reference;
mod resource;
mod routes;
mod stored;
mod subresource;
mod table;
mod version;

pub use attribute::Attribute;
pub(crate) use attribute::Bound;
pub use definition::ResourceDefinition;
pub use erased_validator::ErasedValidator;
pub use guard::{Access, Guard, Ownership, Requirement};
pub(crate) use identifier::Identifier;
pub use operation::Operation;
pub(crate) use reference::{Reference, Referrer};
pub use resource::{ApiResource, Field};
pub use routes::Routes;
#[cfg(feature = "sqlite")]
pub(crate) use stored::StoredConflict;
pub(crate) use stored::{
    StoredColumn, StoredForeignKey, StoredSequence, StoredTable, StoredUnique,
};
pub use subresource::Subresource;
pub(crate) use table::{Column, ForeignKey, Table};
pub use version::Version;

pub use crate::value::Kind;

/// Answers the definition of a resource; a function because two resources may point at each
/// other, and constants that hold each other do not compile.
pub type DefinitionOf = fn() -> &'static ResourceDefinition;

pub(crate) const fn definition_of<R: crate::ApiResource>() -> &'static ResourceDefinition {
    R::DEFINITION
}
