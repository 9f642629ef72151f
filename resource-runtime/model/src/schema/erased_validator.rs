//! A developer's validator as a definition holds it.

use std::any::Any;
use std::fmt;
use std::sync::Arc;

/// A validator whose types are forgotten: what it is made of is known where hooks are run.
#[derive(Clone)]
pub struct ErasedValidator(Arc<dyn Any + Send + Sync>);

impl ErasedValidator {
    /// A validator of these hooks.
    pub fn of(hooks: impl Any + Send + Sync) -> Self {
        Self(Arc::new(hooks))
    }

    /// The hooks that it was made of, where they are of this type.
    pub fn hooks<H: Any>(&self) -> Option<&H> {
        self.0.downcast_ref()
    }
}

impl fmt::Debug for ErasedValidator {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_tuple("ErasedValidator")
            .finish_non_exhaustive()
    }
}
