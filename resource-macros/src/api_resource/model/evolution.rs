//! The words of the rules by which versions are compared, as `breaks(…)` names them.

/// The words on a field.
pub(crate) const FIELD_RULES: [&str; 20] = [
    "key",
    "required_new",
    "required",
    "kind",
    "tighter",
    "not_null",
    "name_removed",
    "read_only",
    "default",
    "constraint",
    "hidden",
    "wider_kind",
    "null",
    "wider",
    "name_added",
    "unqueryable",
    "access",
    "read_widening",
    "old_items",
    "shared_constraint",
];

/// The words on a struct, which are about what it lacks or has beside its fields.
pub(crate) const STRUCT_RULES: [&str; 11] = [
    "withdrawn",
    "moved",
    "removed",
    "required",
    "kind",
    "constraint",
    "validator",
    "page",
    "access",
    "error",
    "shared_constraint",
];

/// The words on a struct about what its subresources and collections show: `null("bill_address.city")`.
pub(crate) const SHOWN_RULES: [&str; 9] = [
    "kind",
    "removed",
    "hidden",
    "wider_kind",
    "null",
    "wider",
    "name_added",
    "unqueryable",
    "access",
];

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
