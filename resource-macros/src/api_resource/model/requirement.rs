//! Requirements: the scopes that a caller needs.

use super::Name;
use crate::attributes::{self, Combinator, Key};

/// The scopes that a caller needs.
#[derive(Debug)]
pub(crate) struct Requirement {
    pub(crate) combinator: Combinator,
    /// The scopes; empty where the value is malformed.
    pub(crate) scopes: Vec<Name>,
}

impl Requirement {
    pub(super) fn of(scope: Name) -> Self {
        Self {
            combinator: Combinator::Any,
            scopes: vec![scope],
        }
    }
}

/// The requirement of `key`, if the key is written.
pub(super) fn resolve(key: &Key<attributes::Requirement>) -> Option<Requirement> {
    // A malformed value is a requirement, too: to other rules the field or operation must count as protected.
    key.token().map(|_| {
        let written = key.value();
        let scopes = written.into_iter().flat_map(|written| &written.scopes);
        Requirement {
            // Without scopes, the combinator decides nothing.
            combinator: written.map_or(Combinator::Any, |written| written.combinator),
            scopes: scopes.map(Name::from).collect(),
        }
    })
}
