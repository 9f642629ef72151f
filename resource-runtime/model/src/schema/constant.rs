//! Comparisons and look-ups that functions make at compile time, where traits cannot be called.

/// Tests whether two texts are equal, at compile time, too.
#[must_use]
pub(crate) const fn is_equal(one: &str, other: &str) -> bool {
    let (mut one, mut other) = (one.as_bytes(), other.as_bytes());
    // Texts that differ mostly differ in their length.
    if one.len() != other.len() {
        return false;
    }
    while let ([first, one_rest @ ..], [second, other_rest @ ..]) = (one, other) {
        if *first != *second {
            return false;
        }
        (one, other) = (one_rest, other_rest);
    }
    true
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
