//! The guard of a resource: the operations that are public, and the scopes of the others.

use quote::ToTokens;

use super::{Name, Operation, Requirement, requirement};
use crate::attributes::{ContainerKeys, Key, Public, ScopeKeys, Scopes};

/// The callers that may use the operations.
#[derive(Debug)]
pub(crate) struct Guard {
    /// The operations that everybody may use.
    pub(crate) public: Option<Reach>,
    /// The rules for groups, then those for single operations, which override groups.
    pub(crate) rules: Vec<Rule>,
}

/// Scopes for some of the operations.
#[derive(Debug)]
pub(crate) struct Rule {
    pub(crate) reach: Reach,
    /// The key that requires the scopes, which is also the name of its function in the runtime.
    pub(crate) key: Name,
    pub(crate) requirement: Requirement,
}

/// The operations that a key stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reach {
    Everything,
    Read,
    Write,
    Only(Operation),
}

impl Reach {
    pub(crate) fn covers(self, operation: Operation) -> bool {
        match self {
            Self::Everything => true,
            Self::Read => operation.is_read(),
            Self::Write => !operation.is_read(),
            Self::Only(only) => operation == only,
        }
    }

    pub(crate) fn covers_any(self, operations: &[Operation]) -> bool {
        operations.iter().any(|operation| self.covers(*operation))
    }

    pub(crate) fn overlaps(self, other: Self) -> bool {
        let mut all = Operation::ALL.into_iter();
        all.any(|operation| self.covers(operation) && other.covers(operation))
    }
}

impl Guard {
    /// Tells that the guard has a rule for `operation`.
    pub(crate) fn covers(&self, operation: Operation) -> bool {
        let mut rules = self.rules.iter();
        self.public.is_some_and(|reach| reach.covers(operation))
            || rules.any(|rule| rule.reach.covers(operation))
    }

    /// Tells that some of the operations of `reach` have scopes.
    pub(crate) fn has_rule_for(&self, reach: Reach) -> bool {
        self.rules.iter().any(|rule| rule.reach.overlaps(reach))
    }
}

/// The guard of the keys `scopes` and `public`; `None` where neither is written.
pub(super) fn resolve(
    keys: &ContainerKeys,
    resource_name: &str,
    operations: &[Operation],
) -> Option<Guard> {
    if !keys.scopes.is_written() && !keys.public.is_written() {
        return None;
    }
    let rules = match keys.scopes.value() {
        // Either `public` stands alone, or `scopes` is malformed and has its error already.
        None => Vec::new(),
        Some(Scopes::Alone) => derived_rules(&keys.scopes, resource_name, operations),
        Some(Scopes::Named(keys)) => named_rules(keys),
    };
    // A malformed `public` makes nothing public.
    let public = keys.public.value().map(|public| match public {
        Public::Everything => Reach::Everything,
        Public::Read => Reach::Read,
    });
    Some(Guard { public, rules })
}

/// The rules of `scopes` alone: two scopes named like the resource, for the operations that it offers.
fn derived_rules(key: &Key<Scopes>, resource_name: &str, operations: &[Operation]) -> Vec<Rule> {
    // Scopes are case-sensitive (RFC 6749, section 3.3), so derived ones are always in lower case.
    let resource_name = resource_name.to_ascii_lowercase();
    // Nothing else is written, so errors about these rules underline the word `scopes`.
    let token = key.token().to_token_stream();
    let reaches = [(Reach::Read, "read"), (Reach::Write, "write")];
    let rules = reaches.into_iter().map(|(reach, word)| Rule {
        reach,
        key: Name::new(word, &token),
        requirement: Requirement::of(Name::new(format!("{resource_name}.{word}"), &token)),
    });
    // A scope for operations that the resource does not offer would never be required.
    rules
        .filter(|rule| rule.reach.covers_any(operations))
        .collect()
}

fn named_rules(keys: &ScopeKeys) -> Vec<Rule> {
    // The groups stand first, so that the rule of a single operation, which comes later, overrides them.
    let rules = [
        (Reach::Read, "read", &keys.read),
        (Reach::Write, "write", &keys.write),
        (Reach::Only(Operation::List), "list", &keys.list),
        (Reach::Only(Operation::Retrieve), "retrieve", &keys.retrieve),
        (Reach::Only(Operation::Create), "create", &keys.create),
        (Reach::Only(Operation::Update), "update", &keys.update),
        (Reach::Only(Operation::Delete), "delete", &keys.delete),
    ];
    rules
        .into_iter()
        .filter_map(|(reach, word, key)| {
            Some(Rule {
                reach,
                // A key that is not written makes no rule.
                key: Name::new(word, key.token()?),
                requirement: requirement::resolve(key)?,
            })
        })
        .collect()
}
