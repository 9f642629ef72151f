//! The comparison of two versions: one function about a member that both have, one about the rest, for the compiler,
//! `build` and `api.lock` alike.
//!
//! A version keeps its promise where accepted(old) ⊆ accepted(new) and produced(new) ⊆ produced(old).

use super::super::constant::is_equal;
use super::super::{Bound, Kind, Operation};
use super::facts::{
    AccessFact, DefaultFact, Flag, LIMITS, MemberFacts, ResourceFacts, Scopes, Shape,
};
use super::rule::{Rule, Rules};

/// A way in which the newer of two versions breaks a promise of the older one.
#[derive(Debug, Clone, Copy)]
pub struct Finding<'facts> {
    /// The rule.
    pub rule: Rule,
    /// The attribute, operation or the like that it is about.
    pub place: &'facts str,
    /// The fact, in words of the rule's sentence.
    pub words: &'facts str,
    /// The value of the fact in the newer version.
    pub new: Part<'facts>,
    /// The value of the fact in the older version.
    pub old: Part<'facts>,
}

/// A value within the sentence of a finding.
#[derive(Debug, Clone, Copy)]
pub enum Part<'facts> {
    /// A text as it is.
    Text(&'facts str),
    /// A text between backticks.
    Name(&'facts str),
    /// A number; none where there is no limit.
    Bound(Option<Bound>),
    /// Scopes; none where nobody needs any.
    Scopes(Option<Scopes<'facts>>),
}

impl<'facts> Finding<'facts> {
    pub(super) const fn about(rule: Rule, place: &'facts str) -> Self {
        Self {
            rule,
            place,
            words: "",
            new: Part::Text(""),
            old: Part::Text(""),
        }
    }

    /// A reference or subresource whose target is another one.
    pub(crate) const fn of_target(place: &'facts str, new: &'facts str, old: &'facts str) -> Self {
        Self::about(Rule::Kind, place).between(Part::Name(new), Part::Name(old))
    }

    const fn words(mut self, words: &'facts str) -> Self {
        self.words = words;
        self
    }

    const fn between(mut self, new: Part<'facts>, old: Part<'facts>) -> Self {
        self.new = new;
        self.old = old;
        self
    }
}

/// The search for one of the findings.
struct Search<'facts> {
    known: Rules,
    skip: usize,
    found: Option<Finding<'facts>>,
}

impl<'facts> Search<'facts> {
    /// Takes a finding that `holds`, if its rule is not known, and the lowest one so far.
    const fn tell(&mut self, holds: bool, finding: Finding<'facts>) {
        if !holds || self.known.has(finding.rule) {
            return;
        }
        match &self.found {
            Some(found) if found.rule as u8 <= finding.rule as u8 => {}
            _ => self.found = Some(finding),
        }
    }

    /// Takes a finding that `holds`, if it is the one to be found.
    const fn count(&mut self, holds: bool, finding: Finding<'facts>) {
        if holds && self.found.is_none() {
            match self.skip.checked_sub(1) {
                Some(skip) => self.skip = skip,
                None => self.found = Some(finding),
            }
        }
    }
}

/// The lowest rule about a member that the newer version breaks and that is not `known`. Where both versions share the
/// column, each reads what the other stores.
#[must_use]
pub const fn compare<'facts>(
    old: &MemberFacts<'facts>,
    new: &MemberFacts<'facts>,
    is_shared: bool,
    known: Rules,
) -> Option<Finding<'facts>> {
    let mut search = Search {
        known,
        skip: 0,
        found: None,
    };
    let name = new.name;
    let (was_taken, is_taken) = (
        !old.flags.have(Flag::ReadOnly),
        !new.flags.have(Flag::ReadOnly),
    );
    let takes = was_taken && is_taken;
    let tells = !old.flags.have(Flag::WriteOnly) && !new.flags.have(Flag::WriteOnly);
    let roles = (Part::Text(new.role), Part::Text(old.role));
    let key = Finding::about(Rule::Key, name).between(roles.0, roles.1);
    search.tell(!is_equal(old.role, new.role), key);
    compare_flags(&mut search, old, new, is_shared);
    let kinds = (kind(new), kind(old));
    let (is_wider, is_narrower) = widths(old.kind, new.kind);
    let is_limited = old.accepts.names.is_empty() && !new.accepts.names.is_empty();
    let is_other = !is_wider && (takes || !is_narrower) || takes && is_limited;
    search.tell(
        is_other,
        Finding::about(Rule::Kind, name).between(kinds.0, kinds.1),
    );
    let is_wider = tells && is_wider && !is_narrower;
    search.tell(
        is_wider,
        Finding::about(Rule::WiderKind, name).between(kinds.0, kinds.1),
    );
    if takes {
        compare_taken(&mut search, old, new);
    }
    if tells && is_shared {
        compare_stored(&mut search, old, new);
    } else if tells {
        let null = new.answers.is_nullable && !old.answers.is_nullable;
        search.tell(null, Finding::about(Rule::Null, name));
        tell_excess(&mut search, Rule::Wider, name, &new.answers, &old.answers);
        tell_names(&mut search, Rule::NameAdded, old, new);
    }
    let scopes = scopes(name, old.read_scopes, new.read_scopes);
    search.tell(is_narrowed(old.read_scopes, new.read_scopes), scopes);
    let scopes = self::scopes(name, old.write_scopes, new.write_scopes);
    search.tell(is_narrowed(old.write_scopes, new.write_scopes), scopes);
    search.found
}

const fn compare_flags<'facts>(
    search: &mut Search<'facts>,
    old: &MemberFacts<'facts>,
    new: &MemberFacts<'facts>,
    is_shared: bool,
) {
    let mut flags: &[Flag] = &Flag::ALL;
    while let [flag, rest @ ..] = flags {
        let (was, is) = (old.flags.have(*flag), new.flags.have(*flag));
        match flag.rules() {
            // In a shared table, a constraint holds for both, whichever declares it.
            (Some(Rule::Constraint), Some(rule)) if is_shared => {
                search.tell(
                    was != is,
                    Finding::about(rule, new.name).words(flag.words()),
                );
            }
            (Some(rule), _) => {
                search.tell(
                    is && !was,
                    Finding::about(rule, new.name).words(flag.words()),
                );
            }
            (None, _) => {}
        }
        flags = rest;
    }
}

/// The rules about values that clients of the older version send.
const fn compare_taken<'facts>(
    search: &mut Search<'facts>,
    old: &MemberFacts<'facts>,
    new: &MemberFacts<'facts>,
) {
    let name = new.name;
    if let Some((words, outer, inner)) = beyond(&old.accepts, &new.accepts) {
        search.tell(
            true,
            Finding::about(Rule::Tighter, name)
                .words(words)
                .between(inner, outer),
        );
    }
    let is_tighter = old.accepts.is_nullable && !new.accepts.is_nullable;
    search.tell(is_tighter, Finding::about(Rule::NotNull, name));
    if let Some(lost) = not_among(old.accepts.names, new.accepts.names) {
        let lost = Part::Name(lost);
        search.tell(
            true,
            Finding::about(Rule::NameRemoved, name).between(lost, lost),
        );
    }
    // A value that clients always had to name has a default for others alone.
    let was_optional = !old.flags.have(Flag::Required);
    let defaults =
        Finding::about(Rule::Default, name).between(default(new.default), default(old.default));
    search.tell(
        was_optional && !is_same_default(old.default, new.default),
        defaults,
    );
}

/// The rules about values that one version stores and the other reads.
const fn compare_stored<'facts>(
    search: &mut Search<'facts>,
    old: &MemberFacts<'facts>,
    new: &MemberFacts<'facts>,
) {
    let name = new.name;
    let null =
        Finding::about(Rule::ReadWidening, name).between(Part::Text("null"), Part::Text("no null"));
    search.tell(new.answers.is_nullable && !old.answers.is_nullable, null);
    tell_excess(search, Rule::ReadWidening, name, &new.answers, &old.answers);
    tell_names(search, Rule::ReadWidening, old, new);
    let null =
        Finding::about(Rule::OldItems, name).between(Part::Text("no null"), Part::Text("null"));
    search.tell(old.answers.is_nullable && !new.answers.is_nullable, null);
    if let Some((words, inner, outer)) = beyond(&old.answers, &new.answers) {
        search.tell(
            true,
            Finding::about(Rule::OldItems, name)
                .words(words)
                .between(outer, inner),
        );
    }
    if let Some(lost) = not_among(old.answers.names, new.answers.names) {
        let names = Finding::about(Rule::OldItems, name)
            .between(Part::Text("other names"), Part::Name(lost));
        search.tell(true, names);
    }
}

const fn tell_excess<'facts>(
    search: &mut Search<'facts>,
    rule: Rule,
    name: &'facts str,
    inner: &Shape<'facts>,
    outer: &Shape<'facts>,
) {
    if let Some((words, inner, outer)) = beyond(inner, outer) {
        search.tell(
            true,
            Finding::about(rule, name)
                .words(words)
                .between(inner, outer),
        );
    }
}

/// Tells of a text of the newer version's enum that clients of the older one do not expect.
const fn tell_names<'facts>(
    search: &mut Search<'facts>,
    rule: Rule,
    old: &MemberFacts<'facts>,
    new: &MemberFacts<'facts>,
) {
    let (before, now) = (old.answers.names, new.answers.names);
    if before.is_empty() || old.flags.have(Flag::Open) {
        return;
    }
    let finding = Finding::about(rule, new.name);
    let others = Part::Text("other names");
    search.tell(
        now.is_empty(),
        finding.between(Part::Text("any text"), others),
    );
    if let Some(added) = not_among(now, before) {
        search.tell(true, finding.between(Part::Name(added), others));
    }
}

/// The first limit of `outer` that `inner` exceeds: its words, and both values.
const fn beyond(
    inner: &Shape<'_>,
    outer: &Shape<'_>,
) -> Option<(&'static str, Part<'static>, Part<'static>)> {
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
            return Some((words, Part::Bound(*one), Part::Bound(*other)));
        }
        (limits, inner, outer) = (rest, ones, others);
    }
    None
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

const fn has(mut names: &[&str], name: &str) -> bool {
    while let [first, rest @ ..] = names {
        if is_equal(first, name) {
            return true;
        }
        names = rest;
    }
    false
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
        (DefaultFact::None, DefaultFact::None) | (DefaultFact::Computed, DefaultFact::Computed) => {
            true
        }
        (DefaultFact::Value(old), DefaultFact::Value(new)) => is_equal(old, new),
        _ => false,
    }
}

/// Tests whether a set of scopes that met the old requirement does not meet the new one.
const fn is_narrowed(old: Option<Scopes<'_>>, new: Option<Scopes<'_>>) -> bool {
    let (old, new) = match (old, new) {
        (_, None) => return false,
        (None, Some(_)) => return true,
        (Some(old), Some(new)) => (old, new),
    };
    let keeps = match (old.are_all_needed, new.are_all_needed) {
        (true, true) => has_all(old.names, new.names),
        (true, false) => has_any(old.names, new.names),
        // Each of the old scopes was enough by itself.
        (false, false) => has_all(new.names, old.names),
        (false, true) => {
            old.names.len() == 1 && new.names.len() == 1 && has_all(old.names, new.names)
        }
    };
    !keeps
}

const fn has_all(names: &[&str], mut wanted: &[&str]) -> bool {
    while let [name, rest @ ..] = wanted {
        if !has(names, name) {
            return false;
        }
        wanted = rest;
    }
    true
}

const fn has_any(names: &[&str], mut wanted: &[&str]) -> bool {
    while let [name, rest @ ..] = wanted {
        if has(names, name) {
            return true;
        }
        wanted = rest;
    }
    false
}

const fn scopes<'facts>(
    place: &'facts str,
    old: Option<Scopes<'facts>>,
    new: Option<Scopes<'facts>>,
) -> Finding<'facts> {
    Finding::about(Rule::Access, place).between(Part::Scopes(new), Part::Scopes(old))
}

const fn kind<'facts>(of: &MemberFacts<'facts>) -> Part<'facts> {
    if of.accepts.names.is_empty() {
        Part::Name(of.kind.name())
    } else {
        Part::Text("an enum")
    }
}

const fn default(fact: DefaultFact<'_>) -> Part<'_> {
    match fact {
        DefaultFact::None => Part::Text("absent"),
        DefaultFact::Computed => Part::Text("computed"),
        DefaultFact::Value(json) => Part::Name(json),
    }
}

/// The finding of this number, from zero, about what is not a member of both versions.
#[must_use]
pub const fn compare_rest<'facts>(
    old: &ResourceFacts<'facts>,
    new: &ResourceFacts<'facts>,
    number: usize,
) -> Option<Finding<'facts>> {
    let mut search = Search {
        known: Rules::NONE,
        skip: number,
        found: None,
    };
    let mut operations: &[Operation] = &Operation::ALL;
    let (mut before, mut now): (&[_], &[_]) = (&old.access, &new.access);
    while let ([operation, rest @ ..], [old_access, olds @ ..], [new_access, news @ ..]) =
        (operations, before, now)
    {
        let name = operation.name();
        let (was_offered, is_offered) = (offers(old, *operation), offers(new, *operation));
        search.count(
            was_offered && !is_offered,
            Finding::about(Rule::Withdrawn, name),
        );
        // The service decides on what is not declared, and `build` knows that.
        if let (AccessFact::Declared(old), AccessFact::Declared(new)) = (old_access, new_access) {
            search.count(
                was_offered && is_offered && is_narrowed(*old, *new),
                scopes(name, *old, *new),
            );
        }
        (operations, before, now) = (rest, olds, news);
    }
    let url =
        Finding::about(Rule::Moved, "url").between(Part::Name(new.path), Part::Name(old.path));
    search.count(!is_equal(old.path, new.path), url);
    let name =
        Finding::about(Rule::Moved, "name").between(Part::Name(new.name), Part::Name(old.name));
    search.count(!is_equal(old.name, new.name), name);
    compare_owner(&mut search, old, new);
    compare_pages(&mut search, old, new);
    let mut sets = new.unique;
    while let [set, rest @ ..] = sets {
        compare_set(&mut search, set, new, old);
        sets = rest;
    }
    sets = if is_shared(old, new) { old.unique } else { &[] };
    // In a shared table, a set that is gone holds on.
    while let [set, rest @ ..] = sets {
        compare_set(&mut search, set, old, new);
        sets = rest;
    }
    let mut place = 0;
    while let Some(member) = old.members.at(place) {
        compare_removed(&mut search, &member, place, old, new);
        place += 1;
    }
    search.found
}

const fn offers(of: &ResourceFacts<'_>, operation: Operation) -> bool {
    let mut rest = of.operations;
    while let [offered, others @ ..] = rest {
        if *offered as u8 == operation as u8 {
            return true;
        }
        rest = others;
    }
    false
}

/// Tests whether two versions have one table.
#[must_use]
pub const fn is_shared(old: &ResourceFacts<'_>, new: &ResourceFacts<'_>) -> bool {
    match (old.table, new.table) {
        (Some(old), Some(new)) => old.is_same(new),
        _ => false,
    }
}

const fn compare_owner<'facts>(
    search: &mut Search<'facts>,
    old: &ResourceFacts<'facts>,
    new: &ResourceFacts<'facts>,
) {
    let owner = Finding::about(Rule::Access, "owner");
    match (old.owner, new.owner) {
        (_, None) => {}
        (None, Some((claim, _))) => {
            search.count(
                true,
                owner.between(Part::Name(claim), Part::Text("anybody")),
            );
        }
        (Some((before, free)), Some((claim, still_free))) => {
            let claims = owner.between(Part::Name(claim), Part::Name(before));
            search.count(!is_equal(before, claim), claims);
            // Without a bypass nobody is free, so that none narrows most.
            let is_narrowed = match (free, still_free) {
                (None, _) => false,
                (Some(_), None) => true,
                (Some(_), Some(_)) => is_narrowed(free, still_free),
            };
            search.count(is_narrowed, scopes("owner", free, still_free));
        }
    }
}

/// The rules about pages, and about the facts of the whole resource that hold or do not.
const fn compare_pages<'facts>(
    search: &mut Search<'facts>,
    old: &ResourceFacts<'facts>,
    new: &ResourceFacts<'facts>,
) {
    let page = Finding::about(Rule::Page, "limit");
    // The service decides on a limit that is not declared, and `build` knows that.
    if let (Some(before), Some(now)) = (old.page.0, new.page.0) {
        let page = page.words("without a `limit`, a page holds");
        search.count(before != now, page.between(count(now), count(before)));
    }
    if let (Some(before), Some(now)) = (old.page.1, new.page.1) {
        let page = page.words("a page holds at most");
        search.count(before > now, page.between(count(now), count(before)));
    }
    let mut flags: &[Flag] = &Flag::ALL;
    while let [flag, rest @ ..] = flags {
        let (was, is) = (old.flags.have(*flag), new.flags.have(*flag));
        let (gained, lost) = flag.rules();
        if let Some(rule) = gained {
            search.count(
                is && !was,
                Finding::about(rule, flag.word()).words(flag.words()),
            );
        }
        if let Some(rule) = lost {
            let finding = Finding::about(rule, flag.word()).words(flag.words());
            search.count(
                was && !is,
                finding.between(Part::Text("refused"), Part::Text("taken")),
            );
        }
        flags = rest;
    }
}

const fn count(items: u32) -> Part<'static> {
    Part::Bound(Some(Bound::Integer(items as i64)))
}

/// Counts the constraint of a set that only one version has.
const fn compare_set<'facts>(
    search: &mut Search<'facts>,
    set: &'facts [&'facts str],
    with: &ResourceFacts<'facts>,
    without: &ResourceFacts<'facts>,
) {
    let mut others = without.unique;
    while let [other, rest @ ..] = others {
        if other.len() == set.len() && has_all(other, set) {
            return;
        }
        others = rest;
    }
    let rule = if is_shared(with, without) {
        Rule::SharedConstraint
    } else {
        Rule::Constraint
    };
    if let [name, ..] = set {
        search.count(
            true,
            Finding::about(rule, name).words("unique together with others"),
        );
    }
}

/// Counts a member that the newer version lacks, though clients of the older one know it.
const fn compare_removed<'facts>(
    search: &mut Search<'facts>,
    member: &MemberFacts<'facts>,
    place: usize,
    old: &ResourceFacts<'facts>,
    new: &ResourceFacts<'facts>,
) {
    let is_hidden = member.flags.have(Flag::ReadOnly) && member.flags.have(Flag::WriteOnly);
    let may_go = is_hidden || member.flags.have(Flag::Deprecated);
    if may_go || new.members.named(member.name, place).is_some() {
        return;
    }
    let mut finding = Finding::about(Rule::Removed, member.name);
    let mut place = 0;
    while let Some(other) = new.members.at(place) {
        let is_known = !member.column.is_empty() && is_shared(old, new);
        if is_known && is_equal(other.column, member.column) {
            let words = finding.words(", where its column is ");
            finding = words.between(Part::Name(other.name), Part::Text(""));
        }
        place += 1;
    }
    search.count(true, finding);
}
