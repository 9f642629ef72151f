//! Evaluation of a filter tree for a row: the contract in plain Rust.

use resource_tests::{apply, every_database};
use std::cmp::Ordering;

use super::rows::Datum;
use super::tree::{Filter, Place, Relation};

/// Tells that the filter holds, where `value` gives the value at a path, and `has` tells that some item of the
/// collection meets a filter.
pub(super) fn holds<'row>(
    filter: &Filter,
    value: &impl Fn(super::rows::Path) -> &'row Datum,
    has: &impl Fn(Option<&Filter>) -> bool,
) -> bool {
    match filter {
        Filter::Compare(relation, path, other) => compares(*relation, value(*path), other),
        Filter::Like {
            path,
            pattern,
            ignores_case,
        } => match value(*path) {
            Datum::Text(text) if *ignores_case => {
                matches(&text.to_ascii_lowercase(), &pattern.to_ascii_lowercase())
            }
            Datum::Text(text) => matches(text, pattern),
            _ => false,
        },
        Filter::Affix {
            path,
            text,
            place,
            ignores_case,
        } => match value(*path) {
            Datum::Text(value) if *ignores_case => stands_at(
                *place,
                &value.to_ascii_lowercase(),
                &text.to_ascii_lowercase(),
            ),
            Datum::Text(value) => stands_at(*place, value, text),
            _ => false,
        },
        Filter::In(path, values) => values.iter().any(|it| is_same(value(*path), it)),
        Filter::And(filters) => filters.iter().all(|filter| holds(filter, value, has)),
        Filter::Or(filters) => filters.iter().any(|filter| holds(filter, value, has)),
        Filter::Not(filter) => !holds(filter, value, has),
        Filter::Has(filter) => has(filter.as_deref()),
    }
}

fn stands_at(place: Place, value: &str, text: &str) -> bool {
    match place {
        Place::Start => value.starts_with(text),
        Place::End => value.ends_with(text),
        Place::Anywhere => value.contains(text),
    }
}

fn compares(relation: Relation, value: &Datum, other: &Datum) -> bool {
    let null = *value == Datum::Null;
    match relation {
        Relation::Eq => is_same(value, other),
        Relation::Ne => !is_same(value, other),
        Relation::Gt => !null && order(value, other).is_gt(),
        Relation::Ge => !null && order(value, other).is_ge(),
        Relation::Lt => !null && order(value, other).is_lt(),
        Relation::Le => !null && order(value, other).is_le(),
    }
}

fn is_same(value: &Datum, other: &Datum) -> bool {
    order(value, other).is_eq()
}

/// Null is the smallest value, text is ordered by code point.
pub(super) fn order(value: &Datum, other: &Datum) -> Ordering {
    match (value, other) {
        (Datum::Null, Datum::Null) => Ordering::Equal,
        (Datum::Null, _) => Ordering::Less,
        (_, Datum::Null) => Ordering::Greater,
        (Datum::Integer(value), Datum::Integer(other)) => value.cmp(other),
        (Datum::Real(value), Datum::Real(other)) => value.partial_cmp(other).expect("numbers"),
        (Datum::Boolean(value), Datum::Boolean(other)) => value.cmp(other),
        (Datum::Text(value), Datum::Text(other)) => value.chars().cmp(other.chars()),
        _ => panic!("{value:?} and {other:?} are of two kinds"),
    }
}

/// A part of a pattern.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Part {
    AnyText,
    Character(char),
}

fn parts(pattern: &str) -> Vec<Part> {
    let characters: Vec<char> = pattern.chars().collect();
    let mut parts = Vec::new();
    let mut rest = characters.as_slice();
    while let [first, behind @ ..] = rest {
        let (part, behind) = match (first, behind) {
            ('\\', [next @ ('%' | '\\'), behind @ ..]) => (Part::Character(*next), behind),
            ('%', _) => (Part::AnyText, behind),
            (other, _) => (Part::Character(*other), behind),
        };
        parts.push(part);
        rest = behind;
    }
    parts
}

/// Tells that the pattern matches the whole text, by the lengths of the text at which each part may end.
fn matches(text: &str, pattern: &str) -> bool {
    let text: Vec<char> = text.chars().collect();
    let mut ends = vec![false; text.len() + 1];
    ends[0] = true;
    for part in parts(pattern) {
        let mut next = vec![false; text.len() + 1];
        for length in 0..=text.len() {
            next[length] = match part {
                Part::AnyText => ends[..=length].contains(&true),
                Part::Character(one) => length > 0 && ends[length - 1] && text[length - 1] == one,
            };
        }
        ends = next;
    }
    ends[text.len()]
}

#[apply(every_database)]
fn patterns_match_as_in_the_contract() {
    for (pattern, text, expected) in [
        ("", "", true),
        ("", "a", false),
        ("%", "", true),
        ("%", "ab", true),
        ("a%", "ab", true),
        ("a%", "ba", false),
        ("%b%", "abc", true),
        ("a%c%", "abcd", true),
        ("a%c", "abcd", false),
        (r"\%", "%", true),
        (r"\%", "a", false),
        (r"\\%", r"\x", true),
        (r"\x", r"\x", true),
        (r"\\", r"\", true),
        (r"\", r"\", true),
        ("_", "a", false),
        ("%%é", "🦀é", true),
    ] {
        assert_eq!(matches(text, pattern), expected, "{pattern} {text}");
    }
}
