//! Tests of the file: all facts return from it as they were, and mistakes are told with their lines.

use std::collections::BTreeMap;

use proptest::prelude::*;
use proptest::sample::{select, subsequence};
use resource_model::schema::evolution::{Flag, Flags, LIMITS, Rule};
use resource_model::schema::{Bound, Kind, Operation, Version};

use crate::compare::broken;
use crate::lock::Lock;
use crate::promise::{
    ASSIGNED, COMPUTED, Deprecation, Member, Needs, Promise, ROLES, SHOWN, SIZES, Values,
};
use crate::write::written_flags;

/// A text with whatever a reader could stumble over.
fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        "[a-z_]{1,8}",
        "[a-z\"'\\\\ =.#{}\u{7f}\u{1}äß\n\t]{1,6}",
        Just(String::from("any")),
        Just(String::from("{}")),
    ]
}

fn needs() -> impl Strategy<Value = Option<Needs>> {
    let scopes = prop::collection::vec("[a-z.:]{1,5}", 1..3);
    prop::option::of(
        (any::<bool>(), scopes).prop_map(|(are_all_needed, scopes)| Needs {
            are_all_needed,
            scopes,
        }),
    )
}

fn bound() -> impl Strategy<Value = Option<Bound>> {
    let real = any::<f64>().prop_filter("a bound is finite", |it| it.is_finite());
    prop::option::of(prop_oneof![
        any::<i64>().prop_map(Bound::Integer),
        real.prop_map(Bound::Real),
    ])
}

fn values() -> impl Strategy<Value = Values> {
    let limits = prop::collection::vec(bound(), LIMITS.len());
    let names = prop::collection::vec(text(), 0..3);
    (any::<bool>(), names, limits).prop_map(|(is_nullable, names, limits)| Values {
        is_nullable,
        names,
        limits: limits.try_into().unwrap(),
    })
}

/// The flags of a member, or of a version, of which sets of attributes are `unique`, and not it.
fn flags(is_of_version: bool) -> impl Strategy<Value = Flags> {
    let all = written_flags().filter(|it| !is_of_version || *it != Flag::Unique);
    let all: Vec<Flag> = all.collect();
    let length = all.len();
    subsequence(all, 0..=length).prop_map(|flags| {
        let flags = flags.into_iter();
        flags.fold(Flags::default(), |all, flag| all.and(flag, true))
    })
}

fn deprecation() -> impl Strategy<Value = Deprecation> {
    let parts = prop::option::of((text(), prop::option::of(text()), prop::option::of(text())));
    parts.prop_map(|parts| match parts {
        None => Deprecation::default(),
        Some((since, sunset, instead)) => Deprecation {
            since: Some(since),
            sunset,
            instead,
        },
    })
}

fn attribute() -> impl Strategy<Value = Member> {
    const KINDS: [&str; 7] = ["bool", "i16", "i64", "f32", "decimal", "text", "json"];
    let kind = select(&KINDS[..]).prop_map(|it| Kind::named(it).unwrap());
    let default = prop::option::of(prop_oneof![
        Just(COMPUTED.to_owned()),
        text().prop_map(|it| serde_json::Value::from(it).to_string()),
        any::<i64>().prop_map(|it| it.to_string()),
    ]);
    let target = prop_oneof![Just(String::new()), text()];
    let access = (needs(), needs());
    let shape = (0..SHOWN, kind, values(), any::<[bool; 3]>(), flags(false));
    (shape, default, access, target, deprecation()).prop_map(
        |((role, kind, accepts, answers, flags), default, scopes, target, deprecation)| Member {
            answers: wider(&accepts, answers),
            accepts,
            flags: flags
                .and(Flag::ReadOnly, role == ASSIGNED)
                .and(Flag::Reference, !target.is_empty())
                .and(Flag::Deprecated, deprecation.since.is_some()),
            default,
            read_scopes: scopes.0,
            write_scopes: scopes.1,
            target,
            deprecation,
            ..Member::new(role, kind)
        },
    )
}

/// Answers with all accepted values, and others where these hold.
fn wider(accepts: &Values, [null, name, limit]: [bool; 3]) -> Values {
    let mut answers = accepts.clone();
    answers.is_nullable |= null;
    if name {
        answers.names.clear();
    }
    if limit {
        answers.limits = [None; LIMITS.len()];
    }
    answers
}

fn member() -> impl Strategy<Value = Member> {
    let keys = prop::collection::vec(text(), 1..3);
    let shown = (SHOWN..ROLES.len(), keys, text()).prop_map(|(role, keys, target)| Member {
        target,
        keys,
        ..Member::shown(role)
    });
    prop_oneof![4 => attribute(), 1 => shown]
}

fn promise() -> impl Strategy<Value = Promise> {
    let members = prop::collection::btree_map(text(), member(), 0..5);
    let operations = subsequence(Operation::ALL.to_vec(), 0..=Operation::ALL.len());
    let access = prop::collection::vec(needs(), Operation::ALL.len());
    let unique = prop::collection::vec(prop::collection::vec(text(), 1..3), 0..3);
    let sizes = prop::collection::vec(any::<u32>(), SIZES.len());
    let rule = select(&Rule::ALL[..]).prop_map(|it| it.entry().word.to_owned());
    let breaks = prop::collection::btree_map((text(), rule.clone()), text(), 0..3);
    let amended = prop::collection::btree_map((text(), text(), rule), text(), 0..3);
    let about = (
        text(),
        any::<(u16, u16)>(),
        prop::option::of(text()),
        deprecation(),
    );
    let lists = (members, operations, unique, sizes);
    let owner = prop::option::of((text(), needs()));
    (
        about,
        lists,
        (access, owner),
        flags(true),
        (breaks, amended),
    )
        .prop_map(
            |(
                about,
                (members, operations, unique, sizes),
                (access, owner),
                flags,
                (breaks, amended),
            )| {
                let (name, (major, minor), retired, deprecation) = about;
                let sizes: Vec<Option<u32>> = sizes.into_iter().map(Some).collect();
                Promise {
                    path: format!("/{name}"),
                    members,
                    operations,
                    access: access.try_into().unwrap(),
                    owner,
                    key: unique.concat(),
                    unique,
                    sizes: sizes.try_into().unwrap(),
                    flags,
                    follows: retired.clone(),
                    deprecation,
                    breaks: breaks
                        .into_iter()
                        .map(|((a, b), it)| ([a, b], it))
                        .collect(),
                    published: String::from("2026-11-22"),
                    retired,
                    amended: amended
                        .into_iter()
                        .map(|((a, b, c), it)| ([a, b, c], it))
                        .collect(),
                    ..Promise::new(&name, Version::new(major, minor))
                }
            },
        )
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
            prop_assert_eq!(format!("{old:?}"), format!("{new:?}"));
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
            "max_size",
            "line 4: `max_size` is not known: a newer `resource-lock`",
        ),
        ("path", "place", "line 5: `place` is not known: a newer"),
        (
            "= 50",
            "= \"50\"",
            "line 4: the value of `max_length` is of another form",
        ),
        (
            "\"text\"",
            "\"ulid\"",
            "line 4: the value of `kind` is of another form",
        ),
        (
            "kind = \"text\", ",
            "",
            "line 4: the attribute has no `kind`; restore the line",
        ),
        (
            "attribute.name",
            "attribute",
            "line 4: it is no line with one fact",
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
            "line 5: `attribute.name` of `Setting` 1.0 stands in line 4, too; two branches have published",
        ),
    ] {
        let mistake = mistake(from, to);
        assert!(mistake.starts_with(expected), "{mistake}");
    }
    assert!(Lock::read(SETTING).is_ok() && Lock::read("").is_ok());
}
