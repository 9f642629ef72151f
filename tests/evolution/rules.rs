//! Each rule at each of its places: the texts of the compiler and of `build`, which stand in `rules.txt`.
//!
//! `UPDATE_GOLDEN=1` writes them anew.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::time::Duration;

use resource_model::registry::Registration;
use resource_model::schema::evolution::{Approval, Deprecation, Rule, Versions};
use resource_model::schema::{
    Attribute, AttributeReference, Collection, Guard, Operation, Ownership, Requirement,
    ResourceDefinition, Storage, Subresource,
};
use resource_model::value::{FieldValue, Value};
use resource_runtime::{Api, ApiBuilder, ApiResource, Validator};
use rust_decimal::Decimal;

use crate::edits::{OpenTwo, Three, Two};
use crate::told::{
    First, approving, hints, leaked, problems_of, serving_beside, told_by_build, told_by_compiler,
    told_by_lock, version, words,
};

#[derive(ApiResource)]
#[resource(name = "Address", url = "/addresses", version = "1.0")]
struct Address {
    id: i64,
}

#[derive(ApiResource)]
#[resource(name = "Person", url = "/persons", version = "1.0")]
struct Person {
    id: i64,
}

const A: Requirement = Requirement::Any(&["a"]);
const B: Requirement = Requirement::Any(&["b"]);
const AB: Requirement = Requirement::Any(&["a", "b"]);
const BOTH: Requirement = Requirement::All(&["a", "b"]);
const TO_ADDRESS: &[AttributeReference] = &[AttributeReference::to::<Address>()];
const TO_PERSON: &[AttributeReference] = &[AttributeReference::to::<Person>()];

fn of<T: FieldValue>() -> Attribute {
    Attribute::of::<T>("a")
}

fn text() -> Attribute {
    of::<String>()
}

fn optional() -> Attribute {
    of::<Option<String>>()
}

/// A number of so many digits, two of them behind the point.
fn decimal(digits: u8) -> Attribute {
    let storage = Storage {
        digits: Some((digits, 2)),
        ..Storage::OURS
    };
    of::<Decimal>().stored(Box::leak(Box::new(storage)))
}

fn x() -> Value {
    Value::Text(String::from("x"))
}

fn y() -> Value {
    Value::Text(String::from("y"))
}

fn id() -> Attribute {
    Attribute::of::<i64>("id").primary_key()
}

/// A version with these attributes beside the key.
fn with(attributes: &[Attribute]) -> ResourceDefinition {
    numbered(1, attributes)
}

/// The same in the version that follows.
fn then(attributes: &[Attribute]) -> ResourceDefinition {
    numbered(2, attributes)
}

fn numbered(major: u16, attributes: &[Attribute]) -> ResourceDefinition {
    let attributes: Vec<_> = std::iter::once(id())
        .chain(attributes.iter().copied())
        .collect();
    version(major).attributes(attributes.leak())
}

/// Two versions with tables of their own, which differ in one attribute.
fn apart(old: Attribute, new: Attribute) -> [ResourceDefinition; 2] {
    [with(&[old]), then(&[new]).table("others")]
}

/// Two versions of one table, which differ in one attribute.
fn shared(old: Attribute, new: Attribute) -> [ResourceDefinition; 2] {
    [with(&[old]), then(&[new])]
}

/// Two versions of one attribute, of which the new one is otherwise declared.
fn declared(
    old: impl Fn(ResourceDefinition) -> ResourceDefinition,
    new: impl Fn(ResourceDefinition) -> ResourceDefinition,
) -> [ResourceDefinition; 2] {
    let both = [text(), Attribute::of::<i64>("b")];
    [old(with(&both)), new(then(&both))]
}

fn same(it: ResourceDefinition) -> ResourceDefinition {
    it
}

fn guarded(list: Requirement) -> Guard {
    Guard::closed().read(list).write(A)
}

/// Pairs of versions, each by the edit that makes the second of the first.
#[allow(clippy::too_many_lines, reason = "it is a table of all rules")]
fn breaking() -> Vec<(&'static str, [ResourceDefinition; 2])> {
    let owner = Ownership::of_claim;
    let keys = |major, parts: [&'static str; 2]| {
        let parts = parts.map(|it| Attribute::of::<i64>(it).primary_key().assigned());
        version(major).attributes(parts.to_vec().leak())
    };
    let shows = |of: Subresource| move |it: ResourceDefinition| it.subresources(vec![of].leak());
    vec![
        (
            "withdraw an operation",
            declared(same, |it| {
                it.operations(&[
                    Operation::List,
                    Operation::Retrieve,
                    Operation::Create,
                    Operation::Update,
                ])
            }),
        ),
        (
            "withdraw upserts",
            declared(ResourceDefinition::upsert, same),
        ),
        (
            "move the collection",
            [
                with(&[]),
                ResourceDefinition::new("Thing", "stuff", version(2).version())
                    .table("things")
                    .attributes(with(&[]).all_attributes()),
            ],
        ),
        (
            "rename the resource",
            [
                with(&[]),
                ResourceDefinition::new("Stuff", "things", version(2).version())
                    .attributes(with(&[]).all_attributes()),
            ],
        ),
        (
            "let clients assign the key",
            [
                version(1).attributes(vec![id()].leak()),
                version(2)
                    .attributes(vec![id().assigned()].leak())
                    .table("others"),
            ],
        ),
        (
            "add a part of the key",
            [with(&[]).table("others"), keys(2, ["id", "part"])],
        ),
        (
            "swap parts of the key",
            [keys(1, ["a", "b"]), keys(2, ["b", "a"])],
        ),
        (
            "remove an attribute",
            [with(&[text()]), then(&[]).table("others")],
        ),
        (
            "rename an attribute",
            [
                with(&[text()]),
                then(&[Attribute::of::<String>("title").column("a")]),
            ],
        ),
        (
            "rename and widen an attribute",
            [
                with(&[text().max_length(50)]),
                then(&[Attribute::of::<String>("title").column("a").max_length(80)]),
            ],
        ),
        (
            "remove a subresource",
            declared(shows(Subresource::to::<Address>("address", &["b"])), same),
        ),
        (
            "add a required attribute",
            [with(&[]), then(&[text()]).table("others")],
        ),
        ("require a value", apart(optional(), text())),
        (
            "require a value instead of a default",
            apart(text().default(x), text()),
        ),
        ("require the owner", apart(text().owner(), text())),
        (
            "require `If-Match`",
            declared(same, ResourceDefinition::require_if_match),
        ),
        (
            "require idempotency keys",
            declared(same, ResourceDefinition::require_idempotency_key),
        ),
        ("make text of a number", apart(of::<i64>(), text())),
        ("make a number shorter", apart(of::<i64>(), of::<i32>())),
        ("make an enum of text", apart(text(), of::<Two>())),
        (
            "refer to another resource",
            apart(
                of::<i64>().references(TO_ADDRESS),
                of::<i64>().references(TO_PERSON),
            ),
        ),
        (
            "show another resource",
            declared(
                shows(Subresource::to::<Address>("shown", &["b"])),
                shows(Subresource::to::<Person>("shown", &["b"])),
            ),
        ),
        (
            "make a subresource of an attribute",
            [
                with(&[text(), Attribute::of::<i64>("b")]),
                then(&[Attribute::of::<i64>("b")])
                    .subresources(const { &[Subresource::to::<Address>("a", &["b"])] }),
            ],
        ),
        (
            "make an attribute of a subresource",
            [
                with(&[Attribute::of::<i64>("b")])
                    .subresources(const { &[Subresource::to::<Address>("a", &["b"])] }),
                then(&[optional(), Attribute::of::<i64>("b")]),
            ],
        ),
        (
            "shorten texts",
            apart(text().max_length(80), text().max_length(50)),
        ),
        ("limit texts", apart(text(), text().min_length(1))),
        (
            "limit numbers",
            apart(of::<f64>().max_real(2.25), of::<f64>().max_real(-1.000_001)),
        ),
        (
            "lift the least number",
            apart(of::<i64>().min(0), of::<i64>().min(1)),
        ),
        ("refuse null", apart(optional(), text().default(x))),
        (
            "remove a name of an enum",
            apart(of::<Three>(), of::<Two>()),
        ),
        ("take no value", apart(optional(), optional().read_only())),
        ("add a default", apart(optional(), optional().default(x))),
        (
            "change the default",
            apart(text().default(x), text().default(y)),
        ),
        ("make values unique", apart(text(), text().unique())),
        (
            "make values references",
            apart(of::<i64>(), of::<i64>().references(TO_ADDRESS)),
        ),
        (
            "make a set unique",
            declared(same, |it| it.table("others").unique(&[&["a", "b"]])),
        ),
        ("hide an attribute", apart(text(), text().write_only())),
        ("make a number longer", apart(of::<i32>(), of::<i64>())),
        (
            "answer null",
            apart(text().default(x), optional().default(x)),
        ),
        (
            "lengthen texts",
            apart(text().max_length(50), text().max_length(80)),
        ),
        (
            "lift a limit of texts",
            apart(text().max_length(50), text()),
        ),
        (
            "lift a limit of numbers",
            apart(of::<i64>().max(50), of::<i64>()),
        ),
        ("add a name to an enum", apart(of::<Two>(), of::<Three>())),
        ("open an enum", apart(of::<Two>(), of::<OpenTwo>())),
        ("make text of an enum", apart(of::<Two>(), text())),
        (
            "make text of an enum, each name of which is short enough",
            apart(of::<Three>(), text().max_length(5)),
        ),
        (
            "make shorter text of an enum",
            apart(
                of::<Three>().write_only(),
                text().max_length(4).write_only(),
            ),
        ),
        ("redact an attribute", apart(text(), text().redacted())),
        (
            "shorten pages",
            declared(|it| it.default_limit(50), |it| it.default_limit(10)),
        ),
        (
            "lower the cap of pages",
            declared(|it| it.max_limit(1000), |it| it.max_limit(200)),
        ),
        (
            "lower the cap of the service",
            declared(same, |it| it.max_limit(200)),
        ),
        (
            "refuse `limit=all`",
            declared(ResourceDefinition::allow_all, same),
        ),
        (
            "refuse `count=none`",
            declared(ResourceDefinition::uncounted, same),
        ),
        (
            "ask for another scope",
            declared(|it| it.guard(guarded(A)), |it| it.guard(guarded(A).list(B))),
        ),
        (
            "ask for a scope",
            declared(
                |it| it.guard(guarded(A).public_read()),
                |it| it.guard(guarded(A).public_read().list(B)),
            ),
        ),
        (
            "ask readers for a scope",
            apart(text(), text().read_scope(&AB)).map(|it| it.guard(guarded(A))),
        ),
        (
            "ask writers for both scopes",
            apart(text().write_scope(&AB), text().write_scope(&BOTH))
                .map(|it| it.guard(guarded(A))),
        ),
        (
            "give items owners",
            declared(same, |it| it.owner(owner("sub"))),
        ),
        (
            "free others of the owner",
            declared(
                |it| it.owner(owner("sub").bypassed_by(A)),
                |it| it.owner(owner("sub").bypassed_by(B)),
            ),
        ),
        (
            "free nobody of the owner",
            declared(
                |it| it.owner(owner("sub").bypassed_by(A)),
                |it| it.owner(owner("sub")),
            ),
        ),
        (
            "find owners by another claim",
            declared(|it| it.owner(owner("sub")), |it| it.owner(owner("uid"))),
        ),
        (
            "create what is missing",
            declared(same, ResourceDefinition::upsert),
        ),
        (
            "lengthen texts of one column",
            shared(text().max_length(50), text().max_length(80)),
        ),
        (
            "lengthen unique texts of one column",
            shared(
                text().unique().max_length(50),
                text().unique().max_length(80),
            ),
        ),
        (
            "lift a limit of numbers of one column",
            shared(of::<i64>().max(50), of::<i64>()),
        ),
        (
            "add digits in one column, held back",
            shared(decimal(6), decimal(8).held_back_for::<First>()),
        ),
        ("store null in one column", shared(text(), optional())),
        (
            "add a name to an enum of one column",
            shared(of::<Two>(), of::<Three>()),
        ),
        (
            "store any text in one column",
            shared(of::<Three>(), text()),
        ),
        (
            "promise shorter texts of one column",
            shared(
                text().read_only().max_length(80),
                text().read_only().max_length(50),
            ),
        ),
        (
            "promise a value of one column",
            shared(optional().read_only(), text().read_only()),
        ),
        (
            "promise fewer names of one column",
            shared(of::<Three>().read_only(), of::<Two>().read_only()),
        ),
        (
            "promise names of one column",
            shared(text().read_only(), of::<Two>().read_only()),
        ),
        (
            "shorten texts of one column",
            shared(text().max_length(80), text().max_length(50)),
        ),
        ("require a value of one column", shared(optional(), text())),
        (
            "refuse null of one column",
            shared(optional().default(x), text().default(x)),
        ),
        (
            "remove a name of an enum of one column",
            shared(of::<Three>(), of::<Two>()),
        ),
        (
            "make an enum of the text of one column",
            shared(text(), of::<Two>()),
        ),
        (
            "promise fewer names of one column in an enum that is open",
            shared(of::<Three>().read_only(), of::<OpenTwo>().read_only()),
        ),
        ("make one column unique", shared(text(), text().unique())),
        (
            "make one column unique no more",
            shared(text().unique(), text()),
        ),
        (
            "make a set of one table unique",
            declared(same, |it| it.unique(&[&["a", "b"]])),
        ),
        (
            "make a set of one table unique no more",
            declared(|it| it.unique(&[&["a", "b"]]), same),
        ),
    ]
}

/// The two versions, of which the second follows the first.
fn following([old, new]: [ResourceDefinition; 2]) -> [&'static ResourceDefinition; 2] {
    let first = (old.name(), old.collection());
    assert_eq!(first, ("Thing", "things"), "the one that others follow");
    [leaked(old), leaked(new.following::<First>())]
}

#[test]
fn every_rule_is_told_at_each_of_its_places_and_nothing_besides() {
    let mut texts = String::new();
    let mut told = BTreeSet::new();
    for (edit, pair) in breaking() {
        let [old, new] = following(pair);
        let by_compiler = told_by_compiler(old, new);
        let by_build = told_by_build(&[old, new]);
        writeln!(texts, "{edit}").unwrap();
        match (&by_compiler, &*by_build) {
            (Some(text), [other]) if text == other => writeln!(texts, "    {text}").unwrap(),
            _ => {
                let text = by_compiler.as_deref().unwrap_or("compiles");
                writeln!(texts, "    compiler: {text}").unwrap();
                for text in &by_build {
                    writeln!(texts, "    build: {text}").unwrap();
                }
            }
        }
        write_told_by_lock(&mut texts, [old, new], &words(&by_build));
        told.extend(words(&by_build));
        // An approved break is told by neither.
        let approving = approving(old, new);
        assert_eq!(told_by_compiler(old, approving), None, "{edit}");
    }
    assert_golden("rules.txt", &texts);
    let all = Rule::ALL.map(|it| it.entry().word);
    // Tombstones alone tell of a name with another meaning; other tests have validators.
    let untold: Vec<&str> = all.into_iter().filter(|it| !told.contains(*it)).collect();
    assert_eq!(untold, ["validator", "reused", "unvalidated"]);
}

#[path = "../../resource-macros/src/api_resource/model/evolution.rs"]
#[allow(dead_code, reason = "the derive needs the rest")]
mod derived;

#[test]
fn the_derive_takes_each_word_where_messages_ask_for_it() {
    let own = Rule::ALL.map(|rule| {
        let on = rule.entry().on.iter();
        let on: Vec<_> = on.map(|it| format!("{it:?}").to_lowercase()).collect();
        assert_eq!(
            derived::rule_variant(rule.entry().word),
            format!("{rule:?}")
        );
        (rule.entry().word, on.join(" "))
    });
    assert_eq!(
        derived::RULES.map(|(word, on)| (word, on.to_owned())),
        own,
        "`breaks(…)` takes other words than there are rules"
    );
    for (edit, pair) in breaking() {
        for text in told_by_build(&following(pair)) {
            let (_, approval) = text.rsplit_once("write `breaks(").unwrap();
            let (approval, _) = approval.split_once(" = ").unwrap();
            let places: &[&str] = if approval.ends_with(')') {
                &["struct"]
            } else {
                &["field", "whole"]
            };
            let word = approval.split('(').next().unwrap();
            assert!(derived::rules_on(places).contains(&word), "{edit}: {text}");
        }
    }
}

/// Writes what `api.lock` tells of the older version, published under the number of the newer one, where that is something
/// else than what `build` tells of two.
fn write_told_by_lock(
    texts: &mut String,
    versions: [&'static ResourceDefinition; 2],
    by_build: &[String],
) {
    let [published, now] = versions.map(|it| serving_beside(targets(), &[it]));
    // Some have no validator or owner, without which no service has what they declare; others test those.
    if published.promises().and(now.promises()).is_err() {
        return;
    }
    let told = told_by_lock(published, "2.0", &now);
    if !told.iter().map(|(word, _)| *word).eq(by_build.iter()) {
        let told = told
            .iter()
            .map(|(word, place)| format!("`{place}` [{word}]"));
        let told = told.collect::<Vec<_>>().join(", ");
        let told = if told.is_empty() { "kept" } else { &told };
        writeln!(texts, "    lock: {told}").unwrap();
    }
}

/// The resources to which versions refer.
fn targets() -> ApiBuilder {
    let builder = Api::builder().idempotency_keys(Duration::from_hours(24));
    builder.resource::<Address>().resource::<Person>()
}

#[track_caller]
fn assert_golden(file: &str, text: &str) {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("evolution")
        .join(file);
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        std::fs::write(path, text).unwrap();
        return;
    }
    let golden = std::fs::read_to_string(path).unwrap_or_default();
    for (golden, line) in golden.lines().zip(text.lines()) {
        assert_eq!(line, golden, "run this test with `UPDATE_GOLDEN=1`");
    }
    assert_eq!(text.lines().count(), golden.lines().count());
}

#[test]
fn edits_that_keep_the_promise_are_not_told() {
    let read_only = |it: ResourceDefinition| it.operations(&[Operation::List, Operation::Retrieve]);
    let both = |pair: [ResourceDefinition; 2], of: fn(ResourceDefinition) -> ResourceDefinition| {
        pair.map(of)
    };
    let deprecated = text().deprecated(const { &Deprecation::new("2027-01-01") });
    let collection =
        |it: ResourceDefinition| it.collections(const { &[Collection::of::<Address>("all", 0)] });
    let cases: Vec<[ResourceDefinition; 2]> = vec![
        shared(text(), text().description("Other words.")),
        shared(text().max_length(50), text().max_length(50).index()),
        apart(text(), text().default(x)),
        apart(text().unique(), text()),
        apart(text().write_only(), text()),
        apart(
            text().write_only().max_length(50),
            text().write_only().max_length(80),
        ),
        apart(
            text().read_only().max_length(80),
            text().read_only().max_length(50),
        ),
        shared(of::<OpenTwo>(), of::<Three>()),
        shared(
            text().read_only().max_length(80),
            text().read_only().max_length(50).truncate(),
        ),
        apart(text().read_scope(&BOTH), text().read_scope(&B)),
        apart(text().read_scope(&AB), text()),
        apart(text().redacted(), text()),
        [with(&[deprecated]), then(&[])],
        [with(&[]), then(&[optional()])],
        [with(&[]), then(&[text().default(x)])],
        // Nobody sends what the service or the database sets.
        [with(&[]), then(&[of::<i64>().revision()])],
        [with(&[]), then(&[text().read_only()]).table("others")],
        [with(&[]), then(&[text().computed()])],
        [with(&[]), then(&[text().owner()])],
        // Nobody sends anything.
        both([with(&[]), then(&[text()])], read_only),
        both(
            apart(text().max_length(80), text().max_length(50)),
            read_only,
        ),
        both(apart(of::<Three>(), of::<Two>()), read_only),
        both(apart(of::<i64>(), of::<i32>()), read_only),
        both(apart(optional(), text()), read_only),
        [
            read_only(with(&[optional()])),
            then(&[text()]).table("others"),
        ],
        [
            with(&[text()]),
            then(&[]).attributes(vec![text(), id()].leak()),
        ],
        declared(same, collection),
        declared(same, |it| it.allow_all().max_limit(2000)),
        // The default of the service.
        declared(same, |it| it.default_limit(10)),
    ];
    for [old, new] in cases {
        let [old, new] = following([old, new]);
        assert_eq!(told_by_compiler(old, new), None, "{old:?}\n{new:?}");
        assert_eq!(told_by_build(&[old, new]), [""; 0], "{old:?}\n{new:?}");
    }
}

#[test]
fn withdrawn_bodies_are_told_once() {
    let [old, new] = shared(optional().max_length(80), text().max_length(50).read_only());
    let new = new.operations(&[Operation::List, Operation::Retrieve]);
    let [old, new] = following([old, new]);
    let told = told_by_build(&[old, new]);
    // The promise of shorter texts is one about answers.
    assert_eq!(
        words(&told),
        ["old_items", "withdrawn", "withdrawn", "withdrawn"],
        "{told:?}"
    );
}

/// Whatever else is approved, what code could not read of stored items is told, and nothing besides.
#[test]
fn items_that_do_not_fit_are_told_whatever_else_is_approved() {
    let all = [
        text(),
        optional(),
        optional().default(x),
        of::<Two>(),
        of::<Three>(),
        of::<Option<Three>>(),
        of::<OpenTwo>(),
    ];
    let kept: [fn(Attribute) -> Attribute; 3] =
        [|it| it, Attribute::read_only, Attribute::write_only];
    let fits = |old: &Attribute, new: &Attribute| {
        let mut names = old.names().iter();
        let are_known = !old.names().is_empty() && names.all(|it| new.names().contains(it));
        (new.is_nullable() || !old.is_nullable()) && (new.names().is_empty() || are_known)
    };
    let hidden = |it: &Attribute| it.is_write_only();
    for (before, now) in all
        .iter()
        .flat_map(|one| all.iter().map(move |other| (one, other)))
    {
        for (old, new) in kept
            .iter()
            .flat_map(|of| kept.map(|other| (of(*before), other(*now))))
        {
            if hidden(&old) != hidden(&new) {
                continue;
            }
            let [old_version, new_version] = following(shared(old, new));
            let approving = approving(old_version, new_version);
            let mut attributes = approving.all_attributes().to_vec();
            for attribute in &mut attributes {
                let others = attribute.approvals().iter().copied();
                let others: Vec<_> = others.filter(|it| it.rule != Rule::OldItems).collect();
                *attribute = attribute.breaks(others.leak());
            }
            let approving = leaked(approving.attributes(attributes.leak()));
            let told = words(&told_by_build(&[old_version, approving]));
            let expected = if fits(&old, &new) {
                &[][..]
            } else {
                &["old_items"]
            };
            assert_eq!(told, expected, "{old:?}\n{new:?}");
        }
    }
}

#[test]
fn approvals_that_nothing_needs_are_told() {
    const REASON: &str = "clients wrap long lines";
    let approval = |rule| Approval {
        rule,
        places: &[],
        reason: REASON,
    };
    for rule in [
        Rule::Kind,
        Rule::Default,
        Rule::ReadWidening,
        Rule::OldItems,
        Rule::SharedConstraint,
    ] {
        let approvals = vec![approval(rule)].leak();
        let [old, new] = following(shared(text(), text().breaks(approvals)));
        let expected = format!(
            "nothing in `{}` breaks `{}`, which it approves because of {REASON:?}; remove that `breaks(…)`",
            std::any::type_name::<First>(),
            rule.entry().word,
        );
        assert_eq!(told_by_build(&[old, new]), [expected]);
    }
    for (rule, expected) in [
        (
            Rule::Tighter,
            "nothing here breaks `tighter` of 1.0; remove this approval",
        ),
        (
            Rule::Removed,
            "nothing here breaks `removed` of 1.0; remove this approval",
        ),
    ] {
        let [old, new] = following(shared(text(), text()));
        let told = std::panic::catch_unwind(|| {
            let versions = Versions::between(old, new);
            match rule {
                Rule::Removed => versions.needs_for(rule, "a"),
                _ => versions.needs(1, rule),
            }
        });
        assert_eq!(*told.unwrap_err().downcast::<String>().unwrap(), expected);
    }
}

#[test]
fn older_version_is_one_that_is_older() {
    let (old, new) = (leaked(with(&[])), leaked(with(&[])));
    let told = told_by_compiler(old, new).unwrap();
    assert_eq!(
        told,
        "this version is 1.0, and the one that it follows is 1.0; name an older one"
    );
}

#[test]
fn a_new_validator_is_hinted_at_unless_that_is_approved() {
    #[derive(Default)]
    struct Strict;
    impl Validator<Validated> for Strict {}

    #[derive(ApiResource)]
    #[resource(name = "Thing", url = "/things", version = "2.0", follows = First, validator = Strict)]
    struct Validated {
        id: i64,
    }

    let (old, new) = (First::DEFINITION, Validated::DEFINITION);
    assert_eq!(told_by_build(&[old, new]), [""; 0]);
    let hint = "a validator checks items, in 1.0 none does; see that it refuses nothing that 1.0 takes, or write \
                `breaks(validator = \"<why>\")`";
    let told = hints(&[old, new]);
    assert!(told[0].ends_with(hint) && told.len() == 1, "{told:?}");
    let approval = Approval {
        rule: Rule::Validator,
        places: &[],
        reason: "a test",
    };
    let approving = leaked(new.breaks(vec![approval].leak()));
    assert_eq!(hints(&[old, approving]), [""; 0]);
}

#[test]
fn a_version_without_the_validator_of_the_one_on_its_table_needs_an_approval() {
    #[derive(Default)]
    struct Strict;
    impl Validator<Validated> for Strict {}

    #[derive(ApiResource)]
    #[resource(name = "Thing", url = "/things", version = "1.0", validator = Strict)]
    struct Validated {
        id: i64,
    }

    #[derive(ApiResource)]
    #[resource(name = "Thing", url = "/things", version = "2.0", follows = Validated)]
    struct Open {
        id: i64,
    }

    #[derive(ApiResource)]
    #[resource(name = "Thing", url = "/things", version = "2.0", follows = Validated, operations(list, delete))]
    #[resource(breaks(withdrawn(retrieve, create, update) = "a test"))]
    struct ReadOnly {
        id: i64,
    }

    #[derive(ApiResource)]
    #[resource(name = "Thing", url = "/things", version = "2.0", follows = Validated, table = "other")]
    struct Elsewhere {
        id: i64,
    }

    let old = Validated::DEFINITION;
    let told = told_by_build(&[old, Open::DEFINITION]);
    let expected = "a validator checks items in 1.0, none does here, and both write one table; give it a `validator`, which \
                    may call the functions of the older one, or write `breaks(unvalidated = \"<why>\")`";
    assert!(told.len() == 1 && told[0].ends_with(expected), "{told:?}");
    let approval = Approval {
        rule: Rule::Unvalidated,
        places: &[],
        reason: "a test",
    };
    let approvals: &'static [Approval] = vec![approval].leak();
    assert_eq!(
        told_by_build(&[old, leaked(Open::DEFINITION.breaks(approvals))]),
        [""; 0]
    );
    for definition in [ReadOnly::DEFINITION, Elsewhere::DEFINITION] {
        assert_eq!(told_by_build(&[old, definition]), [""; 0]);
    }
    let superfluous = told_by_build(&[old, leaked(Elsewhere::DEFINITION.breaks(approvals))]);
    assert!(
        superfluous[0].contains("breaks `unvalidated`"),
        "{superfluous:?}"
    );
    // One may be registered with the struct, too.
    let registered = Registration::of::<Open>().with_validator(old.make_validator().unwrap());
    assert_eq!(
        problems_of(&[Registration::of::<Validated>(), registered]),
        [""; 0]
    );
}

#[test]
fn versions_that_nothing_compares_are_hinted_at() {
    let new = leaked(then(&[]));
    let hints = hints(&[leaked(with(&[])), new]);
    assert_eq!(hints.len(), 1, "{hints:?}");
    assert!(hints[0].contains("write `follows = …`"), "{hints:?}");
}
