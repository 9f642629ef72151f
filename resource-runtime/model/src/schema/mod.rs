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

pub use crate::value::Kind;
pub use attribute::{Attribute, Bound};
pub use definition::ResourceDefinition;
pub use erased_validator::ErasedValidator;
pub use guard::{Access, Guard, Ownership, Requirement};
pub use identifier::Identifier;
pub use operation::Operation;
pub use reference::{Reference, Referrer};
pub use resource::{ApiResource, Field};
pub use routes::Routes;
pub use stored::{
    StoredColumn, StoredConflict, StoredForeignKey, StoredSequence, StoredTable, StoredUnique,
};
pub use subresource::Subresource;
pub use table::{Column, ForeignKey, Table};
pub use version::Version;

/// Answers the definition of a resource; a function because two resources may point at each
/// other, and constants that hold each other do not compile.
pub type DefinitionOf = fn() -> &'static ResourceDefinition;

pub(crate) const fn definition_of<R: crate::ApiResource>() -> &'static ResourceDefinition {
    R::DEFINITION
}
