//! Several versions of one table: a break is told once, where the version is that brings it.

use resource_model::schema::{Attribute, ResourceDefinition};
use resource_runtime::ApiResource;

use crate::told::{First, leaked, told_by_build, version, words};

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
