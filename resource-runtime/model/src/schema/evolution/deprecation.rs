//! The deprecation of a version or of an attribute.

use super::super::{DefinitionOf, definition_of};
use crate::ApiResource;

/// A deprecation, as `deprecated(…)` declares it. Its days are texts like `2027-01-01`, which the derive has checked.
#[derive(Debug, Clone, Copy)]
pub struct Deprecation {
    since: &'static str,
    sunset: Option<&'static str>,
    successor: Option<DefinitionOf>,
    instead: Option<&'static str>,
    reason: &'static str,
}

impl Deprecation {
    getters! {
        /// The day from which on clients should use something else.
        since() -> &'static str => since;

        /// The day from which on it may be gone.
        sunset() -> Option<&'static str> => sunset;

        /// The attribute to use instead.
        instead() -> Option<&'static str> => instead;

        /// The reason, for people; empty where none is given.
        reason() -> &'static str => reason;
    }

    /// A deprecation since this day.
    #[must_use]
    pub const fn new(since: &'static str) -> Self {
        Self {
            since,
            sunset: None,
            successor: None,
            instead: None,
            reason: "",
        }
    }

    setters! {
        /// Sets the day from which on it may be gone.
        until(day: &'static str) => sunset = Some(day);

        /// Names the attribute to use instead.
        use_instead(attribute: &'static str) => instead = Some(attribute);

        /// Tells the reason, for people.
        because(reason: &'static str) => reason = reason;
    }

    /// Names the version to use instead.
    #[must_use]
    pub const fn use_version<R: ApiResource>(mut self) -> Self {
        self.successor = Some(definition_of::<R>);
        self
    }

    /// The version to use instead, where one is named.
    #[must_use]
    pub const fn successor(&self) -> Option<DefinitionOf> {
        self.successor
    }
}
