//! Functions and types that the derive's code calls: no part of the public API, as they change with the
//! derive, which is of the same version.

pub use resource_model::__private::*;

pub use crate::api::missing_features;
pub use crate::hooks::Validator;

/// The validator `V` of the resource `R`, with its types erased.
#[must_use]
pub fn validator<R: ApiResource, V: Validator<R> + MadeByDefault>() -> ErasedValidator {
    crate::hooks::erase(V::made())
}

/// Types of validators that the struct can name: all that implement `Default`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be named by `validator = …`, as it does not implement `Default`",
    label = "the trait `Default` is not implemented for `{Self}`",
    note = "add `#[derive(Default)]`, or leave `validator` out and register the resource by `ApiBuilder::resource_with`, which takes a value"
)]
pub trait MadeByDefault {
    /// The value.
    fn made() -> Self;
}

// An error should name `MadeByDefault`, whose message has the remedies, not `Default`.
#[diagnostic::do_not_recommend]
impl<T: Default> MadeByDefault for T {
    fn made() -> Self {
        Self::default()
    }
}
