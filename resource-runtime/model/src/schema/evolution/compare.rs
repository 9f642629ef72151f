//! The comparison of two versions: a function about each member of the newer one, one about the rest, for the compiler,
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
    pub words: &'static str,
    /// The value of the fact in the newer version.
    pub new: Part<'facts>,
    /// The value of the fact in the older version.
    pub old: Part<'facts>,
}

/// A value within the sentence of a finding.
#[derive(Debug, Clone, Copy)]
pub enum Part<'facts> {
    /// A text as it is.
    Text(&'static str),
    /// A text between backticks.
    Name(&'facts str),
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

    /// Tells of the first limit of `outer` that `inner` exceeds.
    const fn tell_excess(
        &mut self,
        finding: Finding<'facts>,
        inner: &Shape<'_>,
        outer: &Shape<'_>,
        is_new_inner: bool,
    ) {
        if let Some((inner, outer)) = beyond(inner, outer) {
            let (new, old) = if is_new_inner {
                (inner, outer)
            } else {
                (outer, inner)
            };
            self.tell(true, finding.between(new, old));
        }
    }

    /// Tells of texts of the newer version's enum that clients of the older one do not expect.
    const fn tell_names(
        &mut self,
        rule: Rule,
        old: &MemberFacts<'facts>,
        new: &MemberFacts<'facts>,
    ) {
        let (before, now) = (old.answers.names, new.answers.names);
        if before.is_empty() || old.flags.have(Flag::Open) {
            return;
        }
        let (finding, before) = (Finding::about(rule, new.name), Part::Names(before));
        self.tell(
            now.is_empty(),
            finding.between(Part::Text("any text"), before),
        );
        if let Some(added) = not_among(now, old.answers.names) {
            self.tell(true, finding.between(Part::Name(added), before));
        }
    }
}

/// Two versions, of which the newer one is to keep what the older one promised.
#[derive(Debug, Clone, Copy)]
pub struct Comparison<'facts> {
    /// The facts of the older version.
    pub old: ResourceFacts<'facts>,
    /// The facts of the newer version.
    pub new: ResourceFacts<'facts>,
    has_one_table: bool,
    /// True where both take bodies of some kind.
    takes: bool,
    /// The rules about bodies that only one of them takes, which cannot be broken.
    void: Rules,
}

impl<'facts> Comparison<'facts> {
    /// The comparison of two versions.
    #[must_use]
    pub const fn of(old: ResourceFacts<'facts>, new: ResourceFacts<'facts>) -> Self {
        let creates = old.offers(Operation::Create) && new.offers(Operation::Create);
        let updates = old.offers(Operation::Update) && new.offers(Operation::Update);
        let mut void = Rules::NONE;
        if !creates {
            void = void
                .with(Rule::RequiredNew)
                .with(Rule::Required)
                .with(Rule::Default);
        }
        if !creates && !updates {
            void = void.with(Rule::ReadOnly);
        }
        Self {
            has_one_table: match (old.table, new.table) {
                (Some(old), Some(new)) => old.is_same(new),
                _ => false,
            },
            takes: creates || updates,
            void,
            old,
            new,
        }
    }

    /// The lowest rule that the newer version's attribute at a place breaks, beside those that are `known`.
    #[must_use]
    pub const fn attribute(&self, place: usize, known: Rules) -> Option<Finding<'facts>> {
        let Some((name, _)) = self.new.members.names_at(place) else {
            return None;
        };
        let old_place = self.old.members.place_of(name, place);
        if let Some(old_place) = old_place
            && self
                .old
                .members
                .declares_as(old_place, &self.new.members, place)
        {
            return None;
        }
        let Some(new) = self.new.members.at(place) else {
            return None;
        };
        if new.role.is_shown() {
            return None;
        }
        let old = match old_place {
            Some(place) => self.old.members.at(place),
            None => None,
        };
        let mut search = Search {
            known: known.and(self.void),
            skip: 0,
            found: None,
        };
        match old {
            Some(old) => self.compare(&mut search, &old, &new, place),
            None => self.compare_new(&mut search, &new),
        }
        search.found
    }

    /// The rules about an attribute that clients of the older version do not know by this name.
    const fn compare_new(&self, search: &mut Search<'facts>, new: &MemberFacts<'facts>) {
        let key = Finding::about(Rule::Key, new.name);
        let key = key.between(Part::Text(new.role.words()), Part::Text("absent"));
        search.tell(new.role.is_key(), key);
        // Under another name, the older version reads what is stored here, and stores what is read.
        if let Some(old) = self.in_column_of(new) {
            search.known = search.known.and(OF_ONE_NAME);
            compare_flags(search, &old, new, true);
            compare_stored(search, &old, new);
        } else {
            let is_required = new.flags.have(Flag::Required);
            search.tell(is_required, Finding::about(Rule::RequiredNew, new.name));
        }
    }

    const fn in_column_of(&self, new: &MemberFacts<'facts>) -> Option<MemberFacts<'facts>> {
        if self.has_one_table
            && let Some(place) = self.old.members.stored_in(new.column)
        {
            return self.old.members.at(place);
        }
        None
    }

    /// The rules about an attribute that both versions have.
    const fn compare(
        &self,
        search: &mut Search<'facts>,
        old: &MemberFacts<'facts>,
        new: &MemberFacts<'facts>,
        place: usize,
    ) {
        let name = new.name;
        let roles = (Part::Text(new.role.words()), Part::Text(old.role.words()));
        if old.role.is_shown() {
            search.tell(
                true,
                Finding::about(Rule::Kind, name).between(roles.0, roles.1),
            );
            return;
        }
        let is_other_key = old.role as u8 != new.role as u8;
        search.tell(
            is_other_key,
            Finding::about(Rule::Key, name).between(roles.0, roles.1),
        );
        if new.role.is_key() && self.is_moved_part(old, place) {
            let places = (
                Part::Text("a later part of the key"),
                Part::Text("an earlier one"),
            );
            search.tell(
                true,
                Finding::about(Rule::Key, name).between(places.0, places.1),
            );
        }
        let takes =
            self.takes && !old.flags.have(Flag::ReadOnly) && !new.flags.have(Flag::ReadOnly);
        let tells = !old.flags.have(Flag::WriteOnly) && !new.flags.have(Flag::WriteOnly);
        let is_one_column = self.has_one_table && is_equal(old.column, new.column);
        compare_flags(search, old, new, is_one_column);
        compare_kinds(search, old, new, takes, tells);
        if takes {
            compare_taken(search, old, new);
            tell_scopes(search, name, "writing ", old.write_scopes, new.write_scopes);
        }
        if tells {
            tell_scopes(search, name, "reading ", old.read_scopes, new.read_scopes);
        }
        if tells && is_one_column {
            compare_stored(search, old, new);
        } else if tells {
            let null = new.answers.is_nullable && !old.answers.is_nullable;
            search.tell(null, Finding::about(Rule::Null, name));
            let wider = Finding::about(Rule::Wider, name);
            search.tell_excess(wider, &new.answers, &old.answers, true);
            search.tell_names(Rule::NameAdded, old, new);
        }
    }

    /// Tests whether a part of the key stands behind one before which it stood.
    const fn is_moved_part(&self, part: &MemberFacts<'_>, place: usize) -> bool {
        let old = &self.old.members;
        let mut before = 0;
        while before < place
            && let Some(other) = self.new.members.at(before)
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

/// The words of a finding about a text that `truncate` may not cut.
pub(super) const WHOLE: &str = "a whole text";

/// The rules about values that one version stores and the other reads.
const fn compare_stored<'facts>(
    search: &mut Search<'facts>,
    old: &MemberFacts<'facts>,
    new: &MemberFacts<'facts>,
) {
    let mut widening = Finding::about(Rule::ReadWidening, new.name);
    if old.role.is_key() || old.flags.have(Flag::Unique) || old.flags.have(Flag::Reference) {
        widening.words = WHOLE;
    }
    let items = Finding::about(Rule::OldItems, new.name);
    let (null, value) = (Part::Text("null"), Part::Text("a value"));
    let (before, now) = (&old.answers, &new.answers);
    search.tell(
        now.is_nullable && !before.is_nullable,
        widening.between(null, value),
    );
    let mut expected = *before;
    let [max_length, ..] = &mut expected.limits;
    // Clients of the older version never read more, whatever the newer one stores.
    if old.flags.have(Flag::Truncated) {
        *max_length = None;
    }
    // All but digits are held back.
    if new.flags.have(Flag::HeldBack) {
        let [_, _, _, _, digits, scale] = expected.limits;
        expected.limits = [None, None, None, None, digits, scale];
    }
    search.tell_excess(widening, &new.accepts, &expected, true);
    search.tell_names(Rule::ReadWidening, old, new);
    search.tell(
        before.is_nullable && !now.is_nullable,
        items.between(value, null),
    );
    search.tell_excess(items, before, now, false);
    // Clients of an open enum expect names that it has not.
    if new.flags.have(Flag::Open) {
        return;
    }
    let names = Part::Names(now.names);
    let is_limited = before.names.is_empty() && !now.names.is_empty();
    search.tell(is_limited, items.between(names, Part::Text("any text")));
    if let Some(lost) = not_among(before.names, now.names) {
        search.tell(true, items.between(names, Part::Name(lost)));
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
    let mut flags: &[Flag] = if old.flags.are(new.flags) {
        &[]
    } else {
        &Flag::ALL
    };
    while let [flag, rest @ ..] = flags {
        let (was, is) = (old.flags.have(*flag), new.flags.have(*flag));
        let (rule, holds) = match flag.rules() {
            // In a shared table, a constraint holds for both, whichever declares it.
            (Some(Rule::Constraint), shared) if is_one_column => (shared, was != is),
            (rule, _) => (rule, is && !was),
        };
        if let Some(rule) = rule {
            search.tell(holds, Finding::about(rule, new.name).words(flag.words()));
        }
        flags = rest;
    }
}

const fn compare_kinds<'facts>(
    search: &mut Search<'facts>,
    old: &MemberFacts<'facts>,
    new: &MemberFacts<'facts>,
    takes: bool,
    tells: bool,
) {
    let (is_wider, is_narrower) = widths(old.kind, new.kind);
    let is_limited = old.accepts.names.is_empty() && !new.accepts.names.is_empty();
    let is_other = !is_wider && (takes || !is_narrower) || takes && is_limited;
    let finding = Finding::about(Rule::Kind, new.name);
    search.tell(is_other, finding.between(kind(new), kind(old)));
    let finding = Finding::about(Rule::WiderKind, new.name);
    search.tell(
        tells && is_wider && !is_narrower,
        finding.between(kind(new), kind(old)),
    );
}

/// The rules about values that clients of the older version send.
const fn compare_taken<'facts>(
    search: &mut Search<'facts>,
    old: &MemberFacts<'facts>,
    new: &MemberFacts<'facts>,
) {
    let name = new.name;
    let tighter = Finding::about(Rule::Tighter, name);
    search.tell_excess(tighter, &old.accepts, &new.accepts, false);
    let refuses_null = old.accepts.is_nullable && !new.accepts.is_nullable;
    search.tell(refuses_null, Finding::about(Rule::NotNull, name));
    if let Some(lost) = not_among(old.accepts.names, new.accepts.names) {
        let lost =
            Finding::about(Rule::NameRemoved, name).between(Part::Text(""), Part::Name(lost));
        search.tell(true, lost);
    }
    // A value that clients always had to name has a default for others alone, and null was one until it is refused.
    let was_needless =
        old.flags.have(Flag::Required) || refuses_null && matches!(old.default, DefaultFact::None);
    let defaults =
        Finding::about(Rule::Default, name).between(default(new.default), default(old.default));
    search.tell(
        !was_needless && !is_same_default(old.default, new.default),
        defaults,
    );
}

const fn tell_scopes<'facts>(
    search: &mut Search<'facts>,
    place: &'facts str,
    words: &'static str,
    old: Option<Scopes<'facts>>,
    new: Option<Scopes<'facts>>,
) {
    search.tell(is_narrowed(old, new), scopes(place, words, old, new));
}

const fn scopes<'facts>(
    place: &'facts str,
    words: &'static str,
    old: Option<Scopes<'facts>>,
    new: Option<Scopes<'facts>>,
) -> Finding<'facts> {
    let access = Finding::about(Rule::Access, place).words(words);
    access.between(Part::Scopes(new), Part::Scopes(old))
}

/// The first limit of `outer` that `inner` exceeds, of both.
const fn beyond(inner: &Shape<'_>, outer: &Shape<'_>) -> Option<(Part<'static>, Part<'static>)> {
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
        (DefaultFact::Value(old), DefaultFact::Value(new)) => is_equal(old, new),
        (DefaultFact::None, DefaultFact::None) | (DefaultFact::Computed, DefaultFact::Computed) => {
            true
        }
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

const fn kind<'facts>(of: &MemberFacts<'facts>) -> Part<'facts> {
    if of.accepts.names.is_empty() {
        Part::Name(of.kind.name())
    } else {
        Part::Text("an enum")
    }
}

const fn default(fact: DefaultFact<'_>) -> Part<'_> {
    match fact {
        DefaultFact::None => Part::Text("null"),
        DefaultFact::Computed => Part::Text("its `default`"),
        DefaultFact::Value(json) => Part::Name(json),
    }
}

impl<'facts> Comparison<'facts> {
    /// The finding of this number, from zero, about all but the newer version's attributes.
    #[must_use]
    pub const fn rest(&self, number: usize) -> Option<Finding<'facts>> {
        let (old, new) = (&self.old, &self.new);
        let mut search = Search {
            known: Rules::NONE,
            skip: number,
            found: None,
        };
        self.compare_operations(&mut search);
        let url = Finding::about(Rule::Moved, "url");
        search.count(
            !is_equal(old.path, new.path),
            url.between(Part::Name(new.path), Part::Name(old.path)),
        );
        let name = Finding::about(Rule::Moved, "name");
        search.count(
            !is_equal(old.name, new.name),
            name.between(Part::Name(new.name), Part::Name(old.name)),
        );
        compare_owners(&mut search, old.owner, new.owner);
        compare_pages(&mut search, old, new);
        self.compare_sets(&mut search, new.unique, old.unique);
        if self.has_one_table {
            // A set that is gone holds on.
            self.compare_sets(&mut search, old.unique, new.unique);
        }
        let mut place = 0;
        while let Some((name, _)) = old.members.names_at(place) {
            self.compare_removed(&mut search, name, place);
            place += 1;
        }
        search.found
    }

    /// All findings, each as if those before it were approved, with the place of the attribute that it is about.
    #[must_use]
    pub fn findings(&self) -> Vec<(Option<usize>, Finding<'facts>)> {
        let places = (0..).take_while(|place| self.new.members.at(*place).is_some());
        let of_attributes = places.flat_map(|place| {
            let mut known = Rules::NONE;
            std::iter::from_fn(move || {
                let finding = self.attribute(place, known)?;
                known = known.with_implied(finding.rule);
                Some((Some(place), finding))
            })
        });
        let rest = (0..).map_while(|number| self.rest(number));
        of_attributes
            .chain(rest.map(|finding| (None, finding)))
            .collect()
    }

    const fn compare_operations(&self, search: &mut Search<'facts>) {
        let mut operations: &[Operation] = &Operation::ALL;
        let (mut before, mut now): (&[_], &[_]) = (&self.old.access, &self.new.access);
        while let ([operation, rest @ ..], [old, olds @ ..], [new, news @ ..]) =
            (operations, before, now)
        {
            let name = operation.name();
            let (was_offered, is_offered) =
                (self.old.offers(*operation), self.new.offers(*operation));
            search.count(
                was_offered && !is_offered,
                Finding::about(Rule::Withdrawn, name),
            );
            // An operation that no declaration opens is nobody's, or everybody's where nothing is guarded.
            if let (AccessFact::Declared(old), AccessFact::Declared(new)) = (old, new) {
                let is_narrowed = was_offered && is_offered && is_narrowed(*old, *new);
                search.count(is_narrowed, scopes(name, "", *old, *new));
            }
            (operations, before, now) = (rest, olds, news);
        }
    }

    /// Counts the sets that only one of the versions declares.
    const fn compare_sets(
        &self,
        search: &mut Search<'facts>,
        mut sets: &'facts [&'facts [&'facts str]],
        others: &[&[&str]],
    ) {
        let rule = if self.has_one_table {
            Rule::SharedConstraint
        } else {
            Rule::Constraint
        };
        while let [set, rest @ ..] = sets {
            if let [name, further @ ..] = *set {
                let finding = Finding::about(rule, name).words("unique together with ");
                let finding = finding.between(Part::Names(further), Part::Text(""));
                search.count(!has_set(others, set), finding);
            }
            sets = rest;
        }
    }

    /// Counts a member that the newer version lacks or has in another role, though clients of the older one know it.
    const fn compare_removed(&self, search: &mut Search<'facts>, name: &'facts str, place: usize) {
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
            let is_other = new.role.is_shown() && new.role as u8 != old.role as u8;
            let roles = (Part::Text(new.role.words()), Part::Text(old.role.words()));
            search.count(
                is_other,
                Finding::about(Rule::Kind, old.name).between(roles.0, roles.1),
            );
            return;
        }
        let is_hidden = old.flags.have(Flag::ReadOnly) && old.flags.have(Flag::WriteOnly);
        if is_hidden || old.flags.have(Flag::Deprecated) {
            return;
        }
        let mut finding = Finding::about(Rule::Removed, old.name);
        if self.has_one_table
            && let Some(place) = self.new.members.stored_in(old.column)
            && let Some((name, _)) = self.new.members.names_at(place)
        {
            let words = finding.words(", where its column is ");
            finding = words.between(Part::Name(name), Part::Text(""));
        }
        search.count(true, finding);
    }
}

const fn compare_owners<'facts>(
    search: &mut Search<'facts>,
    old: Option<(&'facts str, Option<Scopes<'facts>>)>,
    new: Option<(&'facts str, Option<Scopes<'facts>>)>,
) {
    let Some((claim, now)) = new else {
        return;
    };
    // Without an owner everybody uses all items; with one and no bypass, nobody uses those of others.
    let (is_narrowed, before) = match (old, now) {
        (Some((_, None)), _) => (false, None),
        (Some((_, before)), Some(_)) => (is_narrowed(before, now), before),
        (Some((_, before)), None) => (true, before),
        (None, _) => (true, None),
    };
    let mut finding = scopes("owner", "using the items of another ", before, now);
    if now.is_none() {
        finding.new = Part::Text("a right that nobody has");
    }
    search.count(is_narrowed, finding);
    if let Some((before, _)) = old {
        let claims = Finding::about(Rule::Access, "owner").words("being the ");
        search.count(
            !is_equal(before, claim),
            claims.between(Part::Name(claim), Part::Name(before)),
        );
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
        let page = page.words("a page without a `limit` holds ");
        search.count(before != now, page.between(count(now), count(before)));
    }
    if let (Some(before), Some(now)) = (old.page.1, new.page.1) {
        let page = page.words("a page holds at most ");
        search.count(before > now, page.between(count(now), count(before)));
    }
    let mut flags: &[Flag] = if old.flags.are(new.flags) {
        &[]
    } else {
        &Flag::ALL
    };
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
    Part::Limit("# items", Some(Bound::Integer(items as i64)))
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
