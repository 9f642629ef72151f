use std::fmt;
use std::marker::PhantomData;

use resource_model::error::FieldError;

use crate::{ApiResource, Field};

/// What a validator has against an item: each message is a line of the error that the client gets.
pub struct Messages<R> {
    problems: Vec<FieldError>,
    resource: PhantomData<fn() -> R>,
}

impl<R: ApiResource> Messages<R> {
    pub(super) const fn new() -> Self {
        Self {
            problems: Vec::new(),
            resource: PhantomData,
        }
    }

    /// Something that is wrong with the item as a whole.
    pub fn add(&mut self, message: impl Into<String>) {
        self.problems.push(FieldError::new("", message));
    }

    /// Something that is wrong with one attribute, to follow its name: "must be an e-mail address".
    pub fn about(&mut self, field: R::Field, message: impl fmt::Display) {
        let name = field.name();
        let message = format!("`{name}` {message}");
        self.problems.push(FieldError::new(name, message));
    }

    /// Whether there is nothing against the item so far.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.problems.is_empty()
    }

    pub(super) fn into_problems(self) -> Vec<FieldError> {
        self.problems
    }
}

impl<R> fmt::Debug for Messages<R> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_list().entries(&self.problems).finish()
    }
}
