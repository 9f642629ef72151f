//! The check of credit card numbers, by length and check digit.

/// The number of digits of a card number: those of ISO/IEC 7812-1, without the lengths below 12 that no
/// issuer of payment cards uses.
const DIGITS: std::ops::RangeInclusive<usize> = 12..=19;

/// Tests whether the text is a credit card number: its length and its check digit are right.
///
/// The number has 12 to 19 ASCII digits, not all of them 0, and passes the Luhn algorithm of ISO/IEC 7812-1
/// annex B. Between two digits one space or one hyphen may stand, as on a card. The issuer and the
/// existence of the card are not checked.
///
/// ```
/// use resource_runtime::checks::is_credit_card_number;
///
/// assert!(is_credit_card_number("4111 1111 1111 1111"));
/// assert!(!is_credit_card_number("4111 1111 1111 1112"));
/// assert!(!is_credit_card_number("4111  1111 1111 1111"));
/// ```
#[must_use]
pub fn is_credit_card_number(text: &str) -> bool {
    // A separator that leads, trails or is doubled leaves an empty group.
    let mut groups = text.split([' ', '-']);
    // The groups are checked first, because the later tests skip whatever is no digit.
    groups.all(is_group)
        && DIGITS.contains(&digits_from_the_right(text).count())
        // The Luhn algorithm accepts a number of zeros.
        && digits_from_the_right(text).any(|digit| digit != 0)
        && luhn_sum(text).is_multiple_of(10)
}

fn is_group(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

fn luhn_sum(text: &str) -> u32 {
    // Positions count from the check digit at the right end, whatever the length of the number.
    digits_from_the_right(text)
        .enumerate()
        .map(|(position, digit)| match (position % 2, digit) {
            (0, _) => digit,
            // Every second digit is doubled, the one beside the check digit first (ISO/IEC 7812-1 annex B).
            (_, 0..=4) => digit * 2,
            // The sum of the two digits of the double.
            _ => digit * 2 - 9,
        })
        .sum()
}

fn digits_from_the_right(text: &str) -> impl Iterator<Item = u32> {
    text.chars()
        .rev()
        // Separators are skipped here; the test of the groups has refused anything else.
        .filter_map(|character| character.to_digit(10))
}

#[cfg(test)]
mod tests {
    use super::{is_credit_card_number, luhn_sum};
    use crate::checks::Pattern;
    use crate::checks::samples::{accepted_characters, long, texts};

    /// The only number of `length` digits that starts with these, ends with zeros before its check
    /// digit, and passes.
    fn completed(start: &str, length: usize) -> String {
        let number = format!("{start}{}", "0".repeat(length - start.len()));
        let check_digit = (10 - luhn_sum(&number) % 10) % 10;
        format!("{}{check_digit}", &number[..length - 1])
    }

    #[test]
    fn the_test_numbers_of_issuers_pass() {
        for text in [
            "4111111111111111",
            "4012888888881881",
            "4222222222222",
            "5555555555554444",
            "5105105105105100",
            "2223003122003222",
            "378282246310005",
            "371449635398431",
            "6011111111111117",
            "3530111333300000",
            "30569309025904",
            "6759649826438453",
            "501800000009",
            "6212345678901232",
            "6304000000000000",
        ] {
            assert!(is_credit_card_number(text), "{text}");
        }
    }

    #[test]
    fn one_separator_may_stand_between_two_digits() {
        for text in [
            "4111 1111 1111 1111",
            "4111-1111-1111-1111",
            "4111 1111-1111 1111",
            "3782 822463 10005",
            "4-1-1-1-1-1-1-1-1-1-1-1-1-1-1-1",
        ] {
            assert!(is_credit_card_number(text), "{text}");
        }
        for text in [
            " 4111111111111111",
            "4111111111111111 ",
            "-4111111111111111",
            "4111111111111111-",
            "4111  1111 1111 1111",
            "4111--1111-1111-1111",
            "4111 -1111 1111 1111",
            "4111.1111.1111.1111",
            "4111\t1111\t1111\t1111",
            "4111\u{a0}1111\u{a0}1111\u{a0}1111",
            "4111–1111–1111–1111",
            "4111111111111111\n",
            "4111111111111111\0",
        ] {
            assert!(!is_credit_card_number(text), "{text:?}");
        }
    }

    #[test]
    fn other_texts_do_not_pass() {
        for text in [
            "",
            " ",
            "-",
            "4111111111111112",
            "1411111111111111",
            "411111111111111",
            "41111111111111111",
            "+4111111111111111",
            "4111111111111111a",
            "4111x11111111111",
            "４１１１１１１１１１１１１１１１",
            "٤١١١١١١١١١١١١١١١",
            "411111111111111𝟏",
            "41111111l1111111",
            "41111111O1111111",
        ] {
            assert!(!is_credit_card_number(text), "{text:?}");
        }
    }

    #[test]
    fn no_number_is_all_zeros() {
        for digits in 12..=19 {
            assert!(!is_credit_card_number(&"0".repeat(digits)), "{digits}");
        }
        assert!(!is_credit_card_number("0000 0000 0000 0000"));
        assert!(is_credit_card_number("000000000018"));
    }

    #[test]
    fn a_number_has_12_to_19_digits() {
        for digits in 2..=40 {
            let text = completed("4", digits);
            assert_eq!(text.len(), digits);
            assert_eq!(
                is_credit_card_number(&text),
                (12..=19).contains(&digits),
                "{text}"
            );
        }
        let spaced = completed("4", 19).replace("00", "0 0");
        assert!(
            spaced.len() > 19 && is_credit_card_number(&spaced),
            "{spaced}"
        );
        // Separators do not count as digits.
        assert!(!is_credit_card_number("4-1-1-1-1-1-1-1"));
    }

    #[test]
    fn one_wrong_digit_is_always_noticed() {
        let number = "4929939187355598";
        assert!(is_credit_card_number(number));
        for position in 0..number.len() {
            for digit in '0'..='9' {
                let mut changed = number.to_owned();
                changed.replace_range(position..=position, &digit.to_string());
                assert_eq!(
                    is_credit_card_number(&changed),
                    changed == number,
                    "{changed}"
                );
            }
        }
    }

    #[test]
    fn one_check_digit_of_ten_is_right() {
        for length in 12..=19 {
            let start = &"7992739871000000000"[..length - 1];
            let passing = ('0'..='9')
                .filter(|digit| is_credit_card_number(&format!("{start}{digit}")))
                .count();
            assert_eq!(passing, 1, "{start}");
        }
    }

    #[test]
    fn no_other_character_stands_in_a_number() {
        assert_eq!(
            accepted_characters("4111{}11111111111", is_credit_card_number),
            "1"
        );
        // The digit that makes a number of 17 digits right is accepted too.
        assert_eq!(
            accepted_characters("41111111{}11111111", is_credit_card_number),
            " -3"
        );
    }

    #[test]
    fn separators_are_judged_as_an_expression_does() {
        static FORM: Pattern = Pattern::new("[0-9](?:[ -]?[0-9]){11,18}");
        for end in texts("1 -é", 6) {
            let text = format!("41111111111{end}");
            let right = FORM.matches(&text) && luhn_sum(&text).is_multiple_of(10);
            assert_eq!(is_credit_card_number(&text), right, "{text:?}");
        }
    }

    #[test]
    fn huge_texts_are_refused() {
        for piece in ["0", "4", "9", " ", "-", "4 ", "4-", "é", "\0"] {
            assert!(!is_credit_card_number(&long(piece)), "{piece:?}");
            assert!(
                !is_credit_card_number(&format!("{}4", long(piece))),
                "{piece:?}"
            );
        }
    }
}
