//! Limits of attribute values: lengths, ranges, and the messages for values that exceed them.

use std::cmp::Ordering;
use std::fmt;

use super::Attribute;
use crate::schema::Kind;
use crate::value::{Value, compare_decimals, narrowed};

impl Attribute {
    /// Tests whether a value has exactly the length at which answers cut stored texts, and so may be a part of one.
    #[doc(hidden)]
    pub fn may_be_truncated(&self, value: &Value) -> bool {
        match (self.truncation(), value) {
            (Some(length), Value::Text(text)) => text.chars().count() == length as usize,
            _ => false,
        }
    }

    /// Tests whether `told` is what answers hold of a stored value.
    #[doc(hidden)]
    pub fn tells(&self, told: &Value, stored: &Value) -> bool {
        match (told, stored) {
            (Value::Text(told), Value::Text(stored)) => {
                told == truncated(stored, self.truncation())
            }
            _ => told == stored,
        }
    }

    /// The fault of a value that did not come from a client, in words: null, its type, or a limit of the
    /// attribute.
    #[doc(hidden)]
    pub fn violation(&self, value: &Value) -> Option<String> {
        let name = self.name();
        // The scalar types keep any value of their kind, so what no database or no JSON holds is refused
        // here.
        match value {
            Value::Null if self.is_nullable() => return None,
            Value::Null => return Some(format!("`{name}` must not be null")),
            // JSON has no form for NaN and infinity.
            Value::Real(real) if !real.is_finite() => {
                return Some(format!("`{name}` must be finite"));
            }
            // PostgreSQL cannot store it.
            Value::Text(text) if text.contains('\0') => {
                return Some(format!("`{name}` must not hold the character U+0000"));
            }
            _ => {}
        }
        // The Rust type may hold fewer values than its kind, as an enum does.
        let refused = self.normalise(value.clone()).err();
        let refused = refused.map(|error| format!("`{name}` {error}"));
        refused.or_else(|| self.exceeded(value))
    }

    /// The limit that the value exceeds, in words.
    #[doc(hidden)]
    pub fn exceeded(&self, value: &Value) -> Option<String> {
        // A value has a length or a range, never both.
        let limit = match value {
            // Decimals travel as text, yet have a range rather than a length.
            Value::Text(_) if self.kind() == Kind::Decimal => exceeded_range(self, value),
            Value::Text(text) => exceeded_length(self, text),
            Value::Bytes(bytes) => exceeded_number(self, bytes.len(), "byte"),
            Value::Integer(_) | Value::Real(_) => exceeded_range(self, value),
            Value::Null | Value::Boolean(_) => None,
        };
        limit.map(|limit| format!("`{}` {limit}", self.name()))
    }
}

/// The first characters of a text, which are Unicode scalar values; at most `length`, or all where that is none.
#[must_use]
pub fn truncated(text: &str, length: Option<u32>) -> &str {
    // No text has more scalar values than bytes, so most need no counting.
    let Some(length) = length.map(|it| it as usize).filter(|it| *it < text.len()) else {
        return text;
    };
    let end = text.char_indices().nth(length).map(|(end, _)| end);
    end.and_then(|end| text.get(..end)).unwrap_or(text)
}

/// The length limit that a text exceeds; lengths count Unicode scalar values.
fn exceeded_length(attribute: &Attribute, text: &str) -> Option<String> {
    // PostgreSQL and SQLite count lengths of text in characters, too, so that a check of the table agrees.
    let (min, max) = attribute.length_limits();
    // No text has more scalar values than bytes, so most need no counting.
    let short = max.is_none_or(|max| text.len() <= max as usize);
    if short && min.is_none() {
        return None;
    }
    exceeded_number(attribute, text.chars().count(), "character")
}

fn exceeded_number(attribute: &Attribute, length: usize, unit: &str) -> Option<String> {
    // A limit and the length are both told, so that a client knows how much is too much.
    match attribute.length_limits() {
        (Some(min), _) if length < min as usize => Some(format!(
            "must be at least {} long, not {length}",
            counted(min, unit)
        )),
        (_, Some(max)) if length > max as usize => Some(format!(
            "must be at most {} long, not {length}",
            counted(max, unit)
        )),
        _ => None,
    }
}

fn counted(count: u32, unit: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} {unit}{plural}")
}

fn exceeded_range(attribute: &Attribute, value: &Value) -> Option<String> {
    let (min, max) = attribute.value_limits();
    // The bound is rounded for the comparison alone; the message shows it as the developer wrote it.
    let compare = |bound: &Bound| compare(value, bound.among(attribute.kind()));
    let too_small = min.filter(|min| compare(min) == Some(Ordering::Less));
    let too_large = max.filter(|max| compare(max) == Some(Ordering::Greater));
    let too_small = too_small.map(|min| format!("must be at least {}", shown(min)));
    too_small.or_else(|| too_large.map(|max| format!("must be at most {}", shown(max))))
}

fn compare(value: &Value, bound: Bound) -> Option<Ordering> {
    match (value, bound) {
        (Value::Integer(value), Bound::Integer(bound)) => Some(value.cmp(&bound)),
        // NaN, which has no order, was refused before.
        (Value::Real(value), Bound::Real(bound)) => value.partial_cmp(&bound),
        // Decimals are compared digit by digit: two that differ may be the same double.
        (Value::Text(value), bound) => Some(compare_decimals(value, &shown(bound))),
        // The registry refuses a fraction as a limit of integers, so that no number of the right kind comes
        // here.
        _ => None,
    }
}

fn shown(bound: Bound) -> String {
    match bound {
        Bound::Integer(integer) => integer.to_string(),
        // `Display` writes no exponent, which the comparison of decimals would not read.
        Bound::Real(real) => real.to_string(),
    }
}

/// The least or greatest value of a number.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Bound {
    /// A bound of integers.
    Integer(i64),
    /// A bound of real numbers.
    Real(f64),
}

impl Bound {
    /// The bound in the precision of `kind`, whose values are compared with it: 0.8 is no `f32`, so a
    /// client who sends it sends the nearest `f32`.
    pub const fn among(self, kind: Kind) -> Self {
        match kind {
            // Integers are possible bounds of floating-point numbers, and are compared as doubles then.
            Kind::Real => Self::Real(nearest_single(self.as_real())),
            Kind::Double => Self::Real(self.as_real()),
            _ => self,
        }
    }

    /// Compares the bounds as numbers.
    pub const fn exceeds(self, other: Self) -> bool {
        match (self, other) {
            // Above 2^53, two different integers may be the same double.
            (Self::Integer(integer), Self::Integer(other)) => integer > other,
            _ => self.as_real() > other.as_real(),
        }
    }

    /// The bound as a double.
    #[allow(
        clippy::cast_precision_loss,
        reason = "of an integer and a double that only their last digits tell apart, either is \
                  right enough for a check that the service repeats exactly"
    )]
    pub const fn as_real(self) -> f64 {
        match self {
            Self::Integer(integer) => integer as f64,
            Self::Real(real) => real,
        }
    }
}

/// The `f32` nearest to `real`, or `real` itself beyond the range of `f32`.
const fn nearest_single(real: f64) -> f64 {
    // A bound beyond every `f32` would become infinity, for which neither a table nor a message has a form.
    let single = narrowed(real);
    if single.is_finite() {
        single as f64
    } else {
        real
    }
}

impl fmt::Display for Bound {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Integer(integer) => write!(formatter, "{integer}"),
            // `Debug` keeps the point of `1.0`, which tells it from a bound of integers.
            Self::Real(real) => write!(formatter, "{real:?}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Attribute, Value, truncated};

    fn text(value: &str) -> Value {
        Value::Text(value.into())
    }

    #[test]
    fn lengths_count_characters_not_bytes() {
        let name = Attribute::of::<String>("name").min_length(2).max_length(3);
        assert_eq!(name.exceeded(&text("äöü")), None);
        assert_eq!(name.exceeded(&text("🦀🦀")), None);
        assert_eq!(
            name.exceeded(&text("äöüß")).unwrap(),
            "`name` must be at most 3 characters long, not 4"
        );
        assert_eq!(
            name.exceeded(&text("x")).unwrap(),
            "`name` must be at least 2 characters long, not 1"
        );
    }

    #[test]
    fn texts_are_cut_between_characters() {
        for (length, expected) in [
            (None, "aä🦀b"),
            (Some(9), "aä🦀b"),
            (Some(4), "aä🦀b"),
            (Some(3), "aä🦀"),
            (Some(2), "aä"),
            (Some(0), ""),
        ] {
            assert_eq!(truncated("aä🦀b", length), expected);
        }
        let name = Attribute::of::<String>("name").max_length(2).truncate();
        assert!(name.may_be_truncated(&text("äö")) && !name.may_be_truncated(&text("äöü")));
        assert!(name.tells(&text("äö"), &text("äöü")) && !name.tells(&text("äöü"), &text("äöü")));
    }

    #[test]
    fn ranges_hold_their_ends() {
        let age = Attribute::of::<i32>("age").min(0).max(150);
        assert_eq!(age.exceeded(&Value::Integer(0)), None);
        assert_eq!(age.exceeded(&Value::Integer(150)), None);
        assert_eq!(
            age.exceeded(&Value::Integer(-1)).unwrap(),
            "`age` must be at least 0"
        );
        let share = Attribute::of::<f64>("share").min(0).max_real(0.5);
        assert_eq!(share.exceeded(&Value::Real(0.5)), None);
        assert_eq!(
            share.exceeded(&Value::Real(0.6)).unwrap(),
            "`share` must be at most 0.5"
        );
    }
}
