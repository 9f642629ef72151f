//! The rules about each attribute of the newer version.

use super::super::constant::{has, is_equal};
use super::super::{Bound, Kind};
use super::compare::Items;
use super::facts::{DefaultFact, Flag, LIMITS, MemberFacts, Scopes, Shape};
use super::finding::{Finding, Part};
use super::rule::{Rule, Rules};

/// The search for the lowest rule that an attribute breaks.
pub(super) struct Search<'facts> {
    /// The name of the attribute.
    name: &'facts str,
    /// The rules that are not asked for.
    known: Rules,
    /// All others that it breaks.
    pub(super) broken: Rules,
    found: Option<Finding<'facts>>,
}

impl<'facts> Search<'facts> {
    /// Tells of a rule that the attribute breaks.
    const fn tell(&mut self, rule: Rule) {
        self.tell_of(Finding::about(rule, self.name));
    }

    /// Tells of a rule that the attribute breaks, by the difference of two facts.
    const fn tell_between(&mut self, rule: Rule, new: Part<'facts>, old: Part<'facts>) {
        self.tell_of(Finding::about(rule, self.name).between(new, old));
    }

    const fn tell_of(&mut self, finding: Finding<'facts>) {
        if self.known.has(finding.rule) {
            return;
        }
        self.broken = self.broken.with(finding.rule);
        match &self.found {
            Some(found) if found.rule as u8 <= finding.rule as u8 => {}
            _ => self.found = Some(finding),
        }
    }
}

impl<'facts> Items<'facts> {
    /// The lowest rule that the newer version's attribute at a place breaks, beside those that are `known`.
    pub(super) const fn attribute(&self, place: usize, known: Rules) -> Option<Finding<'facts>> {
        self.search(place, known).found
    }

    /// All rules that the newer version's attribute at a place breaks.
    pub(super) const fn broken_by(&self, place: usize) -> Rules {
        self.search(place, Rules::NONE).broken
    }

    const fn search(&self, place: usize, known: Rules) -> Search<'facts> {
        let mut search = Search {
            name: "",
            known: known.and(self.void),
            broken: Rules::NONE,
            found: None,
        };
        if let Some(new) = self.new.at(place)
            && !new.role.is_shown()
        {
            search.name = new.name;
            let old = match self.old.place_of(new.name, place) {
                Some(place) => self.old.at(place),
                None => None,
            };
            match old {
                Some(old) => self.compare(&mut search, &old, &new, place),
                None => self.compare_new(&mut search, &new),
            }
        }
        search
    }

    /// The rules about an attribute that clients of the older version do not know by this name.
    const fn compare_new(&self, search: &mut Search<'facts>, new: &MemberFacts<'facts>) {
        if new.role.is_key() {
            search.tell_between(Rule::Key, Part::role(new.role), Part::Text("absent"));
        }
        // Under another name, the older version reads what is stored here, and stores what is read.
        if let Some(old) = self.in_column_of(new) {
            search.known = search.known.and(OF_ONE_NAME);
            compare_flags(search, &old, new, true);
            compare_stored(search, &old, new, true);
        } else if new.flags.have(Flag::Required) {
            search.tell(Rule::RequiredNew);
        }
    }

    const fn in_column_of(&self, new: &MemberFacts<'facts>) -> Option<MemberFacts<'facts>> {
        if self.has_one_table {
            self.old.stored_in(new.column)
        } else {
            None
        }
    }

    /// The rules about an attribute that both versions have.
    const fn compare(
        &self,
        search: &mut Search<'facts>,
        old: &MemberFacts<'facts>,
        new: &MemberFacts<'facts>,
        place: usize,
    ) {
        let (now, before) = (Part::role(new.role), Part::role(old.role));
        if old.role.is_shown() {
            return search.tell_between(Rule::Kind, now, before);
        }
        if old.role as u8 != new.role as u8 {
            search.tell_between(Rule::Key, now, before);
        }
        if new.role.is_key() && self.is_moved_part(old, place) {
            let (now, before) = ("a later part of the key", "an earlier one");
            search.tell_between(Rule::Key, Part::Text(now), Part::Text(before));
        }
        let takes =
            self.takes && !old.flags.have(Flag::ReadOnly) && !new.flags.have(Flag::ReadOnly);
        let tells = !old.flags.have(Flag::WriteOnly) && !new.flags.have(Flag::WriteOnly);
        let is_one_column = self.has_one_table && is_equal(old.column, new.column);
        compare_flags(search, old, new, is_one_column);
        compare_kinds(search, old, new, takes, tells);
        if takes {
            compare_taken(search, old, new);
            compare_scopes(search, "writing ", old.write_scopes, new.write_scopes);
        }
        if tells {
            compare_scopes(search, "reading ", old.read_scopes, new.read_scopes);
            compare_opened(search, old, new);
        }
        if is_one_column {
            compare_stored(search, old, new, tells);
            return;
        }
        self.compare_columns(search, old, new);
        if tells {
            compare_told(search, old, new);
        }
    }

    /// The rules about a column of the older version that another attribute of the newer one has, and the other way round.
    const fn compare_columns(
        &self,
        search: &mut Search<'facts>,
        old: &MemberFacts<'facts>,
        new: &MemberFacts<'facts>,
    ) {
        if self.has_one_table && self.new.stored_in(old.column).is_some() {
            let (now, before) = (Part::Column(new.column), Part::Column(old.column));
            search.tell_between(Rule::Kind, now, before);
        }
        if let Some(stored) = self.in_column_of(new) {
            compare_stored(search, &stored, new, true);
        }
    }

    /// Tests whether a part of the key stands behind one before which it stood.
    const fn is_moved_part(&self, part: &MemberFacts<'_>, place: usize) -> bool {
        let old = &self.old;
        let mut before = 0;
        while before < place
            && let Some(other) = self.new.at(before)
        {
            if other.role.is_key()
                && let (Some(theirs), Some(own)) = (
                    old.place_of(other.name, before),
                    old.place_of(part.name, place),
                )
                && theirs > own
            {
                return true;
            }
            before += 1;
        }
        false
    }
}

/// The rules about flags that break nothing where two versions call a column by different names.
const OF_ONE_NAME: Rules = Rules::NONE
    .with(Rule::Required)
    .with(Rule::ReadOnly)
    .with(Rule::Hidden)
    .with(Rule::Unqueryable);

const fn compare_flags<'facts>(
    search: &mut Search<'facts>,
    old: &MemberFacts<'facts>,
    new: &MemberFacts<'facts>,
    is_one_column: bool,
) {
    let mut differing = old.flags.differing(new.flags);
    while let Some(flag) = differing.first() {
        let rule = match flag.rules() {
            // In a shared table, a constraint holds for both, whichever declares it.
            (Some(Rule::Constraint), shared) if is_one_column => shared,
            (gained, _) if new.flags.have(flag) => gained,
            _ => None,
        };
        if let Some(rule) = rule {
            search.tell_of(Finding::about(rule, search.name).words(flag.words()));
        }
        differing = differing.without(flag);
    }
}

const fn compare_kinds<'facts>(
    search: &mut Search<'facts>,
    old: &MemberFacts<'facts>,
    new: &MemberFacts<'facts>,
    takes: bool,
    tells: bool,
) {
    let is_limited = old.accepts.names.is_empty() && !new.accepts.names.is_empty();
    // Most are of one kind, which spares the compiler the widths.
    if old.kind as u8 == new.kind as u8 && !is_limited {
        return;
    }
    let (is_wider, is_narrower) = widths(old.kind, new.kind);
    if !is_wider && (takes || !is_narrower) || takes && is_limited {
        search.tell_between(Rule::Kind, Part::kind(new), Part::kind(old));
    }
    if tells && is_wider && !is_narrower {
        search.tell_between(Rule::WiderKind, Part::kind(new), Part::kind(old));
    }
}

/// The rules about values that clients of the older version send.
const fn compare_taken<'facts>(
    search: &mut Search<'facts>,
    old: &MemberFacts<'facts>,
    new: &MemberFacts<'facts>,
) {
    if let Some((before, now)) = beyond(&old.accepts, &new.accepts) {
        search.tell_between(Rule::Tighter, now, before);
    }
    let refuses_null = old.accepts.is_nullable && !new.accepts.is_nullable;
    if refuses_null {
        search.tell(Rule::NotNull);
    }
    if let Some(lost) = not_among(old.accepts.names, new.accepts.names) {
        search.tell_between(Rule::NameRemoved, Part::Text(""), Part::Name(lost));
    }
    // A value that clients always had to name has a default for others alone, and null was one until it is refused.
    let was_needless =
        old.flags.have(Flag::Required) || refuses_null && matches!(old.default, DefaultFact::None);
    if !was_needless && !is_same_default(old.default, new.default) {
        let (now, before) = (Part::default(new.default), Part::default(old.default));
        search.tell_between(Rule::Default, now, before);
    }
}

const fn compare_scopes<'facts>(
    search: &mut Search<'facts>,
    words: &'static str,
    old: Option<Scopes<'facts>>,
    new: Option<Scopes<'facts>>,
) {
    if Scopes::are_narrowed(old, new) {
        search.tell_of(Finding::of_scopes(search.name, words, old, new));
    }
}

/// The rules about values that answers of the newer version hold.
const fn compare_told<'facts>(
    search: &mut Search<'facts>,
    old: &MemberFacts<'facts>,
    new: &MemberFacts<'facts>,
) {
    if new.answers.is_nullable && !old.answers.is_nullable {
        search.tell(Rule::Null);
    }
    if let Some((now, before)) = beyond(&new.answers, &old.answers) {
        search.tell_between(Rule::Wider, now, before);
    }
    compare_names(search, Rule::NameAdded, old, new);
}

/// The words of a finding about a text that `truncate` may not cut.
pub(super) const WHOLE: &str = "a whole text";

/// The rules about values that one version stores and the other reads, or tells clients as well.
const fn compare_stored<'facts>(
    search: &mut Search<'facts>,
    old: &MemberFacts<'facts>,
    new: &MemberFacts<'facts>,
    tells: bool,
) {
    // No column holds values of two kinds.
    if old.kind as u8 != new.kind as u8 {
        return;
    }
    if tells {
        compare_widening(search, old, new);
    }
    let (before, now) = (&old.answers, &new.answers);
    if before.is_nullable && !now.is_nullable {
        search.tell_between(Rule::OldItems, Part::Text("a value"), Part::Text("null"));
    }
    if let Some((before, now)) = beyond(before, &new.told()) {
        search.tell_between(Rule::OldItems, now, before);
    }
    if now.names.is_empty() {
        return;
    }
    // Clients of an open enum expect names that it has not, but code reads none of them.
    let names = Part::Names(now.names);
    if before.names.is_empty() {
        search.tell_between(Rule::OldItems, names, Part::Text("any text"));
    } else if let Some(lost) = not_among(before.names, now.names) {
        search.tell_between(Rule::OldItems, names, Part::Name(lost));
    }
}

/// The rule about values that the newer version stores and the older one tells.
const fn compare_widening<'facts>(
    search: &mut Search<'facts>,
    old: &MemberFacts<'facts>,
    new: &MemberFacts<'facts>,
) {
    let mut widening = Finding::about(Rule::ReadWidening, search.name);
    if old.role.is_key() || old.flags.have(Flag::Unique) || old.flags.have(Flag::Reference) {
        widening.words = WHOLE;
    }
    if new.answers.is_nullable && !old.answers.is_nullable {
        search.tell_of(widening.between(Part::Text("null"), Part::Text("a value")));
    }
    let mut expected = old.told();
    // All but digits are held back.
    if new.flags.have(Flag::HeldBack) {
        let [_, _, _, _, digits, scale] = expected.limits;
        expected.limits = [None, None, None, None, digits, scale];
    }
    if let Some((now, before)) = beyond(&new.accepts, &expected) {
        search.tell_of(widening.between(now, before));
    }
    compare_names(search, Rule::ReadWidening, old, new);
}

/// The words of a finding about an enum that becomes `open`.
pub(super) const OPENED: &str = "another one, as it is `open`";

/// The rule about an enum to which the newer version may add names.
const fn compare_opened<'facts>(
    search: &mut Search<'facts>,
    old: &MemberFacts<'facts>,
    new: &MemberFacts<'facts>,
) {
    let names = old.answers.names;
    if new.flags.have(Flag::Open) && !old.flags.have(Flag::Open) && !names.is_empty() {
        search.tell_between(Rule::NameAdded, Part::Text(OPENED), Part::Names(names));
    }
}

/// The rule about texts of the newer version's enum that clients of the older one do not expect.
const fn compare_names<'facts>(
    search: &mut Search<'facts>,
    rule: Rule,
    old: &MemberFacts<'facts>,
    new: &MemberFacts<'facts>,
) {
    let (before, now) = (old.answers.names, new.answers.names);
    if before.is_empty() || old.flags.have(Flag::Open) {
        return;
    }
    if now.is_empty() {
        search.tell_between(rule, Part::Text("any text"), Part::Names(before));
    } else if let Some(added) = not_among(now, before) {
        search.tell_between(rule, Part::Name(added), Part::Names(before));
    }
}

/// The first limit of `outer` that `inner` exceeds, of both.
const fn beyond<'facts>(
    inner: &Shape<'facts>,
    outer: &Shape<'facts>,
) -> Option<(Part<'facts>, Part<'facts>)> {
    if let [None, None, None, None, None, None] = outer.limits {
        return None;
    }
    // Names are compared with names elsewhere.
    if !inner.names.is_empty() && outer.names.is_empty() {
        return beyond_length(inner.names, outer);
    }
    let (mut limits, mut inner, mut outer): (&[_], &[_], &[_]) =
        (&LIMITS, &inner.limits, &outer.limits);
    while let ([(_, words, is_greatest), rest @ ..], [one, ones @ ..], [other, others @ ..]) =
        (limits, inner, outer)
    {
        let exceeds = match (one, other) {
            (_, None) => false,
            (None, Some(_)) => true,
            (Some(one), Some(other)) if *is_greatest => one.exceeds(*other),
            (Some(one), Some(other)) => other.exceeds(*one),
        };
        if exceeds {
            return Some((Part::Limit(words, *one), Part::Limit(words, *other)));
        }
        (limits, inner, outer) = (rest, ones, others);
    }
    None
}

/// The first of `names` that is shorter or longer than the limits of `outer`, and that limit.
const fn beyond_length<'facts>(
    mut names: &'facts [&'facts str],
    outer: &Shape<'facts>,
) -> Option<(Part<'facts>, Part<'facts>)> {
    let ([most, least, ..], [(_, at_most, _), (_, at_least, _), ..]) = (outer.limits, LIMITS);
    while let [name, rest @ ..] = names {
        let length = Bound::Integer(characters(name));
        match (least, most) {
            (Some(least), _) if least.exceeds(length) => {
                return Some((Part::Name(name), Part::Limit(at_least, Some(least))));
            }
            (_, Some(most)) if length.exceeds(most) => {
                return Some((Part::Name(name), Part::Limit(at_most, Some(most))));
            }
            _ => names = rest,
        }
    }
    None
}

const fn characters(text: &str) -> i64 {
    let (mut rest, mut count) = (text.as_bytes(), 0);
    while let [byte, others @ ..] = rest {
        // The further bytes of a character begin with the bits 10.
        count += (*byte & 0xC0 != 0x80) as i64;
        rest = others;
    }
    count
}

/// The first of `names` that is not among `others`; none where these are any text.
const fn not_among<'facts>(
    mut names: &'facts [&'facts str],
    others: &[&str],
) -> Option<&'facts str> {
    while let [name, rest @ ..] = names {
        if !others.is_empty() && !has(others, name) {
            return Some(name);
        }
        names = rest;
    }
    None
}

/// Tests whether all values of the old kind are values of the new one, and the other way round.
const fn widths(old: Kind, new: Kind) -> (bool, bool) {
    let ((old, before), (new, now)) = (width(old), width(new));
    let is_same = old as u8 == new as u8;
    (is_same && before <= now, is_same && now <= before)
}

/// The family of a kind, and its width among the kinds of that.
const fn width(kind: Kind) -> (Kind, u8) {
    match kind {
        Kind::SmallInteger => (Kind::BigInteger, 0),
        Kind::Integer => (Kind::BigInteger, 1),
        Kind::BigInteger => (Kind::BigInteger, 2),
        Kind::Real => (Kind::Double, 0),
        Kind::Double => (Kind::Double, 1),
        other => (other, 0),
    }
}

const fn is_same_default(old: DefaultFact<'_>, new: DefaultFact<'_>) -> bool {
    match (old, new) {
        (DefaultFact::Value(old), DefaultFact::Value(new)) => is_equal(old, new),
        (DefaultFact::None, DefaultFact::None) | (DefaultFact::Computed, DefaultFact::Computed) => {
            true
        }
        _ => false,
    }
}
