//! Numbers of JSON, read from their text without loss.

use std::fmt;
use std::num::IntErrorKind;

use super::RecordError;

/// A JSON number read as an integer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Integer {
    /// An integer of 64 bits.
    Exact(i64),
    /// An integer that 64 bits do not hold.
    TooLarge,
    /// A number with a fraction or an exponent.
    Fractional,
}

/// Reads digits exactly; a number with a fraction or an exponent is never rounded to one.
pub fn integer(text: &str) -> Integer {
    // A range is told for an integer that is too large, and the type for anything else.
    match text.parse::<i64>() {
        Ok(integer) => Integer::Exact(integer),
        Err(error) => match error.kind() {
            IntErrorKind::PosOverflow | IntErrorKind::NegOverflow => Integer::TooLarge,
            // Only numbers with a fraction or an exponent are left, and texts of a path that are no numbers.
            _ => Integer::Fractional,
        },
    }
}

/// A finite double.
pub fn real(text: &str) -> Result<f64, RecordError> {
    // `1e999` is read as infinity, for which JSON has no form.
    let real = text.parse().ok().filter(|real: &f64| real.is_finite());
    real.ok_or_else(|| beyond(f64::MIN, f64::MAX))
}

/// A finite number of single precision, kept as a double.
pub fn single(text: &str) -> Result<f64, RecordError> {
    // Parsing a double first and narrowing it would round twice.
    let single = text.parse().ok().filter(|single: &f32| single.is_finite());
    single
        .map(f64::from)
        .ok_or_else(|| beyond(f32::MIN, f32::MAX))
}

/// The single that a double was before it was widened, or the one nearest to it.
#[allow(
    clippy::cast_possible_truncation,
    reason = "a single has fewer digits than the double that keeps it"
)]
pub const fn narrowed(real: f64) -> f32 {
    real as f32
}

/// Writes the bounds with exponents, because the digits of the greatest double fill a line.
fn beyond(least: impl fmt::Debug, greatest: impl fmt::Debug) -> RecordError {
    RecordError::new(format!("must be a number from {least:?} to {greatest:?}"))
}

#[cfg(test)]
mod tests {
    use super::{Integer, integer, real, single};

    #[test]
    fn integers_are_exact_or_refused() {
        assert_eq!(integer("-0"), Integer::Exact(0));
        assert_eq!(integer("9223372036854775807"), Integer::Exact(i64::MAX));
        assert_eq!(integer("9223372036854775808"), Integer::TooLarge);
        assert_eq!(integer("-9223372036854775809"), Integer::TooLarge);
        assert_eq!(integer("1.0"), Integer::Fractional);
        assert_eq!(integer("1e3"), Integer::Fractional);
    }

    #[test]
    fn doubles_are_finite() {
        assert_eq!(real("1e3"), Ok(1000.0));
        assert_eq!(
            real("1e999").unwrap_err().to_string(),
            "must be a number from -1.7976931348623157e308 to 1.7976931348623157e308"
        );
    }

    #[test]
    fn singles_are_rounded_once_and_finite() {
        assert_eq!(single("0.1"), Ok(f64::from(0.1_f32)));
        assert_eq!(
            single("1e39").unwrap_err().to_string(),
            "must be a number from -3.4028235e38 to 3.4028235e38"
        );
    }
}
