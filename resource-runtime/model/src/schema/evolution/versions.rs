//! The comparison of a version with the one that it `follows`, which the derive has the compiler make.

use super::super::constant::{is_equal, item};
use super::compare::{Finding, compare, compare_rest, is_shared};
use super::facts::{Flag, MemberFacts, ResourceFacts};
use super::rule::{Rule, Rules};
use super::text::Text;
use crate::schema::{ApiResource, ResourceDefinition};

/// The approval of a break, as `breaks(…)` declares it.
#[derive(Debug, Clone, Copy)]
pub struct Approval {
    /// The rule.
    pub rule: Rule,
    /// The places where the rule may be broken; empty on a field, and where the rule has one place.
    pub places: &'static [&'static str],
    /// The reason, for people.
    pub reason: &'static str,
}

/// Two versions, of which the newer one follows the older one.
#[derive(Debug, Clone, Copy)]
pub struct Versions {
    old: ResourceFacts<'static>,
    new: ResourceFacts<'static>,
    definition: &'static ResourceDefinition,
}

#[allow(
    clippy::panic,
    reason = "the compiler alone calls these, to which a panic is an error at the place of the call"
)]
impl Versions {
    /// The versions `Old` and `New`.
    #[must_use]
    pub const fn of<Old: ApiResource, New: ApiResource>() -> Self {
        Self::between(Old::DEFINITION, New::DEFINITION)
    }

    /// The versions of two definitions.
    #[must_use]
    pub const fn between(
        old: &'static ResourceDefinition,
        new: &'static ResourceDefinition,
    ) -> Self {
        Self {
            old: old.facts(),
            new: new.facts(),
            definition: new,
        }
    }

    /// Keeps what was promised of the attribute at a place.
    ///
    /// # Panics
    ///
    /// Panics where that breaks a rule without approval, which is an error of the compiler.
    #[must_use]
    #[track_caller]
    pub const fn keep(self, place: usize) -> Self {
        let (finding, _) = self.judge(place);
        if let Some(finding) = finding {
            self.refuse(&finding, place + 1, 0);
        }
        self
    }

    /// Keeps what was promised beside the attributes that both versions have.
    ///
    /// # Panics
    ///
    /// Panics where that breaks a rule without approval, which is an error of the compiler.
    #[must_use]
    #[track_caller]
    pub const fn end(self) -> Self {
        let ((major, minor), (old_major, old_minor)) =
            (self.new.version.numbers(), self.old.version.numbers());
        // The versions of placeholders are not those of the structs.
        if !self.has_mistakes() && (old_major > major || old_major == major && old_minor >= minor) {
            let mut text = Text::new();
            text.add_version(self.old.version);
            text.add(" is not older than ");
            text.add_version(self.new.version);
            text.add(", and a version follows an older one");
            panic!("{}", text.as_str());
        }
        if let Some(finding) = self.unapproved(0) {
            self.refuse(&finding, usize::MAX, 1);
        }
        self
    }

    /// Needs the approval of this rule for the attribute at a place.
    ///
    /// # Panics
    ///
    /// Panics where nothing needs it, which is an error of the compiler.
    #[must_use]
    #[track_caller]
    pub const fn needs(self, place: usize, rule: Rule) -> Self {
        let (_, needed) = self.judge(place);
        if !needed.has(rule) {
            self.unneeded(rule);
        }
        self
    }

    /// Needs the approval of this rule for what is named so, or for anything where that is empty.
    ///
    /// # Panics
    ///
    /// Panics where nothing needs it, which is an error of the compiler.
    #[must_use]
    #[track_caller]
    pub const fn needs_for(self, rule: Rule, name: &str) -> Self {
        let mut number = 0;
        while let Some(finding) = compare_rest(&self.old, &self.new, number) {
            let is_named = name.is_empty() || is_equal(finding.place, name);
            if finding.rule as u8 == rule as u8 && is_named {
                return self;
            }
            number += 1;
        }
        self.unneeded(rule);
        self
    }

    /// Tests whether a version is the placeholder of a struct with mistakes.
    const fn has_mistakes(&self) -> bool {
        self.old.members.at(0).is_none() || self.new.members.at(0).is_none()
    }

    /// The first break of an attribute without approval, and the rules that were found before it.
    #[must_use]
    pub const fn judge(&self, place: usize) -> (Option<Finding<'static>>, Rules) {
        let mut needed = Rules::NONE;
        let mut known = Rules::NONE;
        while let Some(finding) = self.of_attribute(place, known) {
            needed = needed.with(finding.rule);
            if !self.is_approved(place, finding.rule) {
                return (Some(finding), needed);
            }
            known = known.with_implied(finding.rule);
        }
        (None, needed)
    }

    const fn of_attribute(&self, place: usize, known: Rules) -> Option<Finding<'static>> {
        let Some(new) = self.new.members.at(place) else {
            return None;
        };
        if self.has_mistakes() {
            return None;
        }
        match self.old.members.named(new.name, place) {
            Some(old) => compare(&old, &new, self.share(&old, &new), known),
            None if new.flags.have(Flag::Required) && !known.has(Rule::RequiredNew) => {
                Some(Finding::about(Rule::RequiredNew, new.name))
            }
            None => None,
        }
    }

    const fn share(&self, old: &MemberFacts<'_>, new: &MemberFacts<'_>) -> bool {
        is_shared(&self.old, &self.new) && is_equal(old.column, new.column)
    }

    const fn is_approved(&self, place: usize, rule: Rule) -> bool {
        let attribute = item(self.definition.all_attributes(), place);
        let mut rest = match attribute {
            Some(attribute) => attribute.approvals(),
            None => return false,
        };
        while let [approval, others @ ..] = rest {
            if approval.rule as u8 == rule as u8 {
                return true;
            }
            rest = others;
        }
        false
    }

    /// The break of this number, from zero, beside attributes that both versions have and beside approvals.
    #[must_use]
    pub const fn unapproved(&self, mut skip: usize) -> Option<Finding<'static>> {
        let mut number = 0;
        while let Some(finding) = compare_rest(&self.old, &self.new, number) {
            if !self.has_mistakes() && !self.approve(&finding) {
                match skip.checked_sub(1) {
                    Some(rest) => skip = rest,
                    None => return Some(finding),
                }
            }
            number += 1;
        }
        None
    }

    const fn approve(&self, finding: &Finding<'_>) -> bool {
        let mut rest = self.definition.approvals();
        while let [approval, others @ ..] = rest {
            if approval.is_about(finding) {
                return true;
            }
            rest = others;
        }
        // A warning needs no approval.
        matches!(finding.rule, Rule::Validator)
    }

    #[track_caller]
    const fn refuse(&self, finding: &Finding<'_>, next: usize, next_rest: usize) {
        let mut text = Text::new();
        text.add_sentence(finding, self.old.version);
        text.add("; ");
        text.add_remedy(finding, self.old.version);
        text.add(", or write `breaks(");
        text.add_rule(finding, next == usize::MAX);
        text.add(" = \"<why>\")`");
        self.add_others(&mut text, next, next_rest);
        panic!("{}", text.as_str());
    }

    /// Names the further breaks, since an error of the compiler ends the comparison.
    const fn add_others(&self, text: &mut Text, mut next: usize, mut next_rest: usize) {
        while next < self.definition.all_attributes().len() {
            if let (Some(finding), _) = self.judge(next) {
                text.add_further(&finding);
            }
            next += 1;
        }
        while let Some(finding) = self.unapproved(next_rest) {
            text.add_further(&finding);
            next_rest += 1;
        }
    }

    #[track_caller]
    const fn unneeded(&self, rule: Rule) {
        if self.has_mistakes() || rule.entry().is_of_build {
            return;
        }
        let mut text = Text::new();
        text.add("nothing here breaks `");
        text.add(rule.entry().word);
        text.add("` of ");
        text.add_version(self.old.version);
        text.add("; remove it");
        panic!("{}", text.as_str());
    }
}

impl Approval {
    /// Tests whether it is about a finding.
    #[must_use]
    pub const fn is_about(&self, finding: &Finding<'_>) -> bool {
        if self.rule as u8 != finding.rule as u8 {
            return false;
        }
        let mut rest = self.places;
        while let [place, others @ ..] = rest {
            if is_equal(place, finding.place) {
                return true;
            }
            rest = others;
        }
        self.places.is_empty()
    }
}
