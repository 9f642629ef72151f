//! Findings: the promises that a version breaks, each with the facts of its sentence.

use super::super::Bound;
use super::super::constant::{has, is_equal};
use super::facts::{DefaultFact, MemberFacts, Role, Scopes};
use super::rule::Rule;

/// A way in which the newer of two versions breaks a promise of the older one.
#[derive(Debug, Clone, Copy)]
pub struct Finding<'facts> {
    /// The rule.
    pub rule: Rule,
    /// The attribute, operation or the like that it is about.
    pub place: &'facts str,
    /// The fact, in words of the rule's sentence.
    pub words: &'static str,
    /// The value of the fact in the newer version.
    pub new: Part<'facts>,
    /// The value of the fact in the older version.
    pub old: Part<'facts>,
}

/// A value within the sentence of a finding.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Part<'facts> {
    /// A text as it is.
    Text(&'static str),
    /// A text between backticks.
    Name(&'facts str),
    /// The name of a column.
    Column(&'facts str),
    /// Texts between backticks.
    Names(&'facts [&'facts str]),
    /// A number in the place of `#`; none where there is no limit.
    Limit(&'static str, Option<Bound>),
    /// Scopes; none where nobody needs any.
    Scopes(Option<Scopes<'facts>>),
}

impl<'facts> Finding<'facts> {
    /// A finding without words or values yet.
    #[must_use]
    pub const fn about(rule: Rule, place: &'facts str) -> Self {
        Self {
            rule,
            place,
            words: "",
            new: Part::Text(""),
            old: Part::Text(""),
        }
    }

    /// A reference, subresource or collection whose target is another one.
    #[must_use]
    pub const fn of_target(place: &'facts str, new: &'facts str, old: &'facts str) -> Self {
        Self::about(Rule::Kind, place).between(Part::Name(new), Part::Name(old))
    }

    /// Scopes that the older version did not need.
    pub(super) const fn of_scopes(
        place: &'facts str,
        words: &'static str,
        old: Option<Scopes<'facts>>,
        new: Option<Scopes<'facts>>,
    ) -> Self {
        let access = Self::about(Rule::Access, place).words(words);
        access.between(Part::Scopes(new), Part::Scopes(old))
    }

    /// The same with words for its sentence.
    #[must_use]
    pub const fn words(mut self, words: &'static str) -> Self {
        self.words = words;
        self
    }

    /// The same with both values.
    #[must_use]
    pub const fn between(mut self, new: Part<'facts>, old: Part<'facts>) -> Self {
        self.new = new;
        self.old = old;
        self
    }

    /// Tests whether it is about what is named so, perhaps among others.
    pub(super) const fn is_at(&self, name: &str) -> bool {
        let is_further = match self.new {
            Part::Names(names) => has(names, name),
            _ => false,
        };
        is_further || is_equal(self.place, name)
    }
}

impl<'facts> Part<'facts> {
    pub(super) const fn role(role: Role) -> Self {
        Self::Text(role.words())
    }

    pub(super) const fn kind(of: &MemberFacts<'facts>) -> Self {
        if of.accepts.names.is_empty() {
            Self::Name(of.kind.name())
        } else {
            Self::Text("an enum")
        }
    }

    pub(super) const fn default(fact: DefaultFact<'facts>) -> Self {
        match fact {
            DefaultFact::None => Self::Text("null"),
            DefaultFact::Computed => Self::Text("its `default`"),
            DefaultFact::Value(json) => Self::Name(json),
        }
    }

    pub(super) const fn items(count: u32) -> Self {
        Self::Limit("# items", Some(Bound::Integer(count as i64)))
    }
}
