//! The facts that a version promises, as a definition tells them, or as `api.lock` keeps them.

use super::super::constant::{has_all, has_any, is_equal, item};
use super::super::{
    Access, Attribute, Bound, Identifier, Kind, Operation, Requirement, ResourceDefinition, Version,
};
use super::rule::Rule;

/// The promised facts of a member of items: an attribute, a subresource or a collection.
#[derive(Debug, Clone, Copy)]
pub struct MemberFacts<'facts> {
    /// The name in JSON and in the query language.
    pub name: &'facts str,
    /// The column; empty where it is not known, as `api.lock` knows none.
    pub column: &'facts str,
    /// The part that it plays in an item.
    pub role: Role,
    /// The kind of its values.
    pub kind: Kind,
    /// The values that bodies may name.
    pub accepts: Shape<'facts>,
    /// The values that answers may hold.
    pub answers: Shape<'facts>,
    /// The facts that hold or do not.
    pub flags: Flags,
    /// The value of a new item that names none.
    pub default: DefaultFact<'facts>,
    /// The scopes without which it is hidden.
    pub read_scopes: Option<Scopes<'facts>>,
    /// The scopes without which it is refused in bodies.
    pub write_scopes: Option<Scopes<'facts>>,
}

/// Makes the enum [`Role`] from the table.
macro_rules! roles {
    ($($variant:ident $words:literal;)*) => {
        /// The part that a member plays in an item.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum Role {
            $(#[doc = concat!("The member is ", $words, ".")] $variant,)*
        }

        impl Role {
            /// The words of sentences.
            pub(super) const fn words(self) -> &'static str {
                match self { $(Self::$variant => $words,)* }
            }
        }
    };
}

roles! {
    Attribute "an attribute";
    DatabaseKey "a key that the database assigns";
    ClientKey "a key that clients assign";
    ServiceKey "a key that the service assigns";
    Subresource "a subresource";
    Collection "a collection";
}

impl Role {
    /// Tests whether it is a key, or a part of one.
    pub(super) const fn is_key(self) -> bool {
        matches!(self, Self::DatabaseKey | Self::ClientKey | Self::ServiceKey)
    }

    /// Tests whether values are other items.
    pub(super) const fn is_shown(self) -> bool {
        matches!(self, Self::Subresource | Self::Collection)
    }
}

/// A set of values of one kind.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Shape<'facts> {
    /// True where null is among them.
    pub is_nullable: bool,
    /// The texts of an enum; empty where any text is among them.
    pub names: &'facts [&'facts str],
    /// The limits, in the order of [`LIMITS`].
    pub limits: [Option<Bound>; LIMITS.len()],
}

/// The limits of values: the word in `api.lock`, the words of sentences around `#`, and whether it is the greatest value.
pub const LIMITS: [(&str, &str, bool); 6] = [
    ("max_length", "at most # characters", true),
    ("min_length", "at least # characters", false),
    ("max", "at most #", true),
    ("min", "at least #", false),
    ("digits", "at most # digits before the point", true),
    ("scale", "at most # digits behind the point", true),
];

/// Makes the enum [`Flag`] from the table.
macro_rules! flags {
    ($($variant:ident $word:literal $words:literal $remedy:literal $gained:expr, $lost:expr;)*) => {
        /// A fact that holds or does not, of a member or of a resource.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum Flag {
            $(#[doc = concat!("`", $word, "`")] $variant,)*
        }

        impl Flag {
            /// All flags.
            pub const ALL: [Self; [$($word),*].len()] = [$(Self::$variant,)*];

            /// The word in `api.lock`.
            #[must_use]
            pub const fn word(self) -> &'static str {
                match self { $(Self::$variant => $word,)* }
            }

            /// The words of sentences.
            pub(super) const fn words(self) -> &'static str {
                match self { $(Self::$variant => $words,)* }
            }

            /// The edits that keep the promise, where these are others than those of the rule.
            pub(super) const fn remedy(self) -> &'static str {
                match self { $(Self::$variant => $remedy,)* }
            }

            /// The rules that a version breaks which has the fact, or has it no longer.
            pub(super) const fn rules(self) -> (Option<Rule>, Option<Rule>) {
                match self { $(Self::$variant => ($gained, $lost),)* }
            }
        }
    };
}

flags! {
    Required "required" "" "" Some(Rule::Required), None;
    ReadOnly "read_only" "" "" Some(Rule::ReadOnly), None;
    WriteOnly "write_only" "" "" Some(Rule::Hidden), None;
    Redacted "redacted" "" "" Some(Rule::Unqueryable), None;
    Unique "unique" "unique" "" Some(Rule::Constraint), Some(Rule::SharedConstraint);
    Reference "reference" "a reference" "" Some(Rule::Constraint), Some(Rule::SharedConstraint);
    Open "open" "" "" None, None;
    Deprecated "deprecated" "" "" None, None;
    Truncated "truncated" "" "" None, None;
    HeldBack "held_back" "" "" None, None;
    All "all" "`limit=all` is " "keep `limit(all)`" None, Some(Rule::Page);
    CountNone "count_none" "`count=none` is " "keep `count(none)`" None, Some(Rule::Page);
    Upsert "upsert" "`PUT` creates an item that is missing" "keep the `operations(…)` of $v"
        Some(Rule::Error), Some(Rule::Withdrawn);
    IfMatch "if_match" "the header `If-Match`" "remove `require_if_match`" Some(Rule::Required), None;
    IdempotencyKey "idempotency_key" "the header `Idempotency-Key`" "take `required` out of `idempotency(…)`"
        Some(Rule::Required), None;
    Validator "validator" "" "" Some(Rule::Validator), None;
    Revision "revision" "" "keep the attribute that is `revision`" None, Some(Rule::Withdrawn);
    Idempotency "idempotency" "" "keep the `idempotency_keys(…)` of the API" None, Some(Rule::Withdrawn);
}

/// A set of flags.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Flags(u32);

impl Flags {
    /// No flag.
    pub(in crate::schema) const NONE: Self = Self(0);

    /// The same flags, and this one where it `holds`.
    #[must_use]
    pub const fn and(self, flag: Flag, holds: bool) -> Self {
        Self(self.0 | (holds as u32) << flag as u32)
    }

    /// The flags that are among one of both alone.
    pub(super) const fn differing(self, others: Self) -> Self {
        Self(self.0 ^ others.0)
    }

    /// The first of the flags.
    pub(super) const fn first(self) -> Option<Flag> {
        match item(&Flag::ALL, self.0.trailing_zeros() as usize) {
            Some(flag) => Some(*flag),
            None => None,
        }
    }

    /// The others.
    #[must_use]
    pub const fn without(self, flag: Flag) -> Self {
        Self(self.0 & !(1 << flag as u32))
    }

    /// Tests whether the flag is among them.
    #[must_use]
    pub const fn have(self, flag: Flag) -> bool {
        self.0 & 1 << flag as u32 != 0
    }
}

/// The flags that hold.
macro_rules! flags_where {
    ($($flag:ident: $holds:expr,)*) => {{
        let mut flags = Flags::NONE;
        $(if $holds { flags = flags.and(Flag::$flag, true); })*
        flags
    }};
}
pub(in crate::schema) use flags_where;

/// The default of a new item.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DefaultFact<'facts> {
    /// None at all.
    None,
    /// One that is computed for each item, or that is not known.
    Computed,
    /// Always this one, as JSON.
    Value(&'facts str),
}

/// Scopes that a caller needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Scopes<'facts> {
    /// True where all of them are needed, not any.
    pub are_all_needed: bool,
    /// The scopes.
    pub names: &'facts [&'facts str],
}

impl Scopes<'static> {
    pub(in crate::schema) const fn of(requirement: Option<&Requirement>) -> Option<Self> {
        let (are_all_needed, names) = match requirement {
            Some(Requirement::All(names)) => (true, *names),
            Some(Requirement::Any(names)) => (false, *names),
            None => return None,
        };
        Some(Self {
            are_all_needed,
            names,
        })
    }
}

impl Scopes<'_> {
    /// Tests whether a set of scopes that met the old requirement does not meet the new one.
    pub(super) const fn are_narrowed(old: Option<Self>, new: Option<Self>) -> bool {
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
}

/// The callers of an operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AccessFact<'facts> {
    /// Those that the service decides on.
    Undeclared,
    /// Everybody, or those with scopes.
    Declared(Option<Scopes<'facts>>),
}

impl AccessFact<'static> {
    const fn of(access: Access) -> Self {
        match access {
            Access::Nobody => Self::Undeclared,
            Access::Public => Self::Declared(None),
            Access::Scopes(requirement) => Self::Declared(Scopes::of(Some(&requirement))),
        }
    }
}

/// The promised facts of one version of a resource.
#[derive(Debug, Clone, Copy)]
pub struct ResourceFacts<'facts> {
    /// The version.
    pub version: Version,
    /// The name of the resource.
    pub name: &'facts str,
    /// The path of the collection: its segment, or all of it where the root is known.
    pub path: &'facts str,
    /// The table with its schema, where they are known; `api.lock` knows none.
    pub table: Option<Identifier>,
    /// The attributes, subresources and collections.
    pub members: Members<'facts>,
    /// The operations on offer.
    pub operations: &'facts [Operation],
    /// The callers of each of [`Operation::ALL`].
    pub access: [AccessFact<'facts>; Operation::ALL.len()],
    /// The claim that names the owner of an item, and the scopes that free a caller from the owner rule.
    pub owner: Option<(&'facts str, Option<Scopes<'facts>>)>,
    /// The sets of attributes whose values are unique together.
    pub unique: &'facts [&'facts [&'facts str]],
    /// The size of a page that names none, and the greatest; none where the service decides.
    pub page: (Option<u32>, Option<u32>),
    /// The facts that hold or do not.
    pub flags: Flags,
}

impl ResourceFacts<'_> {
    /// Tests whether clients can use an operation.
    #[must_use]
    pub const fn offers(&self, operation: Operation) -> bool {
        offers(self.operations, operation)
    }
}

/// Tests whether an operation is among those on offer, which mostly are all.
pub(super) const fn offers(offered: &[Operation], operation: Operation) -> bool {
    use Operation::{Create, Delete, List, Retrieve, Update};

    let mut rest = match offered {
        [List, Retrieve, Create, Update, Delete] => return true,
        some => some,
    };
    while let [offered, others @ ..] = rest {
        if *offered as u8 == operation as u8 {
            return true;
        }
        rest = others;
    }
    false
}

/// The members of the items of a version.
#[derive(Debug, Clone, Copy)]
pub enum Members<'facts> {
    /// Those of a definition.
    Defined(&'static ResourceDefinition),
    /// Those that were told elsewhere.
    Told(&'facts [MemberFacts<'facts>]),
}

impl<'facts> Members<'facts> {
    /// The member at a place; attributes come first.
    #[must_use]
    pub const fn at(&self, place: usize) -> Option<MemberFacts<'facts>> {
        let definition = match self {
            Self::Defined(definition) => definition,
            Self::Told(all) => {
                return match item(all, place) {
                    Some(facts) => Some(*facts),
                    None => None,
                };
            }
        };
        if let Some(attribute) = item(definition.all_attributes(), place) {
            return Some(attribute.facts());
        }
        let place = place - definition.all_attributes().len();
        if let Some(subresource) = item(definition.all_subresources(), place) {
            return Some(MemberFacts::shown(subresource.name(), Role::Subresource));
        }
        match item(
            definition.all_collections(),
            place - definition.all_subresources().len(),
        ) {
            Some(collection) => Some(MemberFacts::shown(collection.name(), Role::Collection)),
            None => None,
        }
    }

    /// All members, attributes first.
    pub fn all(self) -> impl Iterator<Item = MemberFacts<'facts>> {
        (0..).map_while(move |place| self.at(place))
    }

    /// The attributes of a definition, whose names are read without the facts, which cost the compiler more.
    pub(super) const fn attributes(&self) -> &'static [Attribute] {
        match self {
            Self::Defined(definition) => definition.all_attributes(),
            Self::Told(_) => &[],
        }
    }

    /// Tests whether the member at a place is one of the attributes of a definition.
    pub(super) const fn is_attribute(&self, place: usize) -> bool {
        place < self.attributes().len()
    }

    /// The name of the member at a place.
    pub(super) const fn name_at(&self, place: usize) -> Option<&'facts str> {
        if let Some(attribute) = item(self.attributes(), place) {
            return Some(attribute.name());
        }
        match self.at(place) {
            Some(member) => Some(member.name),
            None => None,
        }
    }

    /// The place of the member of this name, which is sought first at `place`: most members stand where they stood.
    pub(super) const fn place_of(&self, name: &str, place: usize) -> Option<usize> {
        if let Some(other) = self.name_at(place)
            && is_equal(other, name)
        {
            return Some(place);
        }
        let (mut attributes, mut place) = (self.attributes(), 0);
        while let [attribute, others @ ..] = attributes {
            if is_equal(attribute.name(), name) {
                return Some(place);
            }
            (attributes, place) = (others, place + 1);
        }
        while let Some(other) = self.name_at(place) {
            if is_equal(other, name) {
                return Some(place);
            }
            place += 1;
        }
        None
    }

    /// The attribute that is stored in this column; none where that is not known.
    pub(super) const fn stored_in(&self, column: &str) -> Option<MemberFacts<'facts>> {
        let mut attributes = self.attributes();
        while let [attribute, others @ ..] = attributes {
            if is_equal(attribute.identifier().as_str(), column) {
                return Some(attribute.facts());
            }
            attributes = others;
        }
        let mut members = match self {
            Self::Told(members) if !column.is_empty() => *members,
            _ => &[],
        };
        while let [member, others @ ..] = members {
            if is_equal(member.column, column) {
                return Some(*member);
            }
            members = others;
        }
        None
    }
}

impl<'facts> MemberFacts<'facts> {
    /// The values of answers, without a limit where they are cut to it: no client reads more, whatever is stored.
    #[must_use]
    pub const fn told(&self) -> Shape<'facts> {
        let mut answers = self.answers;
        let [max_length, ..] = &mut answers.limits;
        if self.flags.have(Flag::Truncated) {
            *max_length = None;
        }
        answers
    }

    /// A member whose values are other items.
    #[must_use]
    pub const fn shown(name: &'facts str, role: Role) -> Self {
        let shape = Shape {
            is_nullable: true,
            names: &[],
            limits: [None; LIMITS.len()],
        };
        Self {
            name,
            column: "",
            role,
            kind: Kind::Json,
            accepts: shape,
            answers: shape,
            flags: Flags::NONE.and(Flag::ReadOnly, true),
            default: DefaultFact::None,
            read_scopes: None,
            write_scopes: None,
        }
    }
}

impl ResourceDefinition {
    /// The facts that this version promises by itself.
    #[doc(hidden)]
    #[must_use]
    pub const fn facts(&'static self) -> ResourceFacts<'static> {
        ResourceFacts {
            version: self.version(),
            name: self.name(),
            path: self.collection(),
            table: Some(self.table_identifier()),
            members: Members::Defined(self),
            operations: self.offered_operations(),
            access: match self.declared_guard() {
                Some(guard) => [
                    AccessFact::of(guard.access(Operation::List)),
                    AccessFact::of(guard.access(Operation::Retrieve)),
                    AccessFact::of(guard.access(Operation::Create)),
                    AccessFact::of(guard.access(Operation::Update)),
                    AccessFact::of(guard.access(Operation::Delete)),
                ],
                None => [AccessFact::Undeclared; Operation::ALL.len()],
            },
            owner: match self.ownership() {
                Some(ownership) => {
                    Some((ownership.claim(), Scopes::of(ownership.bypass().as_ref())))
                }
                None => None,
            },
            unique: self.unique_sets(),
            page: self.limits(),
            flags: flags_where! {
                All: self.allows_all(),
                CountNone: self.may_be_uncounted(),
                Upsert: self.upserts(),
                IfMatch: self.requires_if_match(),
                IdempotencyKey: self.requires_idempotency_key(),
                Validator: self.has_validator(),
            },
        }
    }
}
