//! The rules about all but the newer version's attributes: what is gone, operations, pages, callers, unique sets.

use super::super::Operation;
use super::super::constant::{has_all, is_alike, is_equal};
use super::compare::{Comparison, named};
use super::facts::{AccessFact, Flag, Scopes};
use super::finding::{Finding, Part};
use super::rule::Rule;

/// The search for the finding of a number.
struct Count<'facts> {
    skip: usize,
    found: Option<Finding<'facts>>,
}

impl<'facts> Count<'facts> {
    const fn tell(&mut self, finding: Finding<'facts>) {
        if self.found.is_none() {
            match self.skip.checked_sub(1) {
                Some(skip) => self.skip = skip,
                None => self.found = Some(finding),
            }
        }
    }
}

impl<'facts> Comparison<'facts> {
    /// The finding of this number, from zero, about all but the newer version's attributes.
    #[must_use]
    pub const fn rest(&self, number: usize) -> Option<Finding<'facts>> {
        let (old, new) = (&self.old, &self.new);
        let mut count = Count {
            skip: number,
            found: None,
        };
        self.compare_operations(&mut count);
        if !is_equal(old.path, new.path) {
            let url = Finding::about(Rule::Moved, "url");
            count.tell(url.between(Part::Name(new.path), Part::Name(old.path)));
        }
        if !is_equal(old.name, new.name) {
            let name = Finding::about(Rule::Moved, "name");
            count.tell(name.between(Part::Name(new.name), Part::Name(old.name)));
        }
        self.compare_owners(&mut count);
        self.compare_pages(&mut count);
        self.compare_flags(&mut count);
        self.compare_sets(&mut count, new.unique, old.unique);
        if self.items.has_one_table {
            // A set that is gone holds on.
            self.compare_sets(&mut count, old.unique, new.unique);
        }
        self.compare_removed(&mut count);
        count.found
    }

    const fn compare_operations(&self, count: &mut Count<'facts>) {
        let mut operations: &[Operation] = &Operation::ALL;
        let (mut before, mut now): (&[_], &[_]) = (&self.old.access, &self.new.access);
        let are_same = is_alike!(variants self.old.operations, self.new.operations);
        while let ([operation, rest @ ..], [old, olds @ ..], [new, news @ ..]) =
            (operations, before, now)
        {
            if !are_same && self.old.offers(*operation) && !self.new.offers(*operation) {
                count.tell(Finding::about(Rule::Withdrawn, operation.name()));
            }
            // An operation that no declaration opens is nobody's, or everybody's where nothing is guarded.
            if let (AccessFact::Declared(old), AccessFact::Declared(new)) = (old, new)
                && Scopes::are_narrowed(*old, *new)
                && self.old.offers(*operation)
                && self.new.offers(*operation)
            {
                count.tell(Finding::of_scopes(operation.name(), "", *old, *new));
            }
            (operations, before, now) = (rest, olds, news);
        }
    }

    const fn compare_owners(&self, count: &mut Count<'facts>) {
        let Some((claim, now)) = self.new.owner else {
            return;
        };
        // Without an owner everybody uses all items; with one and no bypass, nobody uses those of others.
        let (is_narrowed, before) = match (self.old.owner, now) {
            (Some((_, None)), _) => (false, None),
            (Some((_, before)), Some(_)) => (Scopes::are_narrowed(before, now), before),
            (Some((_, before)), None) => (true, before),
            (None, _) => (true, None),
        };
        if is_narrowed {
            let words = "using the items of another ";
            let mut finding = Finding::of_scopes("owner", words, before, now);
            if now.is_none() {
                finding.new = Part::Text("the token of that owner");
            }
            count.tell(finding);
        }
        if let Some((before, _)) = self.old.owner
            && !is_equal(before, claim)
        {
            let claims = Finding::about(Rule::Access, "owner").words("being the ");
            count.tell(claims.between(Part::Name(claim), Part::Name(before)));
        }
    }

    /// The rules about sizes of pages; the service decides on one that is not declared, and `build` knows that.
    const fn compare_pages(&self, count: &mut Count<'facts>) {
        let page = Finding::about(Rule::Page, "limit");
        if let (Some(before), Some(now)) = (self.old.page.0, self.new.page.0)
            && before != now
        {
            let page = page.words("a page without a `limit` holds ");
            count.tell(page.between(Part::items(now), Part::items(before)));
        }
        if let (Some(before), Some(now)) = (self.old.page.1, self.new.page.1)
            && before > now
        {
            let page = page.words("a page holds at most ");
            count.tell(page.between(Part::items(now), Part::items(before)));
        }
    }

    /// The rules about facts of the whole resource that hold or do not.
    const fn compare_flags(&self, count: &mut Count<'facts>) {
        let mut differing = self.old.flags.differing(self.new.flags);
        while let Some(flag) = differing.first() {
            let (gained, lost) = flag.rules();
            let finding = match (self.new.flags.have(flag), gained, lost) {
                (true, Some(rule), _) => Some(Finding::about(rule, flag.word())),
                (false, _, Some(rule)) => {
                    let (now, before) = (Part::Text("refused"), Part::Text("taken"));
                    Some(Finding::about(rule, flag.word()).between(now, before))
                }
                _ => None,
            };
            if let Some(finding) = finding {
                count.tell(finding.words(flag.words()));
            }
            differing = differing.without(flag);
        }
    }

    /// Tells of the sets that only one of the versions declares.
    const fn compare_sets(
        &self,
        count: &mut Count<'facts>,
        mut sets: &'facts [&'facts [&'facts str]],
        others: &[&[&str]],
    ) {
        let rule = if self.items.has_one_table {
            Rule::SharedConstraint
        } else {
            Rule::Constraint
        };
        while let [set, rest @ ..] = sets {
            if let [name, further @ ..] = *set
                && !has_set(others, set)
            {
                let finding = Finding::about(rule, name).words("unique together with ");
                count.tell(finding.between(Part::Names(further), Part::Text("")));
            }
            sets = rest;
        }
    }

    /// Tells of members that the newer version lacks or has in another role, though clients of the older one know them.
    const fn compare_removed(&self, count: &mut Count<'facts>) {
        let (mut attributes, now) = (self.old.members.attributes(), self.new.members.attributes());
        let (mut place, mut first) = (0, now);
        while let [attribute, others @ ..] = attributes {
            match named(attribute.name(), first, now) {
                Some([_, behind @ ..]) => first = behind,
                _ => self.compare_gone(count, attribute.name(), place),
            }
            (attributes, place) = (others, place + 1);
        }
        while let Some(name) = self.old.members.name_at(place) {
            self.compare_gone(count, name, place);
            place += 1;
        }
    }

    /// Tells of a member that is no attribute of the newer version's definition.
    const fn compare_gone(&self, count: &mut Count<'facts>, name: &'facts str, place: usize) {
        let new_place = self.new.members.place_of(name, place);
        if let Some(new_place) = new_place
            && self.new.members.is_attribute(new_place)
        {
            return;
        }
        let Some(old) = self.old.members.at(place) else {
            return;
        };
        if let Some(new_place) = new_place
            && let Some(new) = self.new.members.at(new_place)
        {
            if new.role.is_shown() && new.role as u8 != old.role as u8 {
                let (now, before) = (Part::role(new.role), Part::role(old.role));
                count.tell(Finding::about(Rule::Kind, old.name).between(now, before));
            }
            return;
        }
        let is_hidden = old.flags.have(Flag::ReadOnly) && old.flags.have(Flag::WriteOnly);
        if is_hidden || old.flags.have(Flag::Deprecated) {
            return;
        }
        let mut finding = Finding::about(Rule::Removed, old.name);
        if self.items.has_one_table
            && let Some(new) = self.new.members.stored_in(old.column)
        {
            let words = finding.words(", where its column belongs to ");
            finding = words.between(Part::Name(new.name), Part::Text(""));
        }
        count.tell(finding);
    }
}

const fn has_set(mut sets: &[&[&str]], wanted: &[&str]) -> bool {
    while let [set, rest @ ..] = sets {
        if set.len() == wanted.len() && has_all(set, wanted) {
            return true;
        }
        sets = rest;
    }
    false
}
