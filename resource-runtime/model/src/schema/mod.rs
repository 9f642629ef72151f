//! The description of a resource as data: definitions, attributes, operations, guards, routes and tables.

/// Makes builder methods that can run at compile time, each of which sets one field.
#[doc(hidden)]
#[macro_export]
macro_rules! setters {
    ($($(#[$doc:meta])* $method:ident($($argument:ident: $type:ty)?) => $($field:ident).+ = $value:expr;)*) => {$(
        $(#[$doc])*
        #[must_use]
        pub const fn $method(mut self $(, $argument: $type)?) -> Self {
            self.$($field).+ = $value;
            self
        }
    )*};
}
pub(crate) use setters;

/// Makes methods that can run at compile time, each of which returns one field.
macro_rules! getters {
    ($($(#[$doc:meta])* $method:ident() -> $type:ty => $($field:ident).+;)*) => {$(
        $(#[$doc])*
        #[must_use]
        pub const fn $method(&self) -> $type {
            self.$($field).+
        }
    )*};
}

mod attribute;
pub(crate) mod constant;
mod definition;
pub mod evolution;
mod guard;
mod operation;
mod reference;
mod resource;
mod routes;
mod storage;
mod stored;
mod table;

pub use crate::value::Kind;
#[doc(hidden)]
pub use attribute::truncated;
pub use attribute::{Attribute, Bound, Example, Reference as AttributeReference};
pub use definition::ResourceDefinition;
pub use guard::{Access, Guard, Ownership, Requirement};
pub use operation::{Body, Content, Operation, OperationEntry, Parameters, Success};
pub use reference::{Collection, Reference, Referrer, Subresource};
pub use resource::{ApiResource, ErasedValidator, Version};
pub use routes::Routes;
pub use storage::{Storage, StorageForm, TimeText};
pub use stored::{
    Privilege, StoredColumn, StoredConflict, StoredForeignKey, StoredSequence, StoredTable,
    StoredType, StoredUnique,
};
pub use table::{Column, ForeignKey, Identifier, Peculiarity, ReferentialAction, Table};

/// Function that returns the definition of a resource; two resources may point at each other, and
/// constants that hold each other do not compile.
pub type DefinitionOf = fn() -> &'static ResourceDefinition;

pub(crate) const fn definition_of<R: crate::ApiResource>() -> &'static ResourceDefinition {
    R::DEFINITION
}
