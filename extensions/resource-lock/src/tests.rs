//! Tests of the file: all facts return from it as they were, and mistakes are told with their lines.

use std::collections::BTreeMap;

use proptest::collection::{btree_map, vec};
use proptest::option;
use proptest::prelude::*;
use proptest::sample::{select, subsequence};
use resource_model::schema::evolution::{Flag, LIMITS, Rule};
use resource_model::schema::{Operation, Version};
use serde::Serialize;
use toml::{Table, Value};

use crate::compare::broken;
use crate::lock::Lock;
use crate::promise::{
    ANY, COMPUTED, Member, Needs, Owner, Promise, ROLES, SIZES, Shown, written_flags,
};

/// A text with whatever a reader could stumble over.
fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        "[a-z_]{1,8}",
        "[a-z\"'\\\\ =.#{}\u{7f}\u{1}äß\n\t]{1,6}",
        Just(ANY.to_owned()),
        Just(String::from("{}")),
    ]
}

fn day() -> impl Strategy<Value = String> {
    (2026..2030, 1..13, 1..29).prop_map(|(year, month, day)| format!("{year}-{month:02}-{day:02}"))
}

fn needs() -> impl Strategy<Value = Needs> {
    let needs = (any::<bool>(), vec("[a-z.:]{1,5}", 1..3));
    needs.prop_map(|(are_all_needed, scopes)| Needs {
        are_all_needed,
        scopes,
    })
}

/// Some of these words with a value each.
fn some_of(
    words: Vec<&'static str>,
    value: impl Strategy<Value = Value> + Clone,
) -> impl Strategy<Value = Table> {
    let length = words.len();
    let words = subsequence(words, 0..=length);
    words.prop_flat_map(move |words| {
        let values = vec(value.clone(), words.len());
        values.prop_map(move |values| {
            let words = words.iter().map(|it| (*it).to_owned());
            words.zip(values).collect()
        })
    })
}

fn limits() -> impl Strategy<Value = Table> {
    let real = any::<f64>().prop_filter("a limit is finite", |it| it.is_finite());
    let limit = prop_oneof![
        any::<i64>().prop_map(Value::from),
        real.prop_map(Value::from)
    ];
    some_of(LIMITS.map(|(word, _, _)| word).to_vec(), limit)
}

/// The flags of a member, or of a version, of which sets of attributes are `unique`, and not it.
fn flags(is_of_version: bool) -> impl Strategy<Value = Table> {
    let flags = written_flags().filter(|it| !is_of_version || *it != Flag::Unique);
    some_of(flags.map(Flag::word).collect(), Just(Value::from(true)))
}

/// Answers with all accepted values, and perhaps others.
fn answers() -> impl Strategy<Value = Table> {
    let words = [&["names"][..], &LIMITS.map(|(word, _, _)| word)].concat();
    some_of(words, Just(Value::from(ANY)))
}

fn attribute() -> impl Strategy<Value = Member> {
    let kind = select(&["bool", "i16", "i64", "f32", "decimal", "text", "json"][..]);
    let default = prop_oneof![
        Just(COMPUTED.to_owned()),
        text().prop_map(|it| serde_json::Value::from(it).to_string()),
        any::<i64>().prop_map(|it| it.to_string()),
    ];
    let roles = ROLES.map(|(_, word)| Some(word.to_owned()).filter(|it| !it.is_empty()));
    let shape = (
        kind,
        select(roles.to_vec()),
        any::<bool>(),
        vec(text(), 0..3),
    );
    let access = (option::of(needs()), option::of(needs()));
    let days = (option::of(day()), option::of(day()), option::of(text()));
    let rest = (option::of(default), option::of(text()), access, days);
    (shape, limits(), flags(false), answers(), rest).prop_map(
        |(shape, limits, flags, answers, rest)| {
            let ((kind, key, null, names), (default, references, scopes, days)) = (shape, rest);
            // The names of an enum are its limits.
            let limits = if names.is_empty() {
                limits
            } else {
                Table::new()
            };
            Member {
                kind: kind.to_owned(),
                key,
                null,
                names,
                limits: limits.into_iter().chain(flags).collect(),
                default,
                read_scope: scopes.0,
                write_scope: scopes.1,
                references,
                deprecated: days.0,
                sunset: days.1,
                instead: days.2,
                answers,
                widened_because: None,
            }
        },
    )
}

fn shown(names: &'static str) -> impl Strategy<Value = BTreeMap<String, Shown>> {
    let shown = (vec(text(), 1..3), text()).prop_map(|(keys, shows)| Shown { keys, shows });
    btree_map(names, shown, 0..2)
}

/// Reasons by place and rule.
fn reasons(least: usize) -> impl Strategy<Value = BTreeMap<String, BTreeMap<String, String>>> {
    let rule = select(&Rule::ALL[..]).prop_map(|it| it.entry().word.to_owned());
    btree_map(text(), btree_map(rule, text(), 1..3), least..3)
}

fn promise() -> impl Strategy<Value = Promise> {
    let names: Vec<String> = Operation::ALL
        .iter()
        .map(|it| it.name().to_owned())
        .collect();
    let access = btree_map(select(names.clone()), needs(), 0..3);
    let page = btree_map(
        select(SIZES.map(|(word, _, _)| word.to_owned()).to_vec()),
        any::<u32>(),
        0..4,
    );
    let owner = option::of((text(), option::of(needs())));
    let owner = owner.prop_map(|it| it.map(|(claim, bypass)| Owner { claim, bypass }));
    let breaks = reasons(0);
    let amended = btree_map(day(), reasons(1), 0..2);
    let operations = subsequence(names, 0..=Operation::ALL.len());
    let about = (
        text(),
        any::<(u16, u16)>(),
        option::of(day()),
        option::of(day()),
    );
    let lists = (
        operations,
        access,
        owner,
        vec(text(), 0..3),
        vec(vec(text(), 1..3), 0..3),
        page,
    );
    let members = (
        btree_map("[abk\"]{1,3}", attribute(), 0..4),
        shown("s[a-z]"),
        shown("c[a-z]"),
    );
    (about, lists, members, (breaks, amended), flags(true)).prop_map(
        |(about, lists, members, whys, flags)| {
            let (name, (major, minor), retired, deprecated) = about;
            let (operations, access, owner, key, unique, page) = lists;
            Promise {
                path: format!("/{name}"),
                published: String::from("2026-11-22"),
                follows: retired.clone(),
                sunset: deprecated.clone(),
                name,
                version: Version::new(major, minor),
                retired,
                operations,
                access,
                owner,
                key,
                unique,
                page,
                deprecated,
                attribute: members.0,
                subresource: members.1,
                collection: members.2,
                breaks: whys.0,
                amended: whys.1,
                flags,
            }
        },
    )
}

fn assert_known(facts: &impl Serialize, keys: &'static str) {
    let limits = LIMITS.map(|(word, _, _)| word);
    let words = written_flags().map(Flag::word).chain(limits);
    let known: Vec<_> = words.chain(keys.split(' ')).collect();
    for key in Table::try_from(facts).unwrap().keys() {
        assert!(known.contains(&&**key), "{key}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn all_facts_return_from_the_file_as_they_were(promises in prop::collection::vec(promise(), 1..4)) {
        let versions: BTreeMap<_, _> = promises.into_iter().map(|it| (it.place(), it)).collect();
        let lock = Lock { versions };
        let text = lock.text();
        let read = Lock::read(&text).map_err(|mistake| TestCaseError::fail(format!("{mistake}\n{text}")))?;
        prop_assert_eq!(&read.text(), &text);
        for (key, old) in &lock.versions {
            let new = &read.versions[key];
            for (one, other) in [(old, new), (new, old)] {
                let told = broken(one, other);
                prop_assert!(told.is_empty(), "{:?}", told);
            }
            prop_assert_eq!(old, new);
            // The keys that are suggested for a mistaken one are all that are written.
            assert_known(old, Promise::KEYS);
            old.attribute.values().for_each(|it| assert_known(it, Member::KEYS));
        }
        // Lines have no order of their own.
        let mut lines: Vec<&str> = text.lines().collect();
        lines.reverse();
        prop_assert_eq!(Lock::read(&lines.join("\n")).unwrap().text(), text);
    }
}

const SETTING: &str = "\
# What published versions promise.
lock = 1
semantics = 1
Setting.\"1.0\".attribute.name = { kind = \"text\", max_length = 50, required = true }
Setting.\"1.0\".path = \"/api/1.0/settings\"
Setting.\"1.0\".published = \"2026-11-22\"
";

#[test]
fn mistakes_are_told_with_their_lines() {
    let mistake = |from: &str, to: &str| {
        assert!(SETTING.contains(from), "{from}");
        Lock::read(&SETTING.replace(from, to)).unwrap_err()
    };
    let name =
        "Setting.\"1.0\".attribute.name = { kind = \"text\", max_length = 50, required = true }\n";
    for (from, to, expected) in [
        (
            "max_length",
            "weight",
            "line 4: `weight` is not known; a newer `resource-lock`",
        ),
        ("path", "colour", "line 5: `colour` is not known; a newer"),
        (
            "max_length",
            "max_lenght",
            "line 4: `max_lenght` is not known; did you mean `max_length`? If not, a newer `resource-lock` has written it",
        ),
        (
            "kind",
            "kin",
            "line 4: `kin` is not known; did you mean `kind`?",
        ),
        (
            "published",
            "publised",
            "line 6: `publised` is not known; did you mean `published`?",
        ),
        (
            "2026-11-22",
            "yesterday",
            "line 6: `yesterday` is no day; write one like `2026-12-03`, or restore the line",
        ),
        (
            "= 50",
            "= \"50\"",
            "line 4: `max_length` is \"50\", and takes a number; restore the line from the history",
        ),
        (
            "required = true",
            "required = 1",
            "line 4: `required` is 1, and takes `true` or `false`; restore",
        ),
        (
            "\"/api/1.0/settings\"",
            "7",
            "line 5: invalid type: integer `7`, expected a string in `path`; restore the line",
        ),
        (
            "\"text\"",
            "\"ulid\"",
            "line 4: `ulid` is not known; a newer",
        ),
        (
            "kind = \"text\", ",
            "",
            "line 4: the attribute has no `kind`; restore the line",
        ),
        (
            "attribute.name",
            "attribute",
            "line 4: invalid type: string",
        ),
        (
            "semantics = 1",
            "semantics = 2",
            "line 3: `semantics` is 2, and this package knows 1",
        ),
        ("lock = 1", "lock = 2", "line 2: `lock` is 2"),
        (
            "Setting.\"1.0\".path",
            "Setting.\"1\".path",
            "line 5: `1` is no version; write one like",
        ),
        ("# What", "<<<<<<< ours\n# What", "line 1: "),
        (
            "Setting.\"1.0\".path = \"/api/1.0/settings\"\n",
            "",
            "`Setting` 1.0 has no line `path`; restore the lines",
        ),
        (
            "semantics = 1\n",
            &format!("semantics = 1\n{}", name.replace("50", "80")),
            "line 5: `Setting.1.0.attribute.name` stands in line 4, too; two branches have changed it, so keep one",
        ),
    ] {
        let mistake = mistake(from, to);
        assert!(mistake.starts_with(expected), "{mistake}");
    }
    assert!(Lock::read(SETTING).is_ok() && Lock::read("").is_ok());
}
