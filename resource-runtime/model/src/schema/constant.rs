//! Comparisons and look-ups that functions make at compile time, where traits cannot be called.

/// Tests whether two texts are equal, at compile time, too.
#[must_use]
pub(crate) const fn is_equal(one: &str, other: &str) -> bool {
    is_same(one.as_bytes(), other.as_bytes())
}

/// Tests whether two texts are equal, byte by byte.
#[must_use]
pub(crate) const fn is_same(mut one: &[u8], mut other: &[u8]) -> bool {
    // A step of four bytes costs the compiler hardly more than a step of one.
    while let (&[a0, a1, a2, a3, ref one_rest @ ..], &[b0, b1, b2, b3, ref other_rest @ ..]) =
        (one, other)
    {
        if a0 != b0 || a1 != b1 || a2 != b2 || a3 != b3 {
            return false;
        }
        (one, other) = (one_rest, other_rest);
    }
    match (one, other) {
        ([], []) => true,
        (&[a0], &[b0]) => a0 == b0,
        (&[a0, a1], &[b0, b1]) => a0 == b0 && a1 == b1,
        (&[a0, a1, a2], &[b0, b1, b2]) => a0 == b0 && a1 == b1 && a2 == b2,
        _ => false,
    }
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

/// Tests whether the name is among the others.
#[must_use]
pub(crate) const fn has(mut names: &[&str], name: &str) -> bool {
    while let [first, rest @ ..] = names {
        if is_equal(first, name) {
            return true;
        }
        names = rest;
    }
    false
}

/// Tests whether all that are wanted are among the names.
#[must_use]
pub(crate) const fn has_all(names: &[&str], mut wanted: &[&str]) -> bool {
    while let [name, rest @ ..] = wanted {
        if !has(names, name) {
            return false;
        }
        wanted = rest;
    }
    true
}

/// Tests whether one that is wanted is among the names.
#[must_use]
pub(crate) const fn has_any(names: &[&str], mut wanted: &[&str]) -> bool {
    while let [name, rest @ ..] = wanted {
        if has(names, name) {
            return true;
        }
        wanted = rest;
    }
    false
}

/// The item at a place, at compile time, too.
#[must_use]
#[allow(
    clippy::indexing_slicing,
    reason = "the place is within, and what checks it by itself costs the compiler four times as much"
)]
pub(crate) const fn item<T>(all: &[T], place: usize) -> Option<&T> {
    if place < all.len() {
        Some(&all[place])
    } else {
        None
    }
}

/// Tests in short whether two structs are declared alike: false where that takes a longer look. It names every field, so
/// that a new one is not forgotten: with the way to compare it, or as `free` where it promises nothing.
macro_rules! is_alike {
    ($one:expr, $other:expr, $type:ident { $($way:ident: $($field:ident)*;)* }) => {{
        let $type { $($($field: _,)*)* } = $one;
        $($(is_alike!($way $one.$field, $other.$field) &&)*)* true
    }};
    (free $one:expr, $other:expr) => { true };
    (same $one:expr, $other:expr) => { $one == $other };
    (variant $one:expr, $other:expr) => { $one as u8 == $other as u8 };
    (variants $one:expr, $other:expr) => {{
        let (mut one, mut other) = ($one, $other);
        while let ([first, ones @ ..], [second, others @ ..]) = (one, other)
            && *first as u8 == *second as u8
        {
            (one, other) = (ones, others);
        }
        one.is_empty() && other.is_empty()
    }};
    (text $one:expr, $other:expr) => { is_equal($one, $other) };
    (other_name $one:expr, $other:expr) => {
        match $one {
            Some(one) => matches!($other, Some(other) if is_equal(one, other)),
            None => matches!($other, None),
        }
    };
    (texts $one:expr, $other:expr) => { matches!($one, []) && matches!($other, []) || are_equal($one, $other) };
    // Declared by neither or by both: what a function returns, or a reference points at, is not known here.
    (presence $one:expr, $other:expr) => { matches!($one, None) == matches!($other, None) };
    (references $one:expr, $other:expr) => { matches!($one, []) == matches!($other, []) };
    (absent $one:expr, $other:expr) => { matches!($one, None) && matches!($other, None) };
    (empty $one:expr, $other:expr) => { matches!($one, []) && matches!($other, []) };
    (number $one:expr, $other:expr) => {
        match $one {
            Some(one) => matches!($other, Some(other) if one == other),
            None => matches!($other, None),
        }
    };
    (bound $one:expr, $other:expr) => {
        match $one {
            Some(Bound::Integer(one)) => matches!($other, Some(Bound::Integer(other)) if one == other),
            Some(Bound::Real(_)) => false,
            None => matches!($other, None),
        }
    };
}
pub(crate) use is_alike;
