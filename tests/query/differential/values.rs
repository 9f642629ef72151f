//! Random values, few of each kind, so that filters often match stored ones.

use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::select;

use super::rows::{Datum, Kind};

/// Characters of texts and patterns; some more often than others.
const CHARACTERS: &str =
    "aaaAbbBkK%%%%__*?[]^-\\\\\\\"' \n\téÉß🦀🦀\u{301}\u{212a}\u{d7ff}\u{10ffff}";

const INTEGERS: [i64; 15] = [
    i64::MIN,
    i64::MIN + 1,
    -2_147_483_648,
    -32_768,
    -2,
    -1,
    0,
    1,
    2,
    7,
    32_767,
    2_147_483_647,
    9_007_199_254_740_993,
    i64::MAX - 1,
    i64::MAX,
];

const DOUBLES: [f64; 15] = [
    f64::MIN,
    -1e300,
    -1.5,
    -5e-324,
    -0.0,
    0.0,
    5e-324,
    f64::MIN_POSITIVE,
    0.1,
    0.300_000_000_000_000_04,
    0.5,
    2.0,
    9_007_199_254_740_992.0,
    1e300,
    f64::MAX,
];

pub(super) fn text() -> impl Strategy<Value = String> {
    let characters = select(CHARACTERS.chars().collect::<Vec<char>>());
    vec(characters, 0..4).prop_map(String::from_iter)
}

/// Mostly with a wildcard somewhere, which shows more than exact matches do.
pub(super) fn pattern() -> impl Strategy<Value = String> {
    (text(), text(), 0..5_u8).prop_map(|(one, other, shape)| match shape {
        0 => one,
        1 => format!("{one}%"),
        2 => format!("%{one}"),
        3 => format!("%{one}%"),
        _ => format!("{one}%{other}"),
    })
}

fn integer(least: i64, greatest: i64) -> BoxedStrategy<Datum> {
    let integers = INTEGERS
        .into_iter()
        .filter(|it| (least..=greatest).contains(it));
    select(integers.collect::<Vec<i64>>())
        .prop_map(Datum::Integer)
        .boxed()
}

/// A value of this kind.
pub(super) fn datum(kind: Kind) -> BoxedStrategy<Datum> {
    match kind {
        Kind::Key => prop_oneof![0..=9_i64, 0..=61_i64]
            .prop_map(Datum::Integer)
            .boxed(),
        Kind::Small => integer(-32_768, 32_767),
        Kind::Medium => integer(-2_147_483_648, 2_147_483_647),
        Kind::Large => integer(i64::MIN, i64::MAX),
        Kind::Real => select(&DOUBLES[..]).prop_map(Datum::Real).boxed(),
        Kind::Boolean => any::<bool>().prop_map(Datum::Boolean).boxed(),
        Kind::Text => text().prop_map(Datum::Text).boxed(),
    }
}

/// The same values, or null now and then.
pub(super) fn or_null(values: BoxedStrategy<Datum>) -> BoxedStrategy<Datum> {
    let values = option::weighted(0.75, values);
    values
        .prop_map(|value| value.unwrap_or(Datum::Null))
        .boxed()
}
