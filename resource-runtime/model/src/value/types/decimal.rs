//! The type `Decimal` as a field: exact decimal numbers, stored as text.

use rust_decimal::Decimal;
use serde_json::value::RawValue;

use crate::value::Kind;
use crate::{FieldValue, RecordError, Value};

/// Reads a JSON number or a string that holds one, digit by digit, and never rounds. Responses hold a
/// string, because most clients read JSON numbers as doubles.
impl FieldValue for Decimal {
    const KIND: Kind = Kind::Decimal;

    fn from_value(value: Value) -> Result<Self, RecordError> {
        // A client may send a number or a string; both arrive as the text of the number.
        match value {
            Value::Text(text) if is_number(&text) => exact(&text).ok_or_else(|| {
                RecordError::new(
                    "must be a decimal number of at most 28 digits, or 29 below \
                     79228162514264337593543950336, and at most 28 of them behind the point",
                )
            }),
            _ => Err(RecordError::mismatch(Self::KIND)),
        }
    }

    fn to_value(&self) -> Value {
        // Minus zero equals zero, and equal values must have equal texts.
        let sign = self.is_sign_negative() && !self.is_zero();
        // The scale is kept, so that a client reads the zeros that were sent.
        let magnitude = self.abs();
        Value::Text(format!("{}{magnitude}", if sign { "-" } else { "" }))
    }
}

/// Tests whether `text` is a number by the grammar of JSON; the parser of decimals accepts more.
fn is_number(text: &str) -> bool {
    // The first character rules out every other type of JSON, such as a string or an array.
    let numeric = text.starts_with(|first: char| first == '-' || first.is_ascii_digit());
    // The parser drops white space around the number, which the comparison notices.
    let json: Option<&RawValue> = serde_json::from_str(text).ok();
    numeric && json.is_some_and(|json| json.get() == text)
}

fn exact(text: &str) -> Option<Decimal> {
    // The exponent is read apart, because the exact parser of decimals takes none.
    let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
    // `parse` would round digits that a decimal does not hold.
    let mantissa = Decimal::from_str_exact(mantissa).ok()?;
    // The exponent of zero may be beyond the range of `i32`.
    if mantissa.is_zero() {
        return Some(mantissa);
    }
    // An exponent that `i32` does not hold is beyond every decimal.
    shifted(mantissa, exponent.parse().ok()?)
}

/// `number` × 10^`exponent`, where a decimal holds it.
fn shifted(number: Decimal, exponent: i32) -> Option<Decimal> {
    // Without an exponent, the digits stay as they were sent: `1.50` keeps its zero.
    if exponent == 0 {
        return Some(number);
    }
    // Zeros at the end of the fraction would take up places that the exponent needs.
    let mut number = number.normalize();
    let scale = i32::try_from(number.scale()).ok()?.checked_sub(exponent)?;
    // A decimal has no negative scale, so the multiplications below make up for one.
    number.set_scale(u32::try_from(scale.max(0)).ok()?).ok()?;
    // A huge exponent does not loop for long: after at most 29 steps the multiplication overflows.
    (scale..0).try_fold(number, |number, _| number.checked_mul(Decimal::TEN))
}

#[cfg(test)]
mod tests {
    use super::{Decimal, FieldValue, Value};

    fn normal(text: &str) -> Option<String> {
        match Decimal::normalise(Value::Text(text.into())) {
            Ok(Value::Text(text)) => Some(text),
            _ => None,
        }
    }

    #[test]
    fn digits_are_kept_as_they_were_sent() {
        for text in [
            "0.1",
            "10",
            "9.99",
            "-3",
            "1.50",
            "79228162514264337593543950335",
            "-79228162514264337593543950335",
            "0.0000000000000000000000000001",
        ] {
            assert_eq!(normal(text).as_deref(), Some(text));
        }
        assert_eq!(normal("-0.0").as_deref(), Some("0.0"));
    }

    #[test]
    fn exponents_are_written_out() {
        for (text, written_out) in [
            ("1e3", "1000"),
            ("1.5E+2", "150"),
            ("100e-2", "1.00"),
            ("1e-28", "0.0000000000000000000000000001"),
            ("12e-1", "1.2"),
            ("0e99999999999", "0"),
        ] {
            assert_eq!(normal(text).as_deref(), Some(written_out), "{text}");
        }
    }

    #[test]
    fn nothing_is_rounded_and_nothing_else_is_a_number() {
        for text in [
            "79228162514264337593543950336",
            "0.00000000000000000000000000001",
            "1e-29",
            "1e29",
            "1e999999999",
            "1e99999999999999999999",
            "NaN",
            "Infinity",
            "",
            "-",
            "1_000",
            "+1",
            ".5",
            "5.",
            "007",
            " 1",
            "1 ",
            "0x10",
            "\"1\"",
        ] {
            assert_eq!(normal(text), None, "{text}");
        }
    }
}
