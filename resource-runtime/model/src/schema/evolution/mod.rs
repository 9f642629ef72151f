//! The comparison of versions: facts, rules, sentences, and the calls that the derive makes of them.

mod compare;
mod deprecation;
mod facts;
mod finding;
mod members;
mod rest;
mod rule;
mod text;
mod versions;

#[cfg(test)]
mod tests;

pub use compare::Comparison;
pub use deprecation::Deprecation;
pub(super) use facts::flags_where;
pub use facts::{
    AccessFact, DefaultFact, Flag, Flags, LIMITS, MemberFacts, Members, ResourceFacts, Role,
    Scopes, Shape,
};
pub use finding::{Finding, Part};
pub use rule::{On, Rule, RuleEntry, Rules};
pub use text::Text;
pub use versions::{Approval, Versions};
