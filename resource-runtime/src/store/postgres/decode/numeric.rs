//! Decimals, which PostgreSQL sends as digits of base 10,000.

use std::fmt::Write as _;

use resource_model::value::ShortText;

use super::array;

const NEGATIVE: u16 = 0x4000;
const POSITIVE: u16 = 0x0000;

/// `-12.50`, from a header of four words and the digits. The words are the number of digits, the weight of
/// the first digit (a power of 10,000), the sign, and the number of decimal places. None for NaN, for
/// infinities, and for a number that is too long.
pub(in crate::store::postgres) fn numeric(bytes: &[u8]) -> Option<ShortText> {
    let (head, digits) = bytes.split_at_checked(8)?;
    let [count, weight, sign, scale] = words(head)?;
    // The weight is signed: a number below one begins with a negative power.
    let weight = i32::from(weight.cast_signed());
    let (digits, _) = digits.as_chunks::<2>();
    // NaN and the infinities have signs of their own.
    if digits.len() != usize::from(count) || !matches!(sign, POSITIVE | NEGATIVE) {
        return None;
    }
    // Digits that are zero at either end are not sent.
    let digit = |power: i32| {
        let index = usize::try_from(weight - power).ok();
        let digit = index.and_then(|index| digits.get(index));
        digit.map_or(0, |digit| u16::from_be_bytes(*digit))
    };
    let mut text = ShortText::default();
    if sign == NEGATIVE {
        text.write_char('-').ok()?;
    }
    // The first digit has no leading zeros; a number below one has no digit here, which is a zero.
    write!(text, "{}", digit(weight.max(0))).ok()?;
    for power in (0..weight.max(0)).rev() {
        write!(text, "{:04}", digit(power)).ok()?;
    }
    write_fraction(&mut text, scale, digit)?;
    Some(text)
}

/// Writes the decimal places, four for each digit of base 10,000 and fewer for the last.
fn write_fraction(text: &mut ShortText, scale: u16, digit: impl Fn(i32) -> u16) -> Option<()> {
    if scale > 0 {
        text.write_char('.').ok()?;
    }
    let mut left = usize::from(scale);
    let mut power = -1;
    while left > 0 {
        let group = digit(power);
        let shown = left.min(4);
        // The last digit of base 10,000 may have more places than the number; those beyond it are zeros.
        let cut = [1000, 100, 10, 1].get(shown - 1).copied()?;
        write!(text, "{:0shown$}", group / cut).ok()?;
        left -= shown;
        power -= 1;
    }
    Some(())
}

fn words(head: &[u8]) -> Option<[u16; 4]> {
    let words = u64::from_be_bytes(array(head)?);
    let word = |shift: u32| u16::try_from((words >> shift) & 0xffff).ok();
    Some([word(48)?, word(32)?, word(16)?, word(0)?])
}

#[cfg(test)]
mod tests {
    use super::{NEGATIVE, POSITIVE, numeric};

    fn written(weight: i16, sign: u16, scale: u16, digits: &[u16]) -> Option<String> {
        let count = u16::try_from(digits.len()).unwrap();
        let words = [count, weight.cast_unsigned(), sign, scale];
        let words = words.iter().chain(digits);
        let bytes: Vec<u8> = words.flat_map(|word| word.to_be_bytes()).collect();
        numeric(&bytes).map(|text| text.as_str().to_owned())
    }

    #[test]
    fn numbers_are_written_with_all_their_digits() {
        for (weight, sign, scale, digits, expected) in [
            (0, POSITIVE, 0, &[][..], "0"),
            (0, POSITIVE, 2, &[], "0.00"),
            (0, POSITIVE, 2, &[12, 5000], "12.50"),
            (0, NEGATIVE, 0, &[3], "-3"),
            (-1, POSITIVE, 1, &[1000], "0.1"),
            (-2, POSITIVE, 5, &[1000], "0.00001"),
            (1, POSITIVE, 0, &[1], "10000"),
            (1, POSITIVE, 3, &[1, 2, 300], "10002.030"),
            (0, POSITIVE, 6, &[1, 2345, 6700], "1.234567"),
            (0, POSITIVE, 1, &[7, 8900], "7.8"),
            (0, NEGATIVE, 7, &[1, 2345], "-1.2345000"),
            (-3, POSITIVE, 9, &[1], "0.000000000"),
            (2, POSITIVE, 0, &[1], "100000000"),
        ] {
            assert_eq!(
                written(weight, sign, scale, digits).as_deref(),
                Some(expected)
            );
        }
    }

    #[test]
    fn invalid_numbers_are_none() {
        assert_eq!(written(0, 0xC000, 0, &[]), None);
        assert_eq!(written(100, POSITIVE, 0, &[1]), None);
        assert_eq!(numeric(&[0; 7]), None);
        let without_its_digit = [0, 1, 0, 0, 0, 0, 0, 0];
        assert_eq!(numeric(&without_its_digit), None);
    }
}
