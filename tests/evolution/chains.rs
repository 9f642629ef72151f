//! Several versions of one table: a break is told once, where the version is that brings it.
//!
//! `EVOLUTION_CHAINS=10000 cargo test -p resource-tests --test evolution chains` tries more of them.

use proptest::prelude::RngExt as _;
use resource_model::schema::evolution::{Approval, Rule};
use resource_model::schema::{Attribute, ResourceDefinition};
use resource_runtime::ApiResource;

use crate::edits::{OpenTwo, Three, Two, numbers};
use crate::told::{First, approving, leaked, told_by_build, version, words};

/// The second version, which follows the first.
#[derive(ApiResource)]
#[resource(name = "Thing", url = "/things", version = "2.0", follows = First)]
struct Second {
    id: i64,
    name: Option<String>,
}

/// One that follows another table's.
#[derive(ApiResource)]
#[resource(name = "Thing", url = "/things", version = "2.0", table = "others", follows = First)]
struct SecondApart {
    id: i64,
    name: Option<String>,
}

/// The first version with its column, for which others are held back.
#[derive(ApiResource)]
#[resource(name = "Thing", url = "/things", version = "1.0")]
struct FirstNamed {
    id: i64,
    #[resource(max_length = 50)]
    name: String,
}

fn thing(major: u16, name: Option<u32>) -> ResourceDefinition {
    let id = Attribute::of::<i64>("id").primary_key();
    let name = name.map(|it| {
        Attribute::of::<String>("name")
            .default(|| resource_model::Value::Text(String::from("x")))
            .max_length(it)
    });
    let attributes: Vec<_> = [Some(id), name].into_iter().flatten().collect();
    version(major).attributes(attributes.leak())
}

/// A version with this attribute beside the key.
fn of(major: u16, name: Attribute) -> ResourceDefinition {
    let id = Attribute::of::<i64>("id").primary_key();
    version(major).attributes(vec![id, name].leak())
}

fn text(max_length: u32) -> Attribute {
    Attribute::of::<String>("name").max_length(max_length)
}

/// Three versions, of which each follows the one before.
fn chain([first, second, third]: [Attribute; 3]) -> [ResourceDefinition; 3] {
    let second = of(2, second).following::<First>();
    [of(1, first), second, of(3, third).following::<Second>()]
}

fn told(versions: [ResourceDefinition; 3]) -> Vec<String> {
    words(&told_by_build(&versions.map(leaked)))
}

#[test]
fn a_break_is_told_at_the_version_that_brings_it() {
    let first = thing(1, Some(50));
    let second = |of: ResourceDefinition| of.following::<First>();
    let third = |of: ResourceDefinition| of.following::<Second>();
    // The third stores what the second stores.
    let wider = [first, second(thing(2, Some(80))), third(thing(3, Some(80)))];
    assert_eq!(told(wider), ["read_widening"]);
    // The third stores more than the second, for which it is told about both.
    let widest = [first, second(thing(2, Some(50))), third(thing(3, Some(80)))];
    assert_eq!(told(widest), ["read_widening"]);
}

#[test]
fn an_attribute_that_comes_back_is_compared_with_the_version_that_had_it() {
    let second = thing(2, None).following::<First>();
    let third = thing(3, Some(80)).following::<SecondApart>();
    let back = [thing(1, Some(50)), second, third];
    assert_eq!(told(back), ["read_widening", "removed"]);
}

#[test]
fn a_table_that_comes_back_is_compared_with_its_version() {
    let second = thing(2, Some(80)).table("others").following::<First>();
    let third = thing(3, Some(80)).following::<SecondApart>();
    let back = [thing(1, Some(50)), second, third];
    assert_eq!(told(back), ["read_widening", "wider"]);
}

#[test]
fn siblings_that_follow_one_version_are_compared_about_their_table() {
    let first = thing(1, None);
    let siblings = [
        first,
        thing(2, Some(50)).following::<First>(),
        thing(3, Some(80)).following::<First>(),
    ];
    assert_eq!(told(siblings), ["read_widening"]);
}

/// A change that the version in between does not see, by its own declaration, is told about the first one.
#[test]
fn what_the_version_in_between_does_not_see_is_told() {
    let open = Attribute::of::<OpenTwo>("name");
    let closed = || Attribute::of::<Two>("name");
    let three = Attribute::of::<Three>("name");
    // The second tells that its own clients are to expect other names, and the third stores one.
    let opened = [closed(), open, three];
    assert_eq!(told(chain(opened)), ["name_added", "read_widening"]);
    let cut = [text(50), text(50).truncate(), text(80)];
    assert_eq!(told(chain(cut)), ["read_widening"]);
    let held = text(60).held_back_for::<FirstNamed>();
    assert_eq!(told(chain([text(50), held, text(60)])), ["read_widening"]);
    // The second stores 60, which the first reads; the third 80, of which the second tells 60.
    let wider = [text(50), text(60).truncate(), text(80)];
    assert_eq!(told(chain(wider)), ["read_widening", "read_widening"]);
}

/// One that is held back for a version which is gone is held back for nobody.
#[test]
fn held_limits_are_those_that_hold() {
    let held = text(80).held_back_for::<SecondApproving>();
    let all = chain([text(50), text(60), held]).map(leaked);
    let [first, second, third] = all;
    let approving = approving(first, second);
    assert_eq!(told_by_build(&[first, approving, third]), [""; 0]);
    let third = leaked(third.following::<SecondApproving>());
    assert_eq!(words(&told_by_build(&[first, third])), ["read_widening"]);
}

#[test]
fn a_version_that_is_registered_no_longer_has_told_what_it_approved() {
    let [first, second, third] = chain([text(50), text(60), text(60)]).map(leaked);
    let approving = approving(first, second);
    assert_eq!(told_by_build(&[first, approving, third]), [""; 0]);
    // No definition at run time follows it, so that its struct stands for it.
    let third = leaked(third.following::<SecondApproving>());
    assert_eq!(told_by_build(&[first, third]), [""; 0]);
}

/// The second version, which approves what it breaks.
#[derive(ApiResource)]
#[resource(name = "Thing", url = "/things", version = "2.0", follows = FirstNamed)]
struct SecondApproving {
    id: i64,
    #[resource(max_length = 60, breaks(read_widening = "a test"))]
    name: String,
}

#[test]
fn a_sibling_that_stores_what_a_later_version_does_not_promise_is_told() {
    let optional = Attribute::of::<Option<String>>("name").max_length(50);
    for (between, words) in [
        (text(80), ["old_items", "read_widening"]),
        (optional, ["old_items", "read_widening"]),
    ] {
        let all = [
            of(1, text(50)),
            of(2, between).following::<First>(),
            of(3, text(50)).following::<First>(),
        ];
        assert_eq!(told(all), words);
    }
}

/// The third version, in a chain and as a sibling of the second.
#[derive(ApiResource)]
#[resource(name = "Thing", url = "/things", version = "3.0", follows = Second)]
struct Third {
    id: i64,
    name: Option<String>,
}

#[derive(ApiResource)]
#[resource(name = "Thing", url = "/things", version = "3.0", follows = First)]
struct Sibling {
    id: i64,
    name: Option<String>,
}

/// Tests of random chains and siblings, of which all that is told is approved: each value that one stores and another one
/// does not promise is one that an approval is about.
#[test]
fn every_value_that_another_version_does_not_promise_is_approved() {
    // Null, and texts of these lengths.
    const VALUES: [Option<u32>; 5] = [None, Some(5), Some(45), Some(55), Some(75)];
    let mut random = numbers(9);
    let mut needed = 0;
    let chains = std::env::var("EVOLUTION_CHAINS").map_or(300, |it| it.parse().expect("a number"));
    for _ in 0..chains {
        let is_sibling = random.random_bool(0.3);
        let mut all: Vec<&ResourceDefinition> = Vec::new();
        for major in 1..=4 {
            let name = match random.random_range(0..4) {
                0 => Attribute::of::<Option<String>>("name"),
                1 => Attribute::of::<String>("name").min_length(10),
                _ => Attribute::of::<String>("name"),
            };
            let name = name.max_length([50, 60, 80][random.random_range(0..3)]);
            let cut = random.random_bool(0.3);
            let name = if cut { name.truncate() } else { name };
            let thing = of(major, name);
            let thing = match major {
                1 => thing,
                2 => thing.following::<First>(),
                3 if is_sibling => thing.following::<First>(),
                3 => thing.following::<Second>(),
                _ if random.random_bool(0.3) => thing.following::<Second>(),
                _ if is_sibling => thing.following::<Sibling>(),
                _ => thing.following::<Third>(),
            };
            let told = words(&told_by_build(&[&all[..], &[leaked(thing)]].concat()));
            let approvals = told.iter().map(|word| Approval {
                rule: Rule::named(word).expect("a rule"),
                places: &[],
                reason: "a test",
            });
            let approvals = approvals.collect::<Vec<_>>().leak();
            let [id, name] = thing.all_attributes() else {
                panic!("two attributes")
            };
            all.push(leaked(
                thing.attributes(vec![*id, name.breaks(approvals)].leak()),
            ));
            assert_eq!(told_by_build(&all), [""; 0]);
        }
        let stores = |of: &ResourceDefinition, value: Option<u32>| {
            let (_, name) = of.find("name").expect("it has one");
            let (min, max) = name.length_limits();
            value.map_or(name.is_nullable(), |it| {
                min.is_none_or(|min| it >= min) && max.is_none_or(|max| it <= max)
            })
        };
        let promises = |of: &ResourceDefinition, value: Option<u32>| {
            let (_, name) = of.find("name").expect("it has one");
            // Longer ones are cut.
            let told = value.map(|it| name.truncation().map_or(it, |most| it.min(most)));
            stores(of, told)
        };
        let approves = |of: &ResourceDefinition, rule| {
            let (_, name) = of.find("name").expect("it has one");
            name.approvals().iter().any(|it| it.rule == rule)
        };
        for (place, new) in all.iter().enumerate() {
            for (number, old) in all.iter().enumerate().take(place) {
                let until = &all[number + 1..=place];
                for value in VALUES {
                    if stores(new, value) && !promises(old, value) {
                        let mut until = until.iter();
                        needed += 1;
                        assert!(
                            until.any(|it| stores(it, value) && approves(it, Rule::ReadWidening)),
                            "{value:?} of {old:?}\n{new:?}\n{all:?}"
                        );
                    }
                    if stores(old, value) && !promises(new, value) {
                        let mut until = until.iter();
                        needed += 1;
                        assert!(
                            until.any(|it| !promises(it, value) && approves(it, Rule::OldItems)),
                            "{value:?} of {old:?}\n{new:?}\n{all:?}"
                        );
                    }
                }
            }
        }
    }
    assert!(needed > 1_000, "{needed}");
}

#[test]
fn attributes_that_swap_columns_are_other_attributes() {
    let thing = |major, [a, b]: [&'static str; 2]| {
        let id = Attribute::of::<i64>("id").primary_key();
        let a = Attribute::of::<String>("a").column(a);
        let b = Attribute::of::<Option<String>>("b").column(b);
        version(major).attributes(vec![id, a, b].leak())
    };
    let swapped = thing(2, ["b", "a"]).following::<First>();
    let told = told_by_build(&[thing(1, ["a", "b"]), swapped].map(leaked));
    // Null, which the first stores in `b`, is in `a` of the second, and the other way round.
    let expected = ["kind", "kind", "old_items", "read_widening"];
    assert_eq!(words(&told), expected, "{told:?}");
    assert!(
        told[0].starts_with("`a` is the column `b`, in 1.0 the column `a`;"),
        "{told:?}"
    );
    // A column that nobody reads any longer is one of the remedies.
    let apart = thing(2, ["c", "b"]).following::<First>();
    let told = told_by_build(&[thing(1, ["a", "b"]), apart].map(leaked));
    assert_eq!(told, [""; 0]);
}
