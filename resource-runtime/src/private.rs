//! What the derive's code calls. No part of the public API: it changes with the derive, which
//! is of the same version.

pub use resource_model::__private::*;

pub use crate::hooks::Validator;

/// The validator `V` of the resource `R`.
#[must_use]
pub fn validator<R: ApiResource, V: Validator<R> + Default>() -> ErasedValidator {
    crate::hooks::erase(V::default())
}
