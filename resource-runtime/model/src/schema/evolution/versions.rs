//! The comparison of a version with the one that it `follows`, which the derive has the compiler make.

use super::super::constant::item;
use super::compare::{Comparison, Items, named};
use super::finding::Finding;
use super::rule::{Rule, Rules};
use super::text::{Text, position};
use crate::schema::{ApiResource, Attribute, ResourceDefinition};

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
    old: &'static ResourceDefinition,
    new: &'static ResourceDefinition,
    /// The first place that breaks a promise without approval.
    broken: Option<usize>,
    /// The places that were judged already, with what each needs.
    judged: Judged,
}

/// The last places that broke rules, each with these: those that `breaks(…)` approves, so that the compiler judges each once.
type Judged = [(usize, Rules); 4];

#[allow(
    clippy::panic,
    reason = "the compiler alone calls these, to which a panic is an error at the place of the call"
)]
impl Versions {
    /// The versions `Old` and `New`, compared.
    #[must_use]
    pub const fn of<Old: ApiResource, New: ApiResource>() -> Self {
        Self::between(Old::DEFINITION, New::DEFINITION).compared()
    }

    /// The versions of two definitions.
    #[must_use]
    pub const fn between(
        old: &'static ResourceDefinition,
        new: &'static ResourceDefinition,
    ) -> Self {
        Self {
            old,
            new,
            broken: None,
            judged: [(usize::MAX, Rules::NONE); 4],
        }
    }

    const fn comparison(&self) -> Comparison<'static> {
        Comparison::of(self.old.facts(), self.new.facts())
    }

    /// The first place that breaks a promise without approval: that of an attribute, or the number of attributes for what is
    /// beside them; none where none does.
    #[must_use]
    pub const fn broken(&self) -> Option<usize> {
        self.broken
    }

    pub(super) const fn compared(mut self) -> Self {
        let before = self.old.all_attributes();
        let (mut rest, mut olds) = (self.new.all_attributes(), before);
        // Deprecated attributes may go.
        let (mut place, mut found, mut to_be_found) = (0, 0, lasting(before));
        while let [attribute, others @ ..] = rest {
            // Most promises are kept to the letter, which is seen without all facts.
            let is_kept = if let Some([old, behind @ ..]) = named(attribute.name(), olds, before) {
                (olds, found) = (behind, found + 1);
                to_be_found -= old.deprecation().is_none() as usize;
                attribute.is_declared_as(old)
                    // The parts of a key have an order.
                    && (!attribute.is_primary_key() || found == place + 1 && behind.len() + found == before.len())
            } else {
                self.old.all_subresources().is_empty()
                    && self.old.all_collections().is_empty()
                    && attribute.is_free_to_come(before)
            };
            if !is_kept {
                let (finding, needed) = self.judge(place);
                let [first, second, third, _] = self.judged;
                self.judged = [(place, needed), first, second, third];
                if finding.is_some() {
                    self.broken = Some(place);
                    return self;
                }
            }
            (rest, place) = (others, place + 1);
        }
        let is_kept = to_be_found == 0 && self.new.is_declared_as(self.old);
        if !self.is_older() || !is_kept && self.unapproved(0).is_some() {
            self.broken = Some(place);
        }
        self
    }

    /// Keeps what was promised of the attribute at a place.
    ///
    /// # Panics
    ///
    /// Panics where that breaks a rule without approval, which is an error of the compiler.
    #[track_caller]
    pub const fn keep(&self, place: usize) {
        let (finding, _) = self.judge(place);
        if let Some(finding) = finding {
            self.refuse(&finding, place, 0);
        }
    }

    /// Keeps what was promised beside the attributes that both versions have.
    ///
    /// # Panics
    ///
    /// Panics where that breaks a rule without approval, which is an error of the compiler.
    #[track_caller]
    pub const fn end(&self) {
        if !self.is_older() {
            let mut text = Text::new();
            text.add("this version is ");
            text.add_version(self.new.version());
            text.add(", and the one that it follows is ");
            text.add_version(self.old.version());
            text.add("; name an older one");
            panic!("{}", text.as_str());
        }
        if let Some(finding) = self.unapproved(0) {
            self.refuse(&finding, usize::MAX, 1);
        }
    }

    /// Tests whether the version that is followed is an older one; those of placeholders are not those of the structs.
    const fn is_older(&self) -> bool {
        let ((major, minor), (old_major, old_minor)) =
            (self.new.version().numbers(), self.old.version().numbers());
        self.has_mistakes() || old_major < major || old_major == major && old_minor < minor
    }

    /// Needs the approval of this rule for the attribute at a place.
    ///
    /// # Panics
    ///
    /// Panics where nothing needs it, which is an error of the compiler.
    #[track_caller]
    pub const fn needs(&self, place: usize, rule: Rule) {
        let mut judged: &[_] = &self.judged;
        while let [(other, needed), others @ ..] = judged {
            if *other == place && needed.has(rule) {
                return;
            }
            judged = others;
        }
        if !self.judge(place).1.has(rule) {
            self.unneeded(rule);
        }
    }

    /// Needs the approval of this rule for what is named so, or for anything where that is empty.
    ///
    /// # Panics
    ///
    /// Panics where nothing needs it, which is an error of the compiler.
    #[track_caller]
    pub const fn needs_for(&self, rule: Rule, name: &str) {
        let (comparison, mut number) = (self.comparison(), 0);
        while let Some(finding) = comparison.rest(number) {
            let is_named = name.is_empty() || finding.is_at(name);
            if finding.rule as u8 == rule as u8 && is_named {
                return;
            }
            number += 1;
        }
        // The attributes that a subresource shows are compared by `build`.
        if position(name, b'.').is_none() {
            self.unneeded(rule);
        }
    }

    /// Tests whether a version is the placeholder of a struct with mistakes.
    const fn has_mistakes(&self) -> bool {
        self.old.all_attributes().is_empty() || self.new.all_attributes().is_empty()
    }

    /// The first break of an attribute without approval, and the rules that were found until it.
    #[must_use]
    pub const fn judge(&self, place: usize) -> (Option<Finding<'static>>, Rules) {
        self.judge_beside(place, Rules::NONE)
    }

    /// The same beside rules that are known.
    const fn judge_beside(
        &self,
        place: usize,
        mut known: Rules,
    ) -> (Option<Finding<'static>>, Rules) {
        let mut needed = Rules::NONE;
        let Some(attribute) = item(self.new.all_attributes(), place) else {
            return (None, needed);
        };
        if self.has_mistakes() {
            return (None, needed);
        }
        // The approvals of a field are about nothing else.
        let (mut approved, mut approvals) = (Rules::NONE, attribute.approvals());
        while let [approval, others @ ..] = approvals {
            (approved, approvals) = (approved.with(approval.rule), others);
        }
        let items = Items::between(self.old, self.new);
        let broken = items.broken_by(place);
        while let Some(rule) = broken.lowest_beside(known) {
            needed = needed.with(rule);
            if !approved.has(rule) {
                return (items.attribute(place, known), needed);
            }
            known = known.with_implied(rule);
        }
        (None, needed)
    }

    /// The break of this number, from zero, beside attributes that both versions have and beside approvals.
    #[must_use]
    pub const fn unapproved(&self, mut skip: usize) -> Option<Finding<'static>> {
        let (comparison, mut number) = (self.comparison(), 0);
        while let Some(finding) = comparison.rest(number) {
            // A warning needs no approval.
            let is_approved = matches!(finding.rule, Rule::Validator)
                || is_approved(self.new.approvals(), &finding);
            if !self.has_mistakes() && !is_approved {
                match skip.checked_sub(1) {
                    Some(rest) => skip = rest,
                    None => return Some(finding),
                }
            }
            number += 1;
        }
        None
    }

    #[track_caller]
    const fn refuse(&self, finding: &Finding<'_>, next: usize, next_rest: usize) {
        let mut text = Text::new();
        text.add_problem(finding, self.old.version(), next == usize::MAX);
        let known = Rules::NONE.with_implied(finding.rule);
        self.add_others(&mut text, known, next, next_rest);
        panic!("{}", text.as_str());
    }

    /// Names the further breaks, since an error of the compiler ends the comparison: of the next attribute those beside what
    /// is known.
    const fn add_others(
        &self,
        text: &mut Text,
        mut known: Rules,
        mut next: usize,
        mut next_rest: usize,
    ) {
        while next < self.new.all_attributes().len() {
            if let (Some(finding), _) = self.judge_beside(next, known) {
                text.add_further(&finding, false);
            }
            known = Rules::NONE;
            next += 1;
        }
        while let Some(finding) = self.unapproved(next_rest) {
            text.add_further(&finding, true);
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
        text.add_version(self.old.version());
        text.add("; remove this approval");
        panic!("{}", text.as_str());
    }
}

/// The number of attributes that are not deprecated.
const fn lasting(mut attributes: &[Attribute]) -> usize {
    let mut count = 0;
    while let [attribute, others @ ..] = attributes {
        count += attribute.deprecation().is_none() as usize;
        attributes = others;
    }
    count
}

/// Tests whether one of the approvals is about a finding.
const fn is_approved(mut approvals: &[Approval], finding: &Finding<'_>) -> bool {
    while let [approval, others @ ..] = approvals {
        if approval.is_about(finding) {
            return true;
        }
        approvals = others;
    }
    false
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
            if finding.is_at(place) {
                return true;
            }
            rest = others;
        }
        self.places.is_empty()
    }
}
