//! Random versions and edits: those that break nothing are not told, each other one is told by its word and nothing else,
//! by the compiler and by `build` alike.
//!
//! `EVOLUTION_EDITS=10000 cargo test -p resource-tests --test evolution` tries more of them.

use proptest::prelude::RngExt as _;
use proptest::test_runner::TestRng;

use crate::edits::{
    BREAKING, BREAKING_REST, COMPATIBLE, COMPATIBLE_REST, DEFAULTS, Thing, WIDENING, edited,
    in_one_table, numbers,
};
use crate::told::{approving, found_by_compiler, told_by_build, told_by_compiler, words};

/// The number of edits of each kind in the gate.
fn count() -> usize {
    std::env::var("EVOLUTION_EDITS").map_or(1_000, |it| it.parse().expect("a number"))
}

/// A version, and another one of the same table or of one of its own.
fn pair(random: &mut TestRng) -> (Thing, Thing) {
    let old = Thing::random(random);
    let mut new = old.clone();
    if random.random_bool(0.5) {
        new.table = "others";
    }
    (old, new)
}

/// Asserts that the compiler and `build` tell these rules and places, and nothing else.
fn assert_told(old: &Thing, new: &Thing, mut expected: Vec<(&'static str, &'static str)>) {
    let [before, now] = old.pair(new);
    expected.sort_unstable();
    let by_build = words(&told_by_build(&[before, now]));
    let all: Vec<&str> = expected.iter().map(|(word, _)| *word).collect();
    assert_eq!(by_build, all, "by `build`: {old:#?}\n{new:#?}");
    // The values of defaults are not known to the compiler, which sees one where none was.
    let is_seen = |name: &str| {
        let default = |of: &'static resource_model::schema::ResourceDefinition| {
            of.find(name).is_some_and(|(_, it)| it.has_default())
        };
        default(before) != default(now)
    };
    expected.retain(|(word, place)| *word != "default" || is_seen(place));
    let found = found_by_compiler(before, now);
    let mut by_compiler: Vec<_> = found
        .iter()
        .map(|(_, rule, place)| (rule.entry().word, &**place))
        .collect();
    by_compiler.sort_unstable();
    assert_eq!(by_compiler, expected, "by the compiler: {old:#?}\n{new:#?}");
    let approving = approving(before, now);
    assert_eq!(
        told_by_compiler(before, approving),
        None,
        "{old:#?}\n{new:#?}"
    );
}

#[test]
fn compatible_edits_are_not_told() {
    let mut random = numbers(1);
    let (mut tried, wanted) = (0, count());
    let edits: Vec<_> = COMPATIBLE.into_iter().chain(COMPATIBLE_REST).collect();
    while tried < wanted {
        let (old, mut new) = pair(&mut random);
        // Several of them break no more than one.
        for number in 0..random.random_range(1..4) {
            let edits = &edits[number.min(1)..];
            tried += usize::from(edited(&mut new, edits, &mut random).is_some());
        }
        assert_told(&old, &new, Vec::new());
    }
}

/// The rules that an edit breaks, by the tables of the versions.
fn expected(
    thing: &Thing,
    (word, place): (&'static str, &'static str),
) -> Vec<(&'static str, &'static str)> {
    let word = if thing.table == "things" {
        in_one_table(word)
    } else {
        word
    };
    if (word, place) == ("access", "list") {
        // Each operation is told by itself.
        let names = thing.offered();
        return names.into_iter().map(|name| (word, name)).collect();
    }
    vec![(word, place)]
}

#[test]
fn breaking_edits_are_told_by_their_word_and_nothing_else() {
    let mut random = numbers(2);
    let (mut told, wanted) = (std::collections::BTreeMap::new(), count());
    let groups = [&BREAKING[..], &WIDENING, &DEFAULTS, &BREAKING_REST];
    let edits: Vec<_> = groups.concat();
    while told.values().sum::<usize>() < wanted {
        let (old, mut new) = pair(&mut random);
        let Some((word, place, _)) = edited(&mut new, &edits, &mut random) else {
            continue;
        };
        let expected = expected(&new, (word, place));
        *told.entry(expected[0].0).or_insert(0) += 1;
        assert_told(&old, &new, expected);
    }
    println!("{told:?}");
    assert!(told.len() > 20, "{told:?}");
}

#[test]
fn two_edits_are_both_told() {
    let mut random = numbers(3);
    let (mut tried, wanted) = (0, count());
    let of_fields = [&BREAKING[..], &WIDENING, &DEFAULTS].concat();
    // A field that is gone cannot be changed, nor one that moves.
    let rest: Vec<_> = BREAKING_REST
        .into_iter()
        .filter(|(word, _)| !["removed", "required_new", "constraint"].contains(word))
        .collect();
    while tried < wanted {
        let (old, mut new) = pair(&mut random);
        let Some((word, name, place)) = edited(&mut new, &of_fields, &mut random) else {
            continue;
        };
        let edits = if random.random_bool(0.5) {
            &of_fields
        } else {
            &rest
        };
        let Some((other, other_name, other_place)) = edited(&mut new, edits, &mut random) else {
            continue;
        };
        let is_of_field = edits.len() == of_fields.len();
        if is_of_field && other_place == place || other == "withdrawn" {
            continue;
        }
        let mut all = expected(&new, (word, name));
        all.extend(expected(&new, (other, other_name)));
        assert_told(&old, &new, all);
        tried += 1;
    }
}
