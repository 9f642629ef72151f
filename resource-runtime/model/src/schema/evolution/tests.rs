//! Tests of the comparison: each rule with its sentence, and edits that break nothing.

use super::super::{
    Attribute, Guard, Operation, Ownership, Requirement, ResourceDefinition, Version,
};
use super::{Approval, Deprecation, Rule, Text, Versions, compare};
use crate::samples::Address;
use crate::value::{FieldValue, Kind, RecordError, Value};

/// Makes an enum of these names.
macro_rules! names {
    ($type:ident, $open:literal, $($name:literal),*) => {
        #[derive(Debug)]
        struct $type;

        impl FieldValue for $type {
            const KIND: Kind = Kind::Text;
            const NAMES: &'static [&'static str] = &[$($name),*];
            const OPEN: bool = $open;

            fn from_value(_: Value) -> Result<Self, RecordError> {
                Ok(Self)
            }

            fn to_value(&self) -> Value {
                Value::Null
            }
        }
    };
}
names!(Two, false, "one", "two");
names!(Open, true, "one", "two");
names!(Three, false, "one", "two", "three");

/// The sentences about one attribute, in the order in which they are found when each is approved.
fn found(old: Attribute, new: Attribute, is_shared: bool) -> Vec<String> {
    let (old, new) = (old.facts(), new.facts());
    let mut known = super::Rules::NONE;
    let mut sentences = Vec::new();
    while let Some(finding) = compare(&old, &new, is_shared, known) {
        known = known.with_implied(finding.rule);
        let mut text = Text::new();
        text.add_sentence(&finding, Version::new(1, 0));
        sentences.push(format!("{} {}", finding.rule.entry().word, text.as_str()));
    }
    sentences
}

fn text() -> Attribute {
    Attribute::of::<String>("a")
}

fn optional() -> Attribute {
    Attribute::of::<Option<String>>("a")
}

fn of<T: FieldValue>() -> Attribute {
    Attribute::of::<T>("a")
}

#[test]
#[allow(clippy::too_many_lines, reason = "it is a table of all rules")]
fn each_rule_about_an_attribute_is_told_by_its_sentence() {
    let secret = Requirement::Any(&["a", "b"]);
    let secret: &'static Requirement = Box::leak(Box::new(secret));
    let both: &'static Requirement = Box::leak(Box::new(Requirement::All(&["a", "b"])));
    let references: &'static [_] = Box::leak(Box::new([super::super::AttributeReference::to::<
        Address,
    >()]));
    let default = || Value::Text(String::from("x"));
    let cases: [(Attribute, Attribute, &[&str]); 24] = [
        (
            of::<i64>().primary_key(),
            of::<i64>().primary_key().assigned(),
            &["key `a` is a key that clients assign, in 1.0 a key that the database assigns"],
        ),
        (optional(), text(), &["required `a` may be left out in 1.0"]),
        (
            text().default(default),
            text(),
            &["required `a` may be left out in 1.0"],
        ),
        (of::<i64>(), text(), &["kind `a` is `text`, in 1.0 `i64`"]),
        (
            of::<i64>(),
            of::<i32>(),
            &["kind `a` is `i32`, in 1.0 `i64`"],
        ),
        (text(), of::<Two>(), &["kind `a` is an enum, in 1.0 `text`"]),
        (
            text().max_length(80),
            text().max_length(50),
            &["tighter `a` takes a length of at most 50, in 1.0 80"],
        ),
        (
            text(),
            text().min_length(1),
            &["tighter `a` takes a length of at least 1, in 1.0 any"],
        ),
        (
            of::<f64>().max_real(2.25),
            of::<f64>().max_real(-1.000_001),
            &["tighter `a` takes at most -1.000001, in 1.0 2.25"],
        ),
        (
            optional(),
            text().default(default),
            &[
                "not_null `a` takes null in 1.0",
                "default a new item's `a` is computed, in 1.0 absent",
            ],
        ),
        (
            of::<Three>(),
            of::<Two>(),
            &["name_removed `a` takes `three` in 1.0"],
        ),
        (
            optional(),
            optional().read_only(),
            &["read_only `a` is taken from clients in 1.0, not here"],
        ),
        (
            optional(),
            optional().default(default),
            &["default a new item's `a` is computed, in 1.0 absent"],
        ),
        (
            text(),
            text().unique(),
            &["constraint `a` is unique, not so in 1.0"],
        ),
        (
            of::<i64>(),
            of::<i64>().references(references),
            &["constraint `a` is a reference, not so in 1.0"],
        ),
        (
            text(),
            text().write_only(),
            &["hidden `a` is told in 1.0, not here"],
        ),
        (
            of::<i32>(),
            of::<i64>(),
            &["wider_kind `a` is `i64`, in 1.0 `i32`"],
        ),
        (text(), optional(), &["null `a` may be null, not so in 1.0"]),
        (
            text().max_length(50),
            text().max_length(80),
            &["wider `a` holds a length of at most 80, in 1.0 50"],
        ),
        (
            of::<Two>(),
            of::<Three>(),
            &["name_added `a` may be `three`, not so in 1.0"],
        ),
        (
            of::<Two>(),
            text(),
            &["name_added `a` may be any text, not so in 1.0"],
        ),
        (
            text(),
            text().redacted(),
            &["unqueryable `a` is known to filters in 1.0, not here"],
        ),
        (
            text(),
            text().read_scope(secret),
            &["access `a` takes `a` or `b`, in 1.0 no scope"],
        ),
        (
            text().write_scope(secret),
            text().write_scope(both),
            &["access `a` takes `a` and `b`, in 1.0 `a` or `b`"],
        ),
    ];
    for (old, new, expected) in cases {
        assert_eq!(found(old, new, false), expected, "{old:?} {new:?}");
    }
}

#[test]
fn versions_of_one_column_read_what_the_other_stores() {
    let cases: [(Attribute, Attribute, &[&str]); 7] = [
        (
            text().max_length(50),
            text().max_length(80),
            &[
                "read_widening `a` holds a length of at most 80, and clients of 1.0, who expect 50, read it",
            ],
        ),
        (
            text(),
            optional(),
            &["read_widening `a` holds null, and clients of 1.0, who expect no null, read it"],
        ),
        (
            of::<Two>(),
            of::<Three>(),
            &[
                "read_widening `a` holds `three`, and clients of 1.0, who expect other names, read it",
            ],
        ),
        (
            text().max_length(80).read_only(),
            text().max_length(50).read_only(),
            &["old_items `a` holds a length of at most 50, and items of 1.0 hold 80"],
        ),
        (
            text().max_length(80),
            text().max_length(50),
            &["tighter `a` takes a length of at most 50, in 1.0 80"],
        ),
        (
            text().unique(),
            text(),
            &["shared_constraint `a` is unique in one of this and 1.0, and by their table in both"],
        ),
        (
            text(),
            text().unique(),
            &["shared_constraint `a` is unique in one of this and 1.0, and by their table in both"],
        ),
    ];
    for (old, new, expected) in cases {
        assert_eq!(found(old, new, true), expected, "{old:?} {new:?}");
    }
}

#[test]
fn edits_that_keep_the_promise_are_not_told() {
    let all: &'static Requirement = Box::leak(Box::new(Requirement::All(&["a", "b"])));
    let any: &'static Requirement = Box::leak(Box::new(Requirement::Any(&["b", "c"])));
    let default = || Value::Text(String::from("x"));
    for (old, new) in [
        (text(), text().description("Other words.")),
        (text().max_length(50), text().max_length(50).index()),
        (text(), text().default(default)),
        (text().unique(), text()),
        (text().write_only(), text()),
        (
            text().write_only().max_length(50),
            text().write_only().max_length(80),
        ),
        (
            text().read_only().max_length(80),
            text().read_only().max_length(50),
        ),
        (of::<Open>(), of::<Three>()),
        (text().read_scope(all), text().read_scope(any)),
        (text().read_scope(any), text()),
        (text().redacted(), text()),
    ] {
        assert_eq!(found(old, new, false), [""; 0], "{old:?} {new:?}");
    }
}

fn resource() -> ResourceDefinition {
    const ATTRIBUTES: &[Attribute] = &[
        Attribute::of::<i64>("id").primary_key(),
        Attribute::of::<String>("a").max_length(50),
        Attribute::of::<Option<String>>("b"),
    ];
    ResourceDefinition::new("Thing", "things", Version::new(1, 0)).attributes(ATTRIBUTES)
}

fn leaked(definition: &ResourceDefinition) -> &'static ResourceDefinition {
    Box::leak(Box::new(*definition))
}

/// The sentences beside those about attributes that both versions have.
fn rest(old: &ResourceDefinition, new: &ResourceDefinition) -> Vec<String> {
    let versions = Versions::between(leaked(old), leaked(new));
    let findings = (0..).map_while(|number| versions.unapproved(number));
    let sentences = findings.map(|finding| {
        let mut text = Text::new();
        text.add_sentence(&finding, Version::new(1, 0));
        text.as_str().to_owned()
    });
    sentences.collect()
}

#[test]
fn each_rule_about_a_resource_is_told_by_its_sentence() {
    const REST: &[Attribute] = &[
        Attribute::of::<i64>("id").primary_key(),
        Attribute::of::<Option<String>>("c").column("b"),
    ];
    const READ: Requirement = Requirement::Any(&["read"]);
    let open = Guard::closed().public();
    let cases: [(ResourceDefinition, ResourceDefinition, &[&str]); 13] = [
        (
            resource(),
            resource().operations(&[
                Operation::List,
                Operation::Retrieve,
                Operation::Create,
                Operation::Update,
            ]),
            &["`delete` is offered in 1.0, not here"],
        ),
        (
            resource(),
            resource().attributes(REST),
            &[
                "`a` is in 1.0, not here",
                "`b` is in 1.0, not here, where its column is `c`",
            ],
        ),
        (
            resource().guard(open),
            resource().guard(open.list(READ)),
            &["`list` takes `read`, in 1.0 no scope"],
        ),
        (
            resource(),
            resource().owner(Ownership::of_claim("sub")),
            &["`owner` takes `sub`, in 1.0 anybody"],
        ),
        (
            resource().owner(Ownership::of_claim("sub").bypassed_by(READ)),
            resource().owner(Ownership::of_claim("sub")),
            &["`owner` takes no scope, in 1.0 `read`"],
        ),
        (
            resource().default_limit(50).max_limit(1000),
            resource().default_limit(10).max_limit(200),
            &[
                "without a `limit`, a page holds 10, in 1.0 50",
                "a page holds at most 200, in 1.0 1000",
            ],
        ),
        (
            resource().allow_all(),
            resource(),
            &["`limit=all` is refused, in 1.0 taken"],
        ),
        (
            resource().uncounted(),
            resource(),
            &["`count=none` is refused, in 1.0 taken"],
        ),
        (
            resource().upsert(),
            resource(),
            &["`upsert` is offered in 1.0, not here"],
        ),
        (
            resource(),
            resource().upsert(),
            &["`PUT` creates an item that is missing, in 1.0 an error"],
        ),
        (
            resource(),
            resource().require_if_match(),
            &["`if_match` may be left out in 1.0"],
        ),
        (
            resource().table("others"),
            resource().unique(&[&["a", "b"]]),
            &["`a` is unique together with others, not so in 1.0"],
        ),
        (
            resource().unique(&[&["b", "a"]]),
            resource(),
            &[
                "`b` is unique together with others in one of this and 1.0, and by their table in both",
            ],
        ),
    ];
    for (old, new, expected) in cases {
        assert_eq!(rest(&old, &new), expected, "{new:?}");
    }
}

#[test]
fn resources_may_grow_and_move_their_texts() {
    const MORE: &[Attribute] = &[
        Attribute::of::<i64>("id").primary_key(),
        Attribute::of::<Option<String>>("new"),
        Attribute::of::<Option<String>>("b"),
        Attribute::of::<String>("a").max_length(50),
    ];
    let more = resource()
        .attributes(MORE)
        .description("Other words.")
        .allow_all();
    assert_eq!(rest(&resource(), &more), [""; 0]);
    let versions = Versions::between(leaked(&resource()), leaked(&more));
    for place in 0..MORE.len() {
        assert!(versions.judge(place).0.is_none(), "{place}");
    }
}

#[test]
fn deprecated_attributes_may_go_and_approved_breaks_are_not_told() {
    const GOING: &[Attribute] = &[
        Attribute::of::<i64>("id").primary_key(),
        Attribute::of::<String>("a").deprecated(&Deprecation::new("2027-01-01")),
        Attribute::of::<Option<String>>("b"),
    ];
    const GONE: &[Attribute] = &[Attribute::of::<i64>("id").primary_key()];
    const APPROVED: &[Approval] = &[Approval {
        rule: Rule::Removed,
        places: &["b"],
        reason: "nobody reads it",
    }];
    let gone = resource().attributes(GONE);
    assert_eq!(
        rest(&resource().attributes(GOING), &gone),
        ["`b` is in 1.0, not here"]
    );
    assert_eq!(
        rest(&resource().attributes(GOING), &gone.breaks(APPROVED)),
        [""; 0]
    );
}

#[test]
fn long_texts_are_cut_between_words_of_the_sentence() {
    let mut text = Text::new();
    for _ in 0..200 {
        text.add("nine µs. ");
    }
    assert!(text.as_str().ends_with("nine µs. ") && text.as_str().len() > 1000);
    text.add_number(u64::MAX);
}

#[test]
fn every_rule_has_a_word_of_its_own() {
    for (index, rule) in Rule::ALL.into_iter().enumerate() {
        assert_eq!(Rule::named(rule.entry().word), Some(rule));
        assert_eq!(rule as usize, index);
    }
    let numbers = Rule::ALL.map(|it| it.entry().number);
    assert!(numbers.is_sorted());
}
