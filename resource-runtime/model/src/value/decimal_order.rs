//! The numeric order of decimal numbers that are stored as text.

use std::cmp::Ordering;

/// Orders decimal numbers written as `-12.50`, without exponents: `1.5` and `1.50` are equal.
///
/// SQLite calls it for every pair that it compares, so the digits are compared in place, without
/// allocation. Other texts are ordered consistently, too, as SQLite requires of a collation, but
/// without meaning.
pub fn compare_decimals(one: &str, other: &str) -> Ordering {
    // The sign decides before the digits, whose order it reverses.
    let (one, other) = (Digits::of(one), Digits::of(other));
    match (one.negative, other.negative) {
        (false, false) => one.compare_magnitude(&other),
        // Of two negative numbers, the one with the greater magnitude is the smaller.
        (true, true) => other.compare_magnitude(&one),
        (true, false) => Ordering::Less,
        (false, true) => Ordering::Greater,
    }
}

/// A number without leading zeros of its integer and trailing zeros of its fraction.
struct Digits<'text> {
    negative: bool,
    integer: &'text str,
    fraction: &'text str,
}

impl<'text> Digits<'text> {
    fn of(text: &'text str) -> Self {
        // Normal forms have no plus sign, so that only a minus is looked for.
        let (signed, magnitude) = match text.strip_prefix('-') {
            Some(magnitude) => (true, magnitude),
            None => (false, text),
        };
        // An integer and the same number with a fraction of zeros have the same parts after the trimming.
        let (integer, fraction) = magnitude.split_once('.').unwrap_or((magnitude, ""));
        let integer = integer.trim_start_matches('0');
        let fraction = fraction.trim_end_matches('0');
        // Minus zero equals zero, so it must not count as negative.
        let is_zero = integer.is_empty() && fraction.is_empty();
        Self {
            negative: signed && !is_zero,
            integer,
            fraction,
        }
    }

    fn compare_magnitude(&self, other: &Self) -> Ordering {
        // Without leading zeros the longer integer is the greater one.
        let lengths = self.integer.len().cmp(&other.integer.len());
        let integers = lengths.then_with(|| self.integer.cmp(other.integer));
        // Fractions are ordered as texts, because their first digits have the same place.
        integers.then_with(|| self.fraction.cmp(other.fraction))
    }
}

#[cfg(test)]
mod tests {
    use super::{Ordering, compare_decimals};

    #[test]
    fn decimals_are_ordered_as_numbers() {
        let ordered = [
            "-79228162514264337593543950335",
            "-10",
            "-9.99",
            "-9.9",
            "-0.0000000000000000000000000001",
            "0",
            "0.0000000000000000000000000001",
            "0.1",
            "0.11",
            "0.2",
            "9.99",
            "10",
            "10.5",
            "100",
            "79228162514264337593543950335",
        ];
        for (index, one) in ordered.iter().enumerate() {
            for (other_index, other) in ordered.iter().enumerate() {
                assert_eq!(
                    compare_decimals(one, other),
                    index.cmp(&other_index),
                    "{one} {other}"
                );
            }
        }
    }

    #[test]
    fn zeros_that_mean_nothing_do_not_count() {
        for (one, other) in [("1.5", "1.50"), ("-0", "0.00"), ("007", "7"), ("7.", "7")] {
            assert_eq!(
                compare_decimals(one, other),
                Ordering::Equal,
                "{one} {other}"
            );
        }
    }
}
