//! The comparison of two versions, for the compiler, `build` and `api.lock` alike.
//!
//! A version keeps its promise where accepted(old) ⊆ accepted(new) and produced(new) ⊆ produced(old). A finding is about
//! an attribute of the newer version, or about the rest.

use super::super::constant::is_equal;
use super::super::{Attribute, Operation, ResourceDefinition};
use super::facts::{Members, ResourceFacts, offers};
use super::finding::Finding;
use super::rule::{Rule, Rules};

/// Two versions, of which the newer one is to keep what the older one promised.
#[derive(Debug, Clone, Copy)]
pub struct Comparison<'facts> {
    /// The facts of the older version.
    pub old: ResourceFacts<'facts>,
    /// The facts of the newer version.
    pub new: ResourceFacts<'facts>,
    /// The facts that the rules about attributes need.
    pub(super) items: Items<'facts>,
}

/// The items of two versions: what the rules about attributes need to know, which costs the compiler less than all facts.
#[derive(Debug, Clone, Copy)]
pub(super) struct Items<'facts> {
    pub(super) old: Members<'facts>,
    pub(super) new: Members<'facts>,
    pub(super) has_one_table: bool,
    /// True where both take bodies of some kind.
    pub(super) takes: bool,
    /// The rules about bodies that only one of them takes, which cannot be broken.
    pub(super) void: Rules,
}

impl Items<'static> {
    /// The items of two definitions.
    pub(super) const fn between(
        old: &'static ResourceDefinition,
        new: &'static ResourceDefinition,
    ) -> Self {
        Self::of(
            (Members::Defined(old), Members::Defined(new)),
            (old.offered_operations(), new.offered_operations()),
            old.table_identifier().is_same(new.table_identifier()),
        )
    }
}

impl<'facts> Items<'facts> {
    const fn of(
        (old, new): (Members<'facts>, Members<'facts>),
        (before, now): (&[Operation], &[Operation]),
        has_one_table: bool,
    ) -> Self {
        let creates = offers(before, Operation::Create) && offers(now, Operation::Create);
        let updates = offers(before, Operation::Update) && offers(now, Operation::Update);
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
            old,
            new,
            has_one_table,
            takes: creates || updates,
            void,
        }
    }
}

impl<'facts> Comparison<'facts> {
    /// The comparison of two versions.
    #[must_use]
    pub const fn of(old: ResourceFacts<'facts>, new: ResourceFacts<'facts>) -> Self {
        let has_one_table = match (old.table, new.table) {
            (Some(old), Some(new)) => old.is_same(new),
            _ => false,
        };
        Self {
            items: Items::of(
                (old.members, new.members),
                (old.operations, new.operations),
                has_one_table,
            ),
            old,
            new,
        }
    }

    /// The lowest rule that the newer version's attribute at a place breaks, beside those that are `known`.
    #[must_use]
    pub const fn attribute(&self, place: usize, known: Rules) -> Option<Finding<'facts>> {
        self.items.attribute(place, known)
    }

    /// All findings, each as if those before it were approved, with the place of the attribute that it is about.
    #[must_use]
    pub fn findings(&self) -> Vec<(Option<usize>, Finding<'facts>)> {
        self.findings_beside(Rules::NONE)
    }

    /// All findings beside those of rules that are not asked for, and of what these imply.
    #[must_use]
    pub fn findings_beside(&self, others: Rules) -> Vec<(Option<usize>, Finding<'facts>)> {
        let places = self.new.members.all().enumerate();
        let of_attributes = places.flat_map(|(place, _)| {
            let mut known = others;
            std::iter::from_fn(move || {
                let finding = self.attribute(place, known)?;
                known = known.with_implied(finding.rule);
                Some((Some(place), finding))
            })
        });
        let rest = (0..).map_while(|number| self.rest(number));
        let rest = rest.filter(|finding| !others.has(finding.rule));
        of_attributes
            .chain(rest.map(|finding| (None, finding)))
            .collect()
    }
}

/// The attributes from the one of a name on, which is sought first where the one before it stood: most stand as they stood.
pub(super) const fn named<'all>(
    name: &str,
    first: &'all [Attribute],
    all: &'all [Attribute],
) -> Option<&'all [Attribute]> {
    if let [attribute, ..] = first
        && is_equal(attribute.name(), name)
    {
        return Some(first);
    }
    let mut rest = all;
    while let [attribute, others @ ..] = rest {
        if is_equal(attribute.name(), name) {
            return Some(rest);
        }
        rest = others;
    }
    None
}
