//! Versions as a test makes them, and edits of which it is known what they break.

use std::collections::HashSet;

use proptest::prelude::RngExt as _;
use proptest::test_runner::{RngAlgorithm, TestRng};
use resource_model::schema::evolution::Deprecation;
use resource_model::schema::{Attribute, Guard, Operation, Requirement, ResourceDefinition};
use resource_model::value::Value;
use resource_runtime::FieldValue;
use serde_json::Value as Json;

use crate::told::{First, leaked, version};

#[derive(FieldValue)]
#[resource(rename_all = "snake_case")]
pub(crate) enum Two {
    One,
    Two,
}

#[derive(FieldValue)]
#[resource(rename_all = "snake_case")]
#[allow(clippy::enum_variant_names, reason = "the names are numbers")]
pub(crate) enum Three {
    One,
    Two,
    Three,
}

#[derive(FieldValue)]
#[resource(rename_all = "snake_case", open)]
pub(crate) enum OpenTwo {
    One,
    Two,
}

/// The source of these types, for structs that are compiled.
pub(crate) const TYPES: &str = r#"
#[derive(FieldValue)] #[resource(rename_all = "snake_case")] pub enum Two { One, Two }
#[derive(FieldValue)] #[resource(rename_all = "snake_case")] pub enum Three { One, Two, Three }
#[derive(FieldValue)] #[resource(rename_all = "snake_case", open)] pub enum OpenTwo { One, Two }
"#;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Type {
    Text,
    Short,
    Long,
    Double,
    Two,
    Three,
    OpenTwo,
}

impl Type {
    fn source(self) -> &'static str {
        match self {
            Self::Text => "String",
            Self::Short => "i32",
            Self::Long => "i64",
            Self::Double => "f64",
            Self::Two => "Two",
            Self::Three => "Three",
            Self::OpenTwo => "OpenTwo",
        }
    }

    fn is_number(self) -> bool {
        matches!(self, Self::Short | Self::Long)
    }

    /// The default of this number, and its source.
    fn default(self, number: usize) -> (fn() -> Value, &'static str) {
        match (self, number) {
            (Self::Text, 1) => (|| Value::Text(String::from("a")), r#""a""#),
            (Self::Text, _) => (|| Value::Text(String::from("b")), r#""b""#),
            (Self::Short | Self::Long, 1) => (|| Value::Integer(1), "1"),
            (Self::Short | Self::Long, _) => (|| Value::Integer(2), "2"),
            (Self::Double, 1) => (|| Value::Real(1.5), "1.5"),
            (Self::Double, _) => (|| Value::Real(2.5), "2.5"),
            (Self::Two, 1) => (|| Value::Text(String::from("one")), "Two::One"),
            (Self::Two, _) => (|| Value::Text(String::from("two")), "Two::Two"),
            (Self::Three, 1) => (|| Value::Text(String::from("one")), "Three::One"),
            (Self::Three, _) => (|| Value::Text(String::from("two")), "Three::Two"),
            (Self::OpenTwo, 1) => (|| Value::Text(String::from("one")), "OpenTwo::One"),
            (Self::OpenTwo, _) => (|| Value::Text(String::from("two")), "OpenTwo::Two"),
        }
    }
}

const NAMES: [&str; 8] = ["a", "b", "c", "d", "e", "f", "g", "h"];
const A: Requirement = Requirement::Any(&["a"]);
const AB: Requirement = Requirement::Any(&["a", "b"]);
const BOTH: Requirement = Requirement::All(&["a", "b"]);

/// An attribute beside the key.
#[derive(Debug, Clone, PartialEq)]
#[allow(clippy::struct_excessive_bools, reason = "each is a key of the derive")]
pub(crate) struct Field {
    name: &'static str,
    column: &'static str,
    of: Type,
    nullable: bool,
    /// The limits of a length or of a number.
    min: Option<u32>,
    max: Option<u32>,
    /// The number of the default; zero for none.
    default: usize,
    unique: bool,
    read_only: bool,
    write_only: bool,
    deprecated: bool,
    read_scope: Option<&'static Requirement>,
}

macro_rules! of_type {
    ($field:expr, $name:ident => $value:expr) => {
        match ($field.of, $field.nullable) {
            (Type::Text, false) => {
                type $name = String;
                $value
            }
            (Type::Text, true) => {
                type $name = Option<String>;
                $value
            }
            (Type::Short, false) => {
                type $name = i32;
                $value
            }
            (Type::Short, true) => {
                type $name = Option<i32>;
                $value
            }
            (Type::Long, false) => {
                type $name = i64;
                $value
            }
            (Type::Long, true) => {
                type $name = Option<i64>;
                $value
            }
            (Type::Double, false) => {
                type $name = f64;
                $value
            }
            (Type::Double, true) => {
                type $name = Option<f64>;
                $value
            }
            (Type::Two, false) => {
                type $name = Two;
                $value
            }
            (Type::Two, true) => {
                type $name = Option<Two>;
                $value
            }
            (Type::Three, false) => {
                type $name = Three;
                $value
            }
            (Type::Three, true) => {
                type $name = Option<Three>;
                $value
            }
            (Type::OpenTwo, false) => {
                type $name = OpenTwo;
                $value
            }
            (Type::OpenTwo, true) => {
                type $name = Option<OpenTwo>;
                $value
            }
        }
    };
}

impl Field {
    fn attribute(&self) -> Attribute {
        let mut attribute = of_type!(self, T => Attribute::of::<T>(self.name)).column(self.column);
        if let Some(min) = self.min {
            attribute = match self.of {
                Type::Text => attribute.min_length(min),
                _ => attribute.min(min.into()),
            };
        }
        if let Some(max) = self.max {
            attribute = match self.of {
                Type::Text => attribute.max_length(max),
                _ => attribute.max(max.into()),
            };
        }
        if self.default > 0 {
            attribute = attribute.default(self.of.default(self.default).0);
        }
        if let Some(scope) = self.read_scope {
            attribute = attribute.read_scope(scope);
        }
        if self.deprecated {
            attribute = attribute.deprecated(const { &Deprecation::new("2027-01-01") });
        }
        let attribute = if self.unique {
            attribute.unique()
        } else {
            attribute
        };
        let attribute = if self.read_only {
            attribute.read_only()
        } else {
            attribute
        };
        if self.write_only {
            attribute.write_only()
        } else {
            attribute
        }
    }

    /// A value, of which most are ones that it takes.
    fn value(&self, random: &mut TestRng) -> Json {
        const NAMES: [&str; 4] = ["one", "two", "three", "four"];
        const LENGTHS: [usize; 9] = [0, 1, 2, 4, 5, 20, 21, 50, 51];
        const NUMBERS: [i64; 9] = [-1, 0, 2, 4, 21, 50, 51, 40_000, 3_000_000_000];
        let is_usual = random.random_bool(0.85);
        if !is_usual && random.random_bool(0.3) {
            return Json::Null;
        }
        match self.of {
            Type::Text if is_usual && random.random_bool(0.1) => NAMES[0].into(),
            Type::Text => {
                let among = if is_usual { &LENGTHS[4..6] } else { &LENGTHS };
                let length = among[random.random_range(0..among.len())];
                let letters = (0..length).map(|_| random.random_range('a'..='z'));
                letters.collect::<String>().into()
            }
            Type::Short | Type::Long if is_usual => random.random_range(5..=20).into(),
            Type::Short | Type::Long => NUMBERS[random.random_range(0..NUMBERS.len())].into(),
            Type::Double => (f64::from(random.random_range(-8_i32..8)) / 4.0).into(),
            Type::Three if is_usual => NAMES[random.random_range(0..3)].into(),
            Type::Two | Type::OpenTwo if is_usual => NAMES[random.random_range(0..2)].into(),
            Type::Two | Type::Three | Type::OpenTwo => NAMES[random.random_range(0..4)].into(),
        }
    }

    fn source(&self) -> String {
        let limits = match self.of {
            Type::Text => ["min_length", "max_length"],
            _ => ["min", "max"],
        };
        let default = self.of.default(self.default).1;
        let scope = self.read_scope.map(|it| {
            let word = if matches!(it, Requirement::Any(_)) {
                "any"
            } else {
                "all"
            };
            format!("read_scope = {word}(\"{}\")", it.scopes().join("\", \""))
        });
        let keys = [
            (self.column != self.name).then(|| format!("column = {:?}", self.column)),
            self.min.map(|it| format!("{} = {it}", limits[0])),
            self.max.map(|it| format!("{} = {it}", limits[1])),
            (self.default > 0).then(|| format!("default = {default}")),
            scope,
            self.unique.then(|| "unique".to_owned()),
            self.read_only.then(|| "read_only".to_owned()),
            self.write_only.then(|| "write_only".to_owned()),
            self.deprecated
                .then(|| "deprecated(since = \"2027-01-01\")".to_owned()),
        ];
        let keys: Vec<String> = keys.into_iter().flatten().collect();
        let of = if self.nullable {
            format!("Option<{}>", self.of.source())
        } else {
            self.of.source().to_owned()
        };
        let keys = if keys.is_empty() {
            String::new()
        } else {
            format!("#[resource({})] ", keys.join(", "))
        };
        format!("{keys}pub {}: {of},", self.name)
    }
}

/// A version of the things.
#[derive(Debug, Clone, PartialEq)]
#[allow(clippy::struct_excessive_bools, reason = "each is a key of the derive")]
pub(crate) struct Thing {
    pub(crate) fields: Vec<Field>,
    pub(crate) table: &'static str,
    name: &'static str,
    url: &'static str,
    /// True where clients choose the key.
    assigned: bool,
    operations: Vec<Operation>,
    unique: bool,
    pages: Option<(u32, u32)>,
    all: bool,
    upsert: bool,
    if_match: bool,
    idempotency_key: bool,
    scopes: Requirement,
}

impl Thing {
    /// A version of a few attributes.
    pub(crate) fn random(random: &mut TestRng) -> Self {
        let fields = NAMES.iter().take(random.random_range(2..6)).map(|name| {
            let types = [
                Type::Text,
                Type::Short,
                Type::Long,
                Type::Double,
                Type::Two,
                Type::Three,
                Type::OpenTwo,
            ];
            let of = types[random.random_range(0..types.len())];
            let has_limits = of == Type::Text || of.is_number();
            let limit = |random: &mut TestRng, among: [u32; 2]| {
                (has_limits && random.random_bool(0.5)).then(|| among[random.random_range(0..2)])
            };
            Field {
                name,
                column: name,
                of,
                nullable: random.random_bool(0.3),
                min: limit(random, [2, 5]),
                max: limit(random, [20, 50]),
                default: usize::from(random.random_bool(0.3)),
                unique: random.random_bool(0.1),
                read_only: random.random_bool(0.1),
                write_only: false,
                deprecated: random.random_bool(0.1),
                read_scope: random.random_bool(0.1).then_some(&AB),
            }
        });
        let mut fields: Vec<Field> = fields.collect();
        for field in &mut fields {
            // Nobody could create an item without it.
            if field.read_only && !field.nullable {
                field.default = 1;
            }
            // A text that is as short as the default would not fit.
            if field.default > 0 {
                (field.min, field.unique) = (None, false);
            }
            // An error for a value that is taken would tell what some may not read.
            if field.unique {
                field.read_scope = None;
            }
            field.deprecated &= !field.unique;
        }
        Self {
            fields,
            table: "things",
            name: "Thing",
            url: "things",
            assigned: random.random_bool(0.2),
            operations: match random.random_range(0..6) {
                0 => vec![Operation::List, Operation::Retrieve],
                1 => vec![Operation::List, Operation::Retrieve, Operation::Update],
                _ => Operation::ALL.to_vec(),
            },
            unique: false,
            pages: random.random_bool(0.3).then_some((50, 500)),
            all: random.random_bool(0.3),
            upsert: false,
            if_match: false,
            idempotency_key: false,
            scopes: AB,
        }
    }

    pub(crate) fn definition(&self, major: u16) -> ResourceDefinition {
        let id = Attribute::of::<i64>("id").primary_key();
        let id = if self.assigned { id.assigned() } else { id };
        let attributes = self.fields.iter().map(Field::attribute);
        let attributes: Vec<Attribute> = std::iter::once(id).chain(attributes).collect();
        // Statements select what clients may read.
        let read = attributes.iter().filter(|it| !it.is_write_only());
        let columns = read.map(|it| format!("\"{}\"", it.identifier().as_str()));
        let columns = columns.collect::<Vec<_>>().join(", ");
        let mut of = version(major);
        if self.name != "Thing" || self.url != "things" {
            let version = of.version();
            of = ResourceDefinition::new(self.name, self.url, version);
        }
        let guard = Guard::closed().read(self.scopes).write(self.scopes);
        let mut of = of
            .table(self.table)
            .attributes(attributes.leak())
            .columns(columns.leak())
            .operations(self.operations.clone().leak())
            .guard(guard);
        if self.unique {
            of = of.unique(&[&["a", "b"]]);
        }
        if let Some((default, max)) = self.pages {
            of = of.default_limit(default).max_limit(max);
        }
        of = if self.all { of.allow_all() } else { of };
        of = if self.upsert { of.upsert() } else { of };
        of = if self.if_match {
            of.require_if_match()
        } else {
            of
        };
        if self.idempotency_key {
            of.require_idempotency_key()
        } else {
            of
        }
    }

    /// This version and one that follows it.
    pub(crate) fn pair(&self, new: &Self) -> [&'static ResourceDefinition; 2] {
        let new = new.definition(2).following::<First>();
        [leaked(self.definition(1)), leaked(new)]
    }

    pub(crate) fn source(&self, ident: &str, major: u16, follows: Option<&str>) -> String {
        let scopes = |it: Requirement| {
            let word = if matches!(it, Requirement::Any(_)) {
                "any"
            } else {
                "all"
            };
            format!("{word}(\"{}\")", it.scopes().join("\", \""))
        };
        let operations: Vec<&str> = self.operations.iter().map(|it| it.name()).collect();
        let limits = [
            self.pages
                .map(|(default, max)| format!("default = {default}, max = {max}")),
            self.all.then(|| "all".to_owned()),
        ];
        let limits: Vec<String> = limits.into_iter().flatten().collect();
        let scopes = scopes(self.scopes);
        let keys = [
            Some(format!(
                "name = {:?}, url = \"/{}\", version = \"{major}.0\", table = {:?}",
                self.name, self.url, self.table
            )),
            Some(format!(
                "scopes(read = {scopes}{})",
                if self.is_written() {
                    format!(", write = {scopes}")
                } else {
                    String::new()
                }
            )),
            (operations.len() < 5 || self.upsert).then(|| {
                let upsert = if self.upsert { ", upsert" } else { "" };
                format!("operations({}{upsert})", operations.join(", "))
            }),
            self.unique.then(|| "unique(a, b)".to_owned()),
            (!limits.is_empty()).then(|| format!("limit({})", limits.join(", "))),
            self.if_match.then(|| "require_if_match".to_owned()),
            self.idempotency_key
                .then(|| "idempotency(required)".to_owned()),
            follows.map(|it| format!("follows = {it}")),
        ];
        let keys: Vec<String> = keys.into_iter().flatten().collect();
        let fields: Vec<String> = self.fields.iter().map(Field::source).collect();
        format!(
            "#[derive(ApiResource)] #[resource({})] pub struct {ident} {{ {}pub id: i64, {} }}\n",
            keys.join(", "),
            if self.assigned {
                "#[resource(primary_key, assigned)] "
            } else {
                ""
            },
            fields.join(" "),
        )
    }

    pub(crate) fn offered(&self) -> Vec<&'static str> {
        self.operations.iter().map(|it| it.name()).collect()
    }

    /// A body, of which most are ones that it takes, with none of the members `without`.
    pub(crate) fn body(&self, without: &[&str], random: &mut TestRng) -> Json {
        let fields = self.fields.iter().filter(|it| !without.contains(&it.name));
        let mut members = serde_json::Map::new();
        if self.assigned {
            members.insert(String::from("id"), random.random_range(1..1000).into());
        }
        for field in fields {
            let is_needless = field.nullable || field.default > 0;
            let is_sent = match (field.read_only, is_needless) {
                (true, _) => 0.02,
                (false, true) => 0.6,
                (false, false) => 0.97,
            };
            if random.random_bool(is_sent) {
                members.insert(field.name.to_owned(), field.value(random));
            }
        }
        Json::Object(members)
    }

    /// The attributes that were announced to go, and that the newer version lacks.
    pub(crate) fn announced_and_gone(&self, new: &Self) -> impl Iterator<Item = &'static str> {
        let is_gone = |it: &&Field| !new.fields.iter().any(|field| field.name == it.name);
        let announced = self.fields.iter().filter(|it| it.deprecated);
        announced.filter(is_gone).map(|it| it.name)
    }

    /// Tests whether items need a value that the service's own code alone gives them.
    pub(crate) fn needs_code(&self) -> bool {
        let mut fields = self.fields.iter();
        fields.any(|it| it.read_only && !it.nullable && it.default == 0)
    }

    /// The required attributes whose name is not that of their column.
    pub(crate) fn requires_another_name(&self) -> impl Iterator<Item = &'static str> {
        let fields = self.fields.iter().filter(|it| it.name != it.column);
        let required = fields
            .filter(|it| !it.nullable && it.default == 0 && takes(self, it) && self.creates());
        required.map(|it| it.name)
    }

    fn is_shared(&self) -> bool {
        self.table == "things"
    }

    fn is_written(&self) -> bool {
        self.creates() || self.operations.contains(&Operation::Update)
    }

    fn creates(&self) -> bool {
        self.operations.contains(&Operation::Create)
    }
}

/// An edit: the word of the rule that it breaks, empty if none; and the change, which tells the place, or none where the
/// version has nothing for it.
pub(crate) type Edit = (&'static str, fn(&mut Thing, usize) -> Option<&'static str>);

/// Makes an edit of the field at a place, where a condition holds.
macro_rules! of_field {
    ($thing:ident, $field:ident, $condition:expr, $($change:stmt);+) => {
        |thing, place| {
            let $thing = thing.clone();
            let _ = &$thing;
            let $field = &mut thing.fields[place];
            if !($condition) {
                return None;
            }
            $($change)+
            Some($field.name)
        }
    };
}

fn takes(thing: &Thing, field: &Field) -> bool {
    thing.is_written() && !field.read_only
}

/// Edits of one field, each of which breaks one rule. Where versions share a table, those are other rules that
/// [`in_one_table`] names.
pub(crate) const BREAKING: [Edit; 17] = [
    (
        "required",
        of_field!(
            t,
            f,
            takes(&t, f) && t.creates() && f.nullable && f.default == 0,
            f.nullable = false
        ),
    ),
    (
        "kind",
        of_field!(
            t,
            f,
            takes(&t, f) && f.of == Type::Long && f.default == 0,
            (f.of, f.min, f.max) = (Type::Text, None, None)
        ),
    ),
    (
        "kind",
        of_field!(t, f, takes(&t, f) && f.of == Type::Long, f.of = Type::Short),
    ),
    (
        "kind",
        of_field!(
            t,
            f,
            // Clients who expect texts of five characters would read shorter names.
            takes(&t, f) && f.of == Type::Text && f.default == 0 && f.min != Some(5),
            (f.of, f.min, f.max) = (Type::Three, None, None)
        ),
    ),
    (
        "tighter",
        of_field!(t, f, takes(&t, f) && f.max == Some(50), f.max = Some(20)),
    ),
    (
        "tighter",
        of_field!(
            t,
            f,
            takes(&t, f) && (f.of == Type::Text || f.of.is_number()) && f.max.is_none(),
            f.max = Some(20)
        ),
    ),
    (
        "tighter",
        of_field!(t, f, takes(&t, f) && f.min == Some(2), f.min = Some(5)),
    ),
    (
        "not_null",
        of_field!(
            t,
            f,
            takes(&t, f) && f.nullable && f.default > 0,
            f.nullable = false
        ),
    ),
    (
        "not_null",
        of_field!(
            t,
            f,
            takes(&t, f) && f.nullable && f.default == 0 && f.min.is_none() && !f.unique,
            (f.nullable, f.default) = (false, 1)
        ),
    ),
    (
        "name_removed",
        of_field!(t, f, takes(&t, f) && f.of == Type::Three, f.of = Type::Two),
    ),
    (
        "read_only",
        of_field!(
            t,
            f,
            takes(&t, f) && (f.nullable || f.default > 0),
            f.read_only = true
        ),
    ),
    (
        "hidden",
        of_field!(
            t,
            f,
            !f.read_only && t.is_written() && !f.unique && f.read_scope.is_none(),
            f.write_only = true
        ),
    ),
    (
        "access",
        of_field!(t, f, f.read_scope.is_none(), f.read_scope = Some(&AB)),
    ),
    (
        "access",
        of_field!(t, f, f.read_scope == Some(&AB), f.read_scope = Some(&A)),
    ),
    (
        "access",
        of_field!(t, f, f.read_scope == Some(&AB), f.read_scope = Some(&BOTH)),
    ),
    (
        "wider_kind",
        of_field!(t, f, f.of == Type::Short, f.of = Type::Long),
    ),
    (
        "constraint",
        of_field!(
            t,
            f,
            !f.unique && !f.read_only && f.read_scope.is_none() && f.default == 0,
            f.unique = true
        ),
    ),
];

/// Edits of one field that break a rule about answers, and another one where versions share a table.
pub(crate) const WIDENING: [Edit; 4] = [
    (
        "null",
        of_field!(t, f, !f.nullable && f.default > 0, f.nullable = true),
    ),
    (
        "wider",
        of_field!(t, f, f.max == Some(20), f.max = Some(50)),
    ),
    ("wider", of_field!(t, f, f.min == Some(5), f.min = Some(2))),
    (
        "name_added",
        of_field!(t, f, f.of == Type::Two, f.of = Type::Three),
    ),
];

/// The default alone, whose value only `build` knows.
pub(crate) const DEFAULTS: [Edit; 2] = [
    (
        "default",
        of_field!(
            t,
            f,
            takes(&t, f) && t.creates() && f.default == 1,
            f.default = 2
        ),
    ),
    (
        "default",
        of_field!(
            t,
            f,
            takes(&t, f)
                && t.creates()
                && f.nullable
                && f.default == 0
                && f.min.is_none()
                && !f.unique,
            f.default = 1
        ),
    ),
];

/// Edits of the rest, each of which breaks one rule.
pub(crate) const BREAKING_REST: [Edit; 14] = [
    ("withdrawn", |t, place| {
        let withdrawn = [Operation::Delete, Operation::List][place % 2];
        let place = t.operations.iter().position(|it| *it == withdrawn)?;
        Some(t.operations.remove(place).name())
    }),
    ("moved", |t, _| {
        t.url = "stuff";
        Some("url")
    }),
    ("moved", |t, _| {
        t.name = "Stuff";
        Some("name")
    }),
    ("removed", |t, place| {
        let is_known = !t.fields[place].deprecated && t.fields.len() > 1;
        is_known.then(|| t.fields.remove(place).name)
    }),
    ("required_new", |t, _| {
        t.creates().then(|| {
            t.fields.insert(0, new_field("new", false));
            "new"
        })
    }),
    ("removed", |t, place| {
        // A rename in the new version alone.
        let field = &mut t.fields[place];
        let name = field.name;
        (field.name, field.column) = ("renamed", name);
        (!field.deprecated && !field.unique && t.table == "things").then_some(name)
    }),
    ("page", |t, _| {
        t.pages = Some((t.pages?.0 - 1, t.pages?.1));
        Some("limit")
    }),
    ("page", |t, _| {
        t.pages = Some((t.pages?.0, t.pages?.1 - 1));
        Some("limit")
    }),
    ("page", |t, _| {
        t.all.then(|| {
            t.all = false;
            "all"
        })
    }),
    ("access", |t, _| {
        // One operation after the other; the place is the first.
        t.scopes = [A, BOTH][t.fields.len() % 2];
        Some("list")
    }),
    ("error", |t, _| {
        (t.operations.len() == 5 && t.assigned).then(|| {
            t.upsert = true;
            "upsert"
        })
    }),
    ("required", |t, _| {
        // Items with hidden values have no tags to be matched.
        let is_told = |it: &Field| it.read_scope.is_none() && !it.write_only;
        (t.operations.len() == 5 && t.fields.iter().all(is_told)).then(|| {
            t.if_match = true;
            "if_match"
        })
    }),
    ("required", |t, _| {
        (t.operations.len() == 5).then(|| {
            t.idempotency_key = true;
            "idempotency_key"
        })
    }),
    ("constraint", |t, _| {
        let may_be =
            t.fields.iter().take(2).all(|it| {
                it.read_scope.is_none() && !it.write_only && ["a", "b"].contains(&it.name)
            });
        (may_be && t.fields.len() > 1).then(|| {
            t.unique = true;
            "a"
        })
    }),
];

fn new_field(name: &'static str, nullable: bool) -> Field {
    Field {
        name,
        column: name,
        of: Type::Text,
        nullable,
        min: None,
        max: None,
        default: 0,
        unique: false,
        read_only: false,
        write_only: false,
        deprecated: false,
        read_scope: None,
    }
}

/// Edits of one field that break nothing.
pub(crate) const COMPATIBLE: [Edit; 12] = [
    // The first alone, since another edit may have deprecated the field.
    ("", |t, place| {
        let is_going = t.fields[place].deprecated && t.fields.len() > 1;
        is_going.then(|| t.fields.remove(place).name)
    }),
    (
        "",
        of_field!(t, f, f.read_scope == Some(&A), f.read_scope = Some(&AB)),
    ),
    (
        "",
        of_field!(
            t,
            f,
            f.read_scope.is_some() && !t.is_shared(),
            f.read_scope = None
        ),
    ),
    (
        "",
        of_field!(t, f, f.unique && !t.is_shared(), f.unique = false),
    ),
    (
        "",
        of_field!(
            t,
            f,
            !takes(&t, f) && f.nullable && !t.is_shared(),
            f.nullable = false
        ),
    ),
    (
        "",
        of_field!(
            t,
            f,
            !takes(&t, f) && f.max == Some(50) && !t.is_shared(),
            f.max = Some(20)
        ),
    ),
    (
        "",
        of_field!(
            t,
            f,
            !takes(&t, f) && f.of == Type::Three && f.default == 0 && !t.is_shared(),
            f.of = Type::Two
        ),
    ),
    (
        "",
        of_field!(
            t,
            f,
            !takes(&t, f) && f.of == Type::Long && !t.is_shared(),
            f.of = Type::Short
        ),
    ),
    (
        "",
        of_field!(
            t,
            f,
            f.of == Type::OpenTwo && f.default == 0,
            f.of = Type::Three
        ),
    ),
    (
        "",
        of_field!(
            t,
            f,
            takes(&t, f) && !f.nullable && f.default == 0 && f.min.is_none() && !f.unique,
            f.default = 2
        ),
    ),
    ("", of_field!(t, f, !f.deprecated, f.deprecated = true)),
    ("", |t, place| {
        t.fields[place].deprecated = false;
        Some(t.fields[place].name)
    }),
];

/// Edits of the rest that break nothing.
pub(crate) const COMPATIBLE_REST: [Edit; 7] = [
    ("", |t, place| {
        t.fields.insert(place, new_field("optional", true));
        Some("optional")
    }),
    ("", |t, place| {
        t.fields.push(Field {
            default: place % 2 + 1,
            ..new_field("fallback", false)
        });
        Some("fallback")
    }),
    ("", |t, _| {
        t.fields.reverse();
        Some("")
    }),
    ("", |t, _| {
        t.operations = Operation::ALL.to_vec();
        Some("")
    }),
    ("", |t, _| {
        t.pages = Some((t.pages?.0, t.pages?.1 + 100));
        Some("")
    }),
    ("", |t, _| {
        t.all = true;
        Some("")
    }),
    ("", |t, _| {
        (t.operations.len() < 3).then(|| {
            t.fields.insert(
                0,
                Field {
                    read_only: true,
                    ..new_field("new", false)
                },
            );
            ""
        })
    }),
];

/// The rule that an edit breaks where both versions share the table and the column.
pub(crate) fn in_one_table(word: &'static str) -> &'static str {
    match word {
        "null" | "wider" | "name_added" => "read_widening",
        "constraint" => "shared_constraint",
        word => word,
    }
}

impl Thing {
    /// Tests whether an edit has a field promise what items in its column need not hold.
    pub(crate) fn promises_more(&self, word: &str, name: &str) -> bool {
        let mut fields = self.fields.iter();
        let field = fields.find(|it| it.name == name);
        self.is_shared()
            && field.is_some_and(|field| match word {
                "required" | "tighter" | "not_null" | "name_removed" => true,
                "kind" => field.of == Type::Three,
                _ => false,
            })
    }
}

/// The same numbers each time.
pub(crate) fn numbers(seed: u8) -> TestRng {
    TestRng::from_seed(RngAlgorithm::ChaCha, &[seed; 32])
}

/// A random edit among `edits` that the version has something for: its word and its place.
pub(crate) fn edited(
    thing: &mut Thing,
    edits: &[Edit],
    random: &mut TestRng,
) -> Option<(&'static str, &'static str, usize)> {
    let (word, edit) = edits[random.random_range(0..edits.len())];
    let place = random.random_range(0..thing.fields.len());
    let before = thing.clone();
    let told = edit(thing, place);
    // An attribute that comes twice is none that the derive would make.
    let mut names = HashSet::new();
    let told = told.filter(|_| thing.fields.iter().all(|it| names.insert(it.name)));
    if told.is_none() {
        *thing = before;
    }
    told.map(|told| (word, told, place))
}
