//! The promises of one version of a resource, as the file keeps them, and as facts that are lent to the comparison.

use std::collections::BTreeMap;

use resource_model::schema::evolution::{
    AccessFact, DefaultFact, Flag, Flags, LIMITS, MemberFacts, Members, ResourceFacts, Role,
    Scopes, Shape, Text,
};
use resource_model::schema::{Bound, Kind, Operation, Version};
use serde::{Deserialize, Serialize};
use toml::{Table, Value};

/// The promises of one version of a resource. The names of the fields are the keys of the file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Promise {
    #[serde(skip)]
    pub(crate) name: String,
    #[serde(skip)]
    pub(crate) version: Version,
    /// The path of the collection, with the root.
    pub(crate) path: String,
    pub(crate) published: String,
    pub(crate) retired: Option<String>,
    /// `Setting 1.0` where it follows that.
    pub(crate) follows: Option<String>,
    pub(crate) operations: Vec<String>,
    /// The scopes for each operation that not everybody may use.
    pub(crate) access: BTreeMap<String, Needs>,
    pub(crate) owner: Option<Owner>,
    /// The parts of the key in the order of the path, where there are several.
    pub(crate) key: Vec<String>,
    pub(crate) unique: Vec<Vec<String>>,
    /// The sizes of pages that are others than those of [`SIZES`].
    pub(crate) page: BTreeMap<String, u32>,
    pub(crate) deprecated: Option<String>,
    pub(crate) sunset: Option<String>,
    pub(crate) attribute: BTreeMap<String, Member>,
    pub(crate) subresource: BTreeMap<String, Shown>,
    pub(crate) collection: BTreeMap<String, Shown>,
    /// The reasons of approved breaks of the version before, by place and rule.
    pub(crate) breaks: BTreeMap<String, BTreeMap<String, String>>,
    /// The reasons of breaks since it was published, by day, place and rule.
    pub(crate) amended: BTreeMap<String, BTreeMap<String, BTreeMap<String, String>>>,
    #[serde(flatten)]
    pub(crate) flags: Table,
}

/// An attribute.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Member {
    pub(crate) kind: String,
    /// The one who assigns the key.
    pub(crate) key: Option<String>,
    pub(crate) null: bool,
    pub(crate) names: Vec<String>,
    /// The limits and flags.
    #[serde(flatten)]
    pub(crate) limits: Table,
    /// The default as JSON, or [`COMPUTED`].
    pub(crate) default: Option<String>,
    pub(crate) read_scope: Option<Needs>,
    pub(crate) write_scope: Option<Needs>,
    pub(crate) references: Option<String>,
    pub(crate) deprecated: Option<String>,
    pub(crate) sunset: Option<String>,
    pub(crate) instead: Option<String>,
    /// The facts of the answers that are others than those of bodies.
    pub(crate) answers: Table,
    /// The reason for which another version in the code stores more than clients of this one expect. The file has it as
    /// an amendment.
    #[serde(skip)]
    pub(crate) widened_because: Option<&'static str>,
}

/// A subresource or a collection.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Shown {
    /// The attributes by which items are found.
    pub(crate) keys: Vec<String>,
    /// `Address 1.0`
    pub(crate) shows: String,
}

/// The owner rule: the claim, and the scopes that free a caller from it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Owner {
    pub(crate) claim: String,
    pub(crate) bypass: Option<Needs>,
}

/// The scopes that a caller needs: `any a b`, or `all a b`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub(crate) struct Needs {
    pub(crate) are_all_needed: bool,
    pub(crate) scopes: Vec<String>,
}

impl Needs {
    /// Words of a sentence: `` `a` or `b` ``
    pub(crate) fn in_words(&self) -> String {
        let names = texts(&self.scopes);
        let mut text = Text::new();
        text.add_scopes(Scopes {
            are_all_needed: self.are_all_needed,
            names: &names,
        });
        text.as_str().to_owned()
    }
}

impl TryFrom<String> for Needs {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        let (word, scopes) = text.split_once(' ').unwrap_or((&text, ""));
        Ok(Self {
            are_all_needed: match word {
                "all" => true,
                ANY => false,
                _ => return Err("scopes begin with `any` or `all`"),
            },
            scopes: scopes.split(' ').map(str::to_owned).collect(),
        })
    }
}

impl From<Needs> for String {
    fn from(needs: Needs) -> Self {
        let word = if needs.are_all_needed { "all" } else { ANY };
        format!("{word} {}", needs.scopes.join(" "))
    }
}

/// A limit or a list of names that holds everything.
pub(crate) const ANY: &str = "any";

/// The default that is made anew for each item.
pub(crate) const COMPUTED: &str = "computed";

/// The sizes of pages: the word in the file, the words of sentences, and the default.
pub(crate) const SIZES: [(&str, &str, Option<u32>); 5] = [
    ("default", "without a `limit`, a page holds ", Some(10)),
    ("max", "a page holds at most ", Some(1000)),
    ("max_offset", "`offset` is at most ", None),
    (
        "collection_default",
        "without a `limit`, a collection holds ",
        Some(10),
    ),
    ("collection_max", "a collection holds at most ", Some(100)),
];

/// The roles of attributes, and their words in the file.
pub(crate) const ROLES: [(Role, &str); 4] = [
    (Role::Attribute, ""),
    (Role::DatabaseKey, "database"),
    (Role::ClientKey, "client"),
    (Role::ServiceKey, "service"),
];

impl Default for Promise {
    fn default() -> Self {
        let operations = Operation::ALL.map(|it| it.name().to_owned());
        Self {
            name: String::new(),
            version: Version::new(0, 0),
            path: String::new(),
            published: String::new(),
            retired: None,
            follows: None,
            operations: operations.to_vec(),
            access: BTreeMap::new(),
            owner: None,
            key: Vec::new(),
            unique: Vec::new(),
            page: BTreeMap::new(),
            deprecated: None,
            sunset: None,
            attribute: BTreeMap::new(),
            subresource: BTreeMap::new(),
            collection: BTreeMap::new(),
            breaks: BTreeMap::new(),
            amended: BTreeMap::new(),
            flags: Table::new(),
        }
    }
}

impl Promise {
    /// The keys of the file.
    pub(crate) const KEYS: &str = "path published retired follows operations access owner key unique \
        page deprecated sunset attribute subresource collection breaks amended";

    /// The size of a page at a place of [`SIZES`].
    pub(crate) fn size(&self, (word, _, default): (&str, &str, Option<u32>)) -> Option<u32> {
        self.page.get(word).copied().or(default)
    }

    /// The subresources and collections.
    pub(crate) fn shown(&self) -> impl Iterator<Item = (&String, &Shown)> {
        self.subresource.iter().chain(&self.collection)
    }

    /// Tests whether it has a member of this name.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.attribute.contains_key(name) || self.shown().any(|(it, _)| it == name)
    }

    /// `Setting 1.0`
    pub(crate) fn title(&self) -> String {
        format!("{} {}", self.name, self.version)
    }

    /// `` `Setting` 1.0 ``
    pub(crate) fn quoted_title(&self) -> String {
        format!("`{}` {}", self.name, self.version)
    }

    /// The same promises with what the file says of the version since it was published as `old`. Reasons outlive the
    /// version that they are about, which the code cannot name once it has ended.
    pub(crate) fn published_as(&self, old: &Self) -> Self {
        let mut breaks = old.breaks.clone();
        for (place, reasons) in &self.breaks {
            let all = breaks.entry(place.clone()).or_default();
            all.extend(reasons.clone());
        }
        Self {
            published: old.published.clone(),
            retired: old.retired.clone(),
            amended: old.amended.clone(),
            follows: old.follows.clone().or_else(|| self.follows.clone()),
            breaks,
            ..self.clone()
        }
    }

    /// The name and the version, by which it is found.
    pub(crate) fn place(&self) -> (String, Version) {
        (self.name.clone(), self.version)
    }

    /// The reason for which a version breaks a rule about the one before.
    #[cfg(any(feature = "cli", feature = "docs"))]
    pub(crate) fn reason(&self, place: &str, rule: &str) -> Option<&String> {
        self.breaks.get(place)?.get(rule)
    }

    /// The amendments, by day, place and rule.
    pub(crate) fn amendments(&self) -> impl Iterator<Item = ([&str; 3], &String)> {
        self.amended.iter().flat_map(|(day, places)| {
            places.iter().flat_map(move |(place, rules)| {
                let rules = rules.iter();
                rules.map(move |(rule, why)| ([day.as_str(), place.as_str(), rule.as_str()], why))
            })
        })
    }

    /// Lends the facts to `compare`. What was announced to go is binding, as an announcement is about later versions.
    pub(crate) fn with_facts<T>(&self, compare: impl FnOnce(&ResourceFacts<'_>) -> T) -> T {
        // Facts are slices of texts, which have to stand somewhere while they are lent. The order of attributes means
        // nothing, but for that of the parts of a key.
        let place = |name: &String| self.key.iter().position(|it| it == name);
        let mut attributes: Vec<_> = self.attribute.iter().collect();
        attributes.sort_by_key(|(name, _)| place(name).unwrap_or(usize::MAX));
        let lists: Vec<_> = attributes.iter().map(|(_, it)| it.lists()).collect();
        let members = attributes.iter().zip(&lists);
        let members = members.map(|((name, it), lists)| it.facts(name, lists));
        let shown = |names: Vec<_>, role| {
            let names = names.into_iter();
            names.map(move |name: &String| MemberFacts::shown(name, role))
        };
        let members: Vec<_> = members
            .chain(shown(self.subresource.keys().collect(), Role::Subresource))
            .chain(shown(self.collection.keys().collect(), Role::Collection))
            .collect();
        let needs = Operation::ALL.map(|it| self.access.get(it.name()));
        let scopes = needs.map(scopes);
        let mut access = [AccessFact::Declared(None); Operation::ALL.len()];
        for ((fact, needs), scopes) in access.iter_mut().zip(needs).zip(&scopes) {
            *fact = AccessFact::Declared(lent(needs, scopes));
        }
        let offered = |it: &Operation| self.operations.iter().any(|name| name == it.name());
        let operations: Vec<_> = Operation::ALL.into_iter().filter(offered).collect();
        let bypass = self.owner.as_ref().and_then(|it| it.bypass.as_ref());
        let freeing = self::scopes(bypass);
        let claim = self.owner.as_ref().map(|it| it.claim.as_str());
        let sets: Vec<Vec<&str>> = self.unique.iter().map(|it| texts(it)).collect();
        let sets: Vec<&[&str]> = sets.iter().map(Vec::as_slice).collect();
        let [default, max, ..] = SIZES;
        compare(&ResourceFacts {
            version: self.version,
            name: &self.name,
            path: &self.path,
            table: None,
            members: Members::Told(&members),
            operations: &operations,
            access,
            owner: claim.map(|claim| (claim, lent(bypass, &freeing))),
            unique: &sets,
            page: (self.size(default), self.size(max)),
            flags: flags(&self.flags),
        })
    }
}

impl Member {
    /// The keys beside limits and flags.
    pub(crate) const KEYS: &str = "kind key null names default read_scope write_scope references deprecated \
        sunset instead answers";

    fn lists(&self) -> [Vec<&str>; 4] {
        let accepted = texts(&self.names);
        let answered = match self.answers.get("names") {
            None => accepted.clone(),
            Some(names) => {
                let names = names.as_array().into_iter().flatten();
                names.filter_map(Value::as_str).collect()
            }
        };
        let (read, write) = (self.read_scope.as_ref(), self.write_scope.as_ref());
        [accepted, answered, scopes(read), scopes(write)]
    }

    fn facts<'facts>(
        &'facts self,
        name: &'facts str,
        [accepted, answered, read, write]: &'facts [Vec<&'facts str>; 4],
    ) -> MemberFacts<'facts> {
        let key = self.key.as_deref().unwrap_or_default();
        let role = ROLES.iter().find(|(_, word)| *word == key);
        let accepts = Shape {
            is_nullable: self.null,
            names: accepted,
            limits: LIMITS.map(|(word, _, _)| self.limits.get(word).and_then(bound)),
        };
        let null = self.answers.get("null").and_then(Value::as_bool);
        let mut answers = Shape {
            is_nullable: null.unwrap_or(self.null),
            names: answered,
            ..accepts
        };
        for ((word, _, _), limit) in LIMITS.iter().zip(&mut answers.limits) {
            *limit = self.answers.get(*word).map_or(*limit, bound);
        }
        MemberFacts {
            name,
            column: "",
            role: role.map_or(Role::Attribute, |(role, _)| *role),
            // Other names were refused when the file was read.
            kind: Kind::named(&self.kind).unwrap_or(Kind::Json),
            accepts,
            answers,
            flags: flags(&self.limits)
                .and(Flag::ReadOnly, key == "database")
                .and(Flag::Reference, self.references.is_some()),
            default: match self.default.as_deref() {
                None => DefaultFact::None,
                Some(COMPUTED) => DefaultFact::Computed,
                Some(json) => DefaultFact::Value(json),
            },
            read_scopes: lent(self.read_scope.as_ref(), read),
            write_scopes: lent(self.write_scope.as_ref(), write),
        }
    }
}

/// The flags with words of their own. A reference names its target, a deprecation its day; and what is cut or held back
/// promises nothing but the limits of answers.
pub(crate) fn written_flags() -> impl Iterator<Item = Flag> {
    use Flag::{Deprecated, HeldBack, Reference, Truncated};
    let is_implied = |it: &Flag| matches!(it, Reference | Deprecated | Truncated | HeldBack);
    Flag::ALL.into_iter().filter(move |it| !is_implied(it))
}

fn flags(written: &Table) -> Flags {
    let holds = |flag: Flag| written.get(flag.word()).and_then(Value::as_bool);
    written_flags().fold(Flags::default(), |all, flag| {
        all.and(flag, holds(flag).unwrap_or_default())
    })
}

fn bound(value: &Value) -> Option<Bound> {
    match value {
        Value::Integer(bound) => Some(Bound::Integer(*bound)),
        Value::Float(bound) => Some(Bound::Real(*bound)),
        _ => None,
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
