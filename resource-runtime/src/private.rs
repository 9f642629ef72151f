//! Functions and types that the derive's code calls: no part of the public API, as they change with the
//! derive, which is of the same version.

pub use resource_model::__private::*;

pub use crate::hooks::Validator;

/// The validator `V` of the resource `R`, with its types erased.
#[must_use]
pub fn validator<R: ApiResource, V: Validator<R> + Default>() -> ErasedValidator {
    crate::hooks::erase(V::default())
}
