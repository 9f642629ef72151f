//! The promises of one version of a resource, as the file keeps them: owned, and lent as facts to the comparison.

use std::collections::BTreeMap;

use resource_model::schema::evolution::{
    AccessFact, DefaultFact, Flag, Flags, LIMITS, MemberFacts, Members, ResourceFacts, Scopes,
    Shape,
};
use resource_model::schema::{Bound, Kind, Operation, Version};

/// The promises of one version of a resource.
#[derive(Debug, Clone)]
pub(crate) struct Promise {
    pub(crate) name: String,
    pub(crate) version: Version,
    /// The path of the collection, with the root.
    pub(crate) path: String,
    /// The attributes, subresources and collections, by their names.
    pub(crate) members: BTreeMap<String, Member>,
    pub(crate) operations: Vec<Operation>,
    /// The scopes for each of [`Operation::ALL`]; none where everybody may.
    pub(crate) access: [Option<Needs>; Operation::ALL.len()],
    /// The claim that names the owner, and the scopes that free a caller from the owner rule.
    pub(crate) owner: Option<(String, Option<Needs>)>,
    /// The parts of the key in the order of the path, where there are several.
    pub(crate) key: Vec<String>,
    pub(crate) unique: Vec<Vec<String>>,
    /// The sizes of pages, in the order of [`SIZES`].
    pub(crate) sizes: [Option<u32>; SIZES.len()],
    pub(crate) flags: Flags,
    /// `Setting 1.0` where it follows that.
    pub(crate) follows: Option<String>,
    pub(crate) deprecation: Deprecation,
    /// The reasons of approved breaks of the version before, by place and rule.
    pub(crate) breaks: BTreeMap<[String; 2], String>,
    pub(crate) published: String,
    pub(crate) retired: Option<String>,
    /// The reasons of breaks since it was published, by day, place and rule.
    pub(crate) amended: BTreeMap<[String; 3], String>,
}

/// The sizes of pages: the word in the file, the words of sentences, and the default.
pub(crate) const SIZES: [(&str, &str, Option<u32>); 5] = [
    ("default", "without a `limit`, a page holds", Some(10)),
    ("max", "a page holds at most", Some(1000)),
    ("max_offset", "`offset` is at most", None),
    (
        "collection_default",
        "without a `limit`, a collection holds",
        Some(10),
    ),
    ("collection_max", "a collection holds at most", Some(100)),
];

/// An attribute, a subresource or a collection.
#[derive(Debug, Clone)]
pub(crate) struct Member {
    /// The index of its role in [`ROLES`].
    pub(crate) role: usize,
    pub(crate) kind: Kind,
    pub(crate) accepts: Values,
    pub(crate) answers: Values,
    pub(crate) flags: Flags,
    /// The default as JSON, or [`COMPUTED`].
    pub(crate) default: Option<String>,
    pub(crate) read_scopes: Option<Needs>,
    pub(crate) write_scopes: Option<Needs>,
    /// The resource that it refers to, or `Address 1.0` of a version that it shows; empty without one.
    pub(crate) target: String,
    /// The attributes by which items are found.
    pub(crate) keys: Vec<String>,
    pub(crate) deprecation: Deprecation,
    /// The reason for which another version in the code stores more than clients of this one expect. The file has it as
    /// an amendment.
    pub(crate) widened_because: Option<&'static str>,
}

/// The roles of members: the words of facts, and the words in the file.
pub(crate) const ROLES: [(&str, &str); 6] = [
    ("an attribute", "attribute"),
    ("a key that the database assigns", "database"),
    ("a key that clients assign", "client"),
    ("a key that the service assigns", "service"),
    ("a subresource", "subresource"),
    ("a collection", "collection"),
];

/// The role of a key that the database assigns.
pub(crate) const ASSIGNED: usize = 1;

/// The roles of members that are attributes; those of the others begin here.
pub(crate) const SHOWN: usize = 4;

/// The default that is made anew for each item.
pub(crate) const COMPUTED: &str = "computed";

/// The values of a member.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Values {
    pub(crate) is_nullable: bool,
    pub(crate) names: Vec<String>,
    pub(crate) limits: [Option<Bound>; LIMITS.len()],
}

/// The scopes that a caller needs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Needs {
    pub(crate) are_all_needed: bool,
    pub(crate) scopes: Vec<String>,
}

/// The days of a deprecation, and what takes the place.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Deprecation {
    pub(crate) since: Option<String>,
    pub(crate) sunset: Option<String>,
    pub(crate) instead: Option<String>,
}

impl Promise {
    /// The promises of a version without any, at which all facts have their defaults.
    pub(crate) fn new(name: &str, version: Version) -> Self {
        Self {
            name: name.to_owned(),
            version,
            path: String::new(),
            members: BTreeMap::new(),
            operations: Operation::ALL.to_vec(),
            access: [const { None }; Operation::ALL.len()],
            owner: None,
            key: Vec::new(),
            unique: Vec::new(),
            sizes: SIZES.map(|(_, _, default)| default),
            flags: Flags::default(),
            follows: None,
            deprecation: Deprecation::default(),
            breaks: BTreeMap::new(),
            published: String::new(),
            retired: None,
            amended: BTreeMap::new(),
        }
    }

    /// Lends the facts to `compare`.
    pub(crate) fn with_facts<T>(&self, compare: impl FnOnce(&ResourceFacts<'_>) -> T) -> T {
        // Facts are slices of texts, which have to stand somewhere while they are lent.
        // The order of attributes means nothing, but for that of the parts of a key.
        let place = |name: &String| self.key.iter().position(|it| it == name);
        let mut members: Vec<_> = self.members.iter().collect();
        members.sort_by_key(|(name, _)| place(name).unwrap_or(usize::MAX));
        let lists: Vec<_> = members.iter().map(|(_, member)| member.lists()).collect();
        let members = members.iter().zip(&lists);
        let members: Vec<_> = members
            .map(|((name, member), lists)| member.facts(name, lists))
            .collect();
        let scopes = self.access.each_ref().map(|it| scopes(it.as_ref()));
        let mut access = [AccessFact::Declared(None); Operation::ALL.len()];
        for ((fact, needs), scopes) in access.iter_mut().zip(&self.access).zip(&scopes) {
            *fact = AccessFact::Declared(lent(needs.as_ref(), scopes));
        }
        let bypass = self.owner.as_ref().and_then(|(_, needs)| needs.as_ref());
        let freeing = self::scopes(bypass);
        let sets: Vec<Vec<&str>> = self.unique.iter().map(|it| texts(it)).collect();
        let sets: Vec<&[&str]> = sets.iter().map(Vec::as_slice).collect();
        let [default, max, ..] = self.sizes;
        compare(&ResourceFacts {
            version: self.version,
            name: &self.name,
            path: &self.path,
            table: None,
            members: Members::Told(&members),
            operations: &self.operations,
            access,
            owner: self
                .owner
                .as_ref()
                .map(|(claim, _)| (claim.as_str(), lent(bypass, &freeing))),
            unique: &sets,
            page: (default, max),
            flags: self.flags,
        })
    }

    /// The same promises, of which those that were announced to go hold as well: an announcement is about later versions.
    pub(crate) fn binding(&self) -> Self {
        let mut promise = self.clone();
        for member in promise.members.values_mut() {
            let kept = Flag::ALL
                .into_iter()
                .filter(|it| *it != Flag::Deprecated && member.flags.have(*it));
            member.flags = kept.fold(Flags::default(), |flags, flag| flags.and(flag, true));
        }
        promise
    }

    /// `Setting 1.0`
    pub(crate) fn title(&self) -> String {
        format!("{} {}", self.name, self.version)
    }

    /// The name and the version, by which it is found.
    pub(crate) fn place(&self) -> (String, Version) {
        (self.name.clone(), self.version)
    }
}

impl Member {
    /// A member of a role, of which nothing else is known.
    pub(crate) fn new(role: usize, kind: Kind) -> Self {
        Self {
            role,
            kind,
            accepts: Values::default(),
            answers: Values::default(),
            flags: Flags::default(),
            default: None,
            read_scopes: None,
            write_scopes: None,
            target: String::new(),
            keys: Vec::new(),
            deprecation: Deprecation::default(),
            widened_because: None,
        }
    }

    /// A subresource or a collection.
    pub(crate) fn shown(role: usize) -> Self {
        let facts = MemberFacts::shown("", "");
        let values = Values {
            is_nullable: true,
            ..Values::default()
        };
        Self {
            accepts: values.clone(),
            answers: values,
            flags: facts.flags,
            ..Self::new(role, facts.kind)
        }
    }

    fn lists(&self) -> [Vec<&str>; 4] {
        [
            texts(&self.accepts.names),
            texts(&self.answers.names),
            scopes(self.read_scopes.as_ref()),
            scopes(self.write_scopes.as_ref()),
        ]
    }

    fn facts<'facts>(
        &'facts self,
        name: &'facts str,
        [accepted, answered, read, write]: &'facts [Vec<&'facts str>; 4],
    ) -> MemberFacts<'facts> {
        let shape = |values: &Values, names| Shape {
            is_nullable: values.is_nullable,
            names,
            limits: values.limits,
        };
        MemberFacts {
            name,
            column: "",
            role: ROLES.get(self.role).map_or("", |(words, _)| *words),
            kind: self.kind,
            accepts: shape(&self.accepts, accepted),
            answers: shape(&self.answers, answered),
            flags: self.flags,
            default: match self.default.as_deref() {
                None => DefaultFact::None,
                Some(COMPUTED) => DefaultFact::Computed,
                Some(json) => DefaultFact::Value(json),
            },
            read_scopes: lent(self.read_scopes.as_ref(), read),
            write_scopes: lent(self.write_scopes.as_ref(), write),
        }
    }
}

fn texts(texts: &[String]) -> Vec<&str> {
    texts.iter().map(String::as_str).collect()
}

fn scopes(needs: Option<&Needs>) -> Vec<&str> {
    needs.map_or_else(Vec::new, |it| texts(&it.scopes))
}

fn lent<'facts>(needs: Option<&Needs>, names: &'facts [&'facts str]) -> Option<Scopes<'facts>> {
    needs.map(|it| Scopes {
        are_all_needed: it.are_all_needed,
        names,
    })
}
