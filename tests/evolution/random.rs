//! Random versions and edits: those that break nothing are not told, each other one is told by its word and nothing else,
//! by the compiler, by `build`, and by `api.lock` where the edit is one of the published version itself.
//!
//! `EVOLUTION_EDITS=10000 cargo test -p resource-tests --test evolution` tries more of them.

use proptest::prelude::RngExt as _;
use proptest::test_runner::TestRng;

use crate::edits::{
    BREAKING, BREAKING_REST, COMPATIBLE, COMPATIBLE_REST, DEFAULTS, Thing, WIDENING, edited,
    in_one_table, numbers,
};
use crate::told::{
    approving, found_by_compiler, leaked, serving, told_by_build, told_by_compiler, told_by_lock,
    words,
};

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

/// A rule that an edit breaks, and its place.
pub(crate) type Broken = (&'static str, &'static str);

/// Asserts that the compiler and `build` tell what these edits break, and nothing else; the lock, too, of each tenth, where
/// not many are tried.
fn assert_told(tried: usize, old: &Thing, new: &Thing, edits: &[Broken]) {
    if tried.is_multiple_of(10) || count() > 1_000 {
        assert_told_by_lock(old, new, edits);
        assert_told_beside(old, new, edits);
    }
    let [before, now] = old.pair(new);
    let mut expected: Vec<Broken> = edits.iter().flat_map(|it| expected(new, *it)).collect();
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
        assert_told(tried, &old, &new, &[]);
    }
}

/// Asserts what is told of a published version that is edited.
pub(crate) fn assert_told_by_lock(old: &Thing, new: &Thing, edits: &[Broken]) {
    let published = leaked(old.definition(1));
    let mut expected: Vec<Broken> = edits.iter().flat_map(|it| of_each(new, *it)).collect();
    // Of one version, an announcement to go ends nothing.
    expected.extend(old.announced_and_gone(new).map(|name| ("removed", name)));
    // Nor does the file know columns, by which one attribute is another one under a new name.
    expected.extend(
        new.requires_another_name()
            .map(|name| ("required_new", name)),
    );
    expected.sort_unstable();
    let now = serving(&[leaked(new.definition(1))]);
    let told = told_by_lock(serving(&[published]), "1.0", &now);
    assert_eq!(told, expected, "by the lock: {old:#?}\n{new:#?}");
}

/// Asserts what is told of a published version that stays, beside which the edited one stands in the same table: what its
/// clients read.
fn assert_told_beside(old: &Thing, new: &Thing, edits: &[Broken]) {
    let all = [leaked(old.definition(1)), leaked(new.definition(2))];
    // No column holds values of two kinds.
    if old.table != new.table || serving(&all).promises().is_err() {
        return;
    }
    let of_table = edits.iter().flat_map(|it| expected(new, *it));
    let mut expected: Vec<Broken> = of_table.filter(|it| it.0 == "read_widening").collect();
    expected.sort_unstable();
    let mut told = told_by_lock(serving(&all[..1]), "1.0", &serving(&all));
    // Another kind may have no limits, which `build` tells as the other kind alone.
    told.retain(|(_, place)| !edits.contains(&("kind", place)));
    assert_eq!(
        told, expected,
        "beside the other: {edits:?} {old:?}\n{new:?}"
    );
}

/// The rules that an edit breaks, by the tables of the versions.
fn expected(thing: &Thing, (word, place): Broken) -> Vec<Broken> {
    if thing.promises_more(word, place) {
        return vec![(word, place), ("old_items", place)];
    }
    let word = if thing.table == "things" {
        in_one_table(word)
    } else {
        word
    };
    of_each(thing, (word, place))
}

/// The rule and its place, or each of them.
fn of_each(thing: &Thing, (word, place): Broken) -> Vec<Broken> {
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
    let mut tried = 0;
    while tried < wanted {
        let (old, mut new) = pair(&mut random);
        let Some((word, place, _)) = edited(&mut new, &edits, &mut random) else {
            continue;
        };
        tried += 1;
        let first = expected(&new, (word, place))[0].0;
        *told.entry(first).or_insert(0) += 1;
        assert_told(tried, &old, &new, &[(word, place)]);
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
        assert_told(tried, &old, &new, &[(word, name), (other, other_name)]);
        tried += 1;
    }
}
