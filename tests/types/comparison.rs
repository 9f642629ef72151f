//! Filters and orders of any ordered type, compared with a plain evaluation.

use resource_tests::Client;

use crate::requests::{filtered, ordered};
use crate::round_trip::create;
use crate::samples::SAMPLES;

/// An item: its id, and the ranks of its values among all values.
struct Ranked {
    id: i64,
    value: usize,
    maybe: Option<usize>,
}

/// Asserts that filters and orders distinguish values of different ranks, and not those of one rank.
/// `ranks` are ascending; each lists the spellings of one value.
#[track_caller]
pub(crate) fn assert_compared(client: &Client, ranks: &[&[&str]]) {
    let items = items(client, ranks);
    for (rank, written) in ranks.iter().enumerate() {
        for literal in *written {
            assert_filtered(client, &items, rank, literal);
        }
    }
    assert_lists(client, &items, ranks);
    assert_nulls(client, &items);
    assert_ordered(client, &items);
}

/// Creates items, not in the order of their values; the last two have a null optional value.
fn items(client: &Client, ranks: &[&[&str]]) -> Vec<Ranked> {
    let values = ranks.iter().enumerate();
    let mut values: Vec<(usize, &str)> = values
        .flat_map(|(rank, written)| written.iter().map(move |literal| (rank, *literal)))
        .collect();
    let middle = values.len() / 2;
    values.rotate_left(middle);
    values.get_mut(..middle).unwrap_or_default().reverse();
    let mut items: Vec<Ranked> = Vec::new();
    let mut add = |body: &str, value, maybe| {
        let path = create(client, SAMPLES, body);
        let (_, id) = path.rsplit_once('/').expect("an id");
        let id = id.parse().expect("a number");
        items.push(Ranked { id, value, maybe });
    };
    for (rank, literal) in &values {
        let body = format!(r#"{{"value":{literal},"maybe":{literal}}}"#);
        add(&body, *rank, Some(*rank));
    }
    for (rank, literal) in [values[0], values[values.len() - 1]] {
        add(&format!(r#"{{"value":{literal}}}"#), rank, None);
    }
    items
}

#[track_caller]
fn assert_filtered(client: &Client, items: &[Ranked], rank: usize, literal: &str) {
    type Holds = fn(usize, usize) -> bool;
    let functions: [(&str, Holds, bool); 7] = [
        ("eq(_,$)", |found, rank| found == rank, false),
        ("ne(_,$)", |found, rank| found != rank, true),
        ("gt(_,$)", |found, rank| found > rank, false),
        ("ge(_,$)", |found, rank| found >= rank, false),
        ("lt(_,$)", |found, rank| found < rank, false),
        ("le(_,$)", |found, rank| found <= rank, false),
        ("not(lt(_,$))", |found, rank| found >= rank, true),
    ];
    for (function, holds, of_null) in functions {
        let filter = function.replace('$', literal);
        let of_values = |it: &&Ranked| holds(it.value, rank);
        let of_options = |it: &&Ranked| it.maybe.map_or(of_null, |found| holds(found, rank));
        assert_eq!(ask(client, &filter, "value"), ids(items, of_values));
        assert_eq!(ask(client, &filter, "maybe"), ids(items, of_options));
    }
}

/// Asserts `in` for a list of every second value, with null and without.
#[track_caller]
fn assert_lists(client: &Client, items: &[Ranked], ranks: &[&[&str]]) {
    let literals: Vec<&str> = ranks.iter().step_by(2).map(|written| written[0]).collect();
    let list = literals.join(",");
    let of_values = |it: &&Ranked| it.value.is_multiple_of(2);
    let of_options = |it: &&Ranked| it.maybe.is_some_and(|rank| rank.is_multiple_of(2));
    let or_null = |it: &&Ranked| it.maybe.is_none_or(|rank| rank.is_multiple_of(2));
    let (plain, with_null) = (format!("in(_,[{list}])"), format!("in(_,[null,{list}])"));
    assert_eq!(ask(client, &plain, "value"), ids(items, of_values));
    assert_eq!(ask(client, &plain, "maybe"), ids(items, of_options));
    assert_eq!(ask(client, &with_null, "maybe"), ids(items, or_null));
}

#[track_caller]
fn assert_nulls(client: &Client, items: &[Ranked]) {
    let (null, some) = (
        ids(items, |it| it.maybe.is_none()),
        ids(items, |it| it.maybe.is_some()),
    );
    assert_eq!(ask(client, "eq(_,null)", "maybe"), null);
    assert_eq!(ask(client, "ne(_,null)", "maybe"), some);
    assert_eq!(ask(client, "eq(_,null)", "value"), [0; 0]);
}

/// Asserts that null is the smallest value, and that the id orders equal ones.
#[track_caller]
fn assert_ordered(client: &Client, items: &[Ranked]) {
    let sorted = |descending: bool, rank: fn(&Ranked) -> Option<usize>| {
        let mut sorted: Vec<&Ranked> = items.iter().collect();
        sorted.sort_by(|one, other| {
            let ranks = rank(one).cmp(&rank(other));
            if descending { ranks.reverse() } else { ranks }
        });
        sorted.iter().map(|it| it.id).collect::<Vec<i64>>()
    };
    for (descending, name) in [(false, "asc"), (true, "desc")] {
        let of_values = ordered(client, SAMPLES, &format!("{name}(value)"));
        assert_eq!(of_values, sorted(descending, |it| Some(it.value)));
        let of_options = ordered(client, SAMPLES, &format!("{name}(maybe)"));
        assert_eq!(of_options, sorted(descending, |it| it.maybe));
    }
}

#[track_caller]
fn ask(client: &Client, filter: &str, attribute: &str) -> Vec<i64> {
    filtered(client, SAMPLES, &filter.replace('_', attribute))
}

fn ids(items: &[Ranked], holds: impl Fn(&&Ranked) -> bool) -> Vec<i64> {
    items.iter().filter(holds).map(|it| it.id).collect()
}
