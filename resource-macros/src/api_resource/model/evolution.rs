//! The words of the rules by which versions are compared, as `breaks(…)` names them.

/// The words, each with the places where `breaks(…)` takes it: a `field`; a `struct`, with the names of what it is about;
/// a struct as a `whole`, without; and a struct with attributes of what it shows, `shown("bill_address.city")`. A test
/// holds them equal to those of the runtime.
pub(crate) const RULES: [(&str, &str); 28] = [
    ("withdrawn", "struct"),
    ("moved", "whole"),
    ("key", "field"),
    ("removed", "struct shown"),
    ("required_new", "field"),
    ("required", "field struct"),
    ("kind", "field struct shown"),
    ("tighter", "field"),
    ("not_null", "field"),
    ("name_removed", "field"),
    ("read_only", "field"),
    ("default", "field"),
    ("constraint", "field struct"),
    ("validator", "whole"),
    ("hidden", "field shown"),
    ("wider_kind", "field shown"),
    ("null", "field shown"),
    ("wider", "field shown"),
    ("name_added", "field shown"),
    ("unqueryable", "field shown"),
    ("page", "whole"),
    ("access", "field struct shown"),
    ("error", "struct"),
    ("reused", "field struct"),
    ("read_widening", "field"),
    ("old_items", "field"),
    ("shared_constraint", "field struct"),
    ("unvalidated", "whole"),
];

/// The words that `breaks(…)` takes at one of these places.
pub(crate) fn rules_on(places: &[&str]) -> Vec<&'static str> {
    let rules = RULES.iter();
    let rules = rules.filter(|(_, on)| on.split(' ').any(|it| places.contains(&it)));
    rules.map(|(word, _)| *word).collect()
}

/// The variant of a rule's word in the runtime: `read_widening` is `ReadWidening`.
pub(crate) fn rule_variant(word: &str) -> String {
    let parts = word.split('_').map(|part| {
        let (first, rest) = part.split_at(1.min(part.len()));
        first.to_ascii_uppercase() + rest
    });
    parts.collect()
}

/// The day of a text like `2027-01-01`, as a number that grows with it; none where there is no such day.
pub(crate) fn day(text: &str) -> Option<u32> {
    let mut parts = text.split('-');
    let mut number = |digits: usize| {
        let part = parts.next()?;
        let is_decimal = part.len() == digits && part.bytes().all(|it| it.is_ascii_digit());
        is_decimal.then(|| part.parse::<u32>().ok())?
    };
    let (year, month, day) = (number(4)?, number(2)?, number(2)?);
    let is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let days = match month {
        2 => 28 + u32::from(is_leap),
        4 | 6 | 9 | 11 => 30,
        1..=12 => 31,
        _ => return None,
    };
    let is_day = parts.next().is_none() && (1..=days).contains(&day);
    is_day.then_some(year * 10_000 + month * 100 + day)
}
