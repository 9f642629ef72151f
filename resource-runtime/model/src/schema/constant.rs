//! Comparisons and look-ups that functions make at compile time, where traits cannot be called.

/// Tests whether two texts are equal, at compile time, too.
#[must_use]
pub(crate) const fn is_equal(one: &str, other: &str) -> bool {
    // Texts that differ mostly differ in their length.
    one.len() == other.len() && is_same(one.as_bytes(), other.as_bytes())
}

/// Tests whether two texts are equal, byte by byte.
#[must_use]
pub(crate) const fn is_same(mut one: &[u8], mut other: &[u8]) -> bool {
    while let ([first, rest @ ..], [second, other_rest @ ..]) = (one, other) {
        if *first != *second {
            return false;
        }
        (one, other) = (rest, other_rest);
    }
    one.is_empty() && other.is_empty()
}

/// Tests whether two lists hold the same texts in the same order, at compile time, too.
#[must_use]
pub(crate) const fn are_equal(mut one: &[&str], mut other: &[&str]) -> bool {
    while let ([first, one_rest @ ..], [second, other_rest @ ..]) = (one, other) {
        if !is_equal(first, second) {
            return false;
        }
        (one, other) = (one_rest, other_rest);
    }
    one.is_empty() && other.is_empty()
}

/// The item at a place, at compile time, too.
#[must_use]
pub(crate) const fn item<T>(all: &[T], place: usize) -> Option<&T> {
    match all.split_at_checked(place) {
        Some((_, [item, ..])) => Some(item),
        _ => None,
    }
}
