use std::num::IntErrorKind;

/// A JSON number read as an integer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Integer {
    Exact(i64),
    /// An integer that 64 bits do not hold.
    TooLarge,
    /// Written with a fraction or an exponent.
    Fractional,
}

/// Reads digits exactly; a number with a fraction or an exponent is never rounded to one.
pub(crate) fn integer(text: &str) -> Integer {
    match text.parse::<i64>() {
        Ok(integer) => Integer::Exact(integer),
        Err(error) => match error.kind() {
            IntErrorKind::PosOverflow | IntErrorKind::NegOverflow => Integer::TooLarge,
            _ => Integer::Fractional,
        },
    }
}

/// A finite double, or `None` when the number is beyond its range.
pub(crate) fn real(text: &str) -> Option<f64> {
    text.parse().ok().filter(|real: &f64| real.is_finite())
}

/// A finite number of single precision, kept as a double.
pub(crate) fn single(text: &str) -> Option<f64> {
    let single = text.parse().ok().filter(|single: &f32| single.is_finite());
    single.map(f64::from)
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
        assert_eq!(real("1e3"), Some(1000.0));
        assert_eq!(real("1e999"), None);
    }

    #[test]
    fn singles_are_rounded_once_and_finite() {
        assert_eq!(single("0.1"), Some(f64::from(0.1_f32)));
        assert_eq!(single("1e39"), None);
    }
}
