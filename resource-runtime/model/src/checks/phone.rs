//! The check of phone numbers in the international form of E.164.

/// The number of digits: at most those of E.164 6.1, at least those of the shortest subscriber numbers
/// with their country code.
const DIGITS: std::ops::RangeInclusive<usize> = 7..=15;

/// Tests whether the text is a phone number in the international form of E.164.
///
/// The form is `+`, then 7 to 15 ASCII digits, the first not 0, and nothing between or around them: the
/// form in which a number is stored and compared. The numbering plan of the country is not checked.
///
/// ```
/// use resource_runtime::checks::is_phone_number;
///
/// assert!(is_phone_number("+442079460958"));
/// assert!(!is_phone_number("+44 20 7946 0958"));
/// assert!(!is_phone_number("020 7946 0958"));
/// ```
#[must_use]
pub fn is_phone_number(text: &str) -> bool {
    // The plus sign says that a country code follows, none of which begins with 0.
    text.strip_prefix('+').is_some_and(|digits| {
        // Bytes may be counted before they are known to be digits: others fail the next test.
        DIGITS.contains(&digits.len())
            && digits.bytes().all(|byte| byte.is_ascii_digit())
            && !digits.starts_with('0')
    })
}

#[cfg(test)]
mod tests {
    use super::is_phone_number;
    use crate::checks::Pattern;
    use crate::checks::samples::{accepted_characters, long, texts};

    static E164: Pattern = Pattern::new(r"\+[1-9][0-9]{6,14}");

    #[test]
    fn numbers_in_international_form_pass() {
        for text in [
            "+442079460958",
            "+14155552671",
            "+2901234",
            "+999999999999999",
            "+10000000",
        ] {
            assert!(is_phone_number(text), "{text}");
        }
    }

    #[test]
    fn other_texts_do_not_pass() {
        for text in [
            "",
            "+",
            "442079460958",
            "00442079460958",
            "+0442079460958",
            "++442079460958",
            "+-442079460958",
            "442079460958+",
            "+44+2079460958",
            "+44 20 7946 0958",
            "+44-2079460958",
            "+44(0)2079460958",
            "+44.2079460958",
            "+44x2079460958",
            "+44207946095a",
            " +442079460958",
            "+442079460958 ",
            "+442079460958\n",
            "+442079460958\0",
            "+442079460958;ext=1",
            "tel:+442079460958",
        ] {
            assert!(!is_phone_number(text), "{text:?}");
        }
    }

    #[test]
    fn digits_and_signs_of_other_scripts_do_not_pass() {
        for text in [
            "＋442079460958",
            "+٤٤٢٠٧٩٤٦٠٩٥٨",
            "+４４２０７９４６０９５８",
            "+44207946095𝟖",
            "+44207946095²",
            "+4420794609Ⅷ8",
            "+44207946O958",
            "+442079460958\u{200b}",
            "\u{202d}+442079460958",
        ] {
            assert!(!is_phone_number(text), "{text:?}");
        }
    }

    #[test]
    fn no_other_character_stands_in_a_number() {
        assert_eq!(accepted_characters("{}4420794609", is_phone_number), "+");
        assert_eq!(
            accepted_characters("+{}420794609", is_phone_number),
            "123456789"
        );
        assert_eq!(
            accepted_characters("+44{}0794609", is_phone_number),
            "0123456789"
        );
    }

    #[test]
    fn a_number_has_7_to_15_digits() {
        for digits in 0..=40 {
            let text = format!("+{}", "1".repeat(digits));
            assert_eq!(is_phone_number(&text), (7..=15).contains(&digits), "{text}");
        }
    }

    #[test]
    fn lengths_count_digits_not_other_bytes() {
        assert!(!is_phone_number("+éééé"));
        assert!(!is_phone_number("+1é12345"));
    }

    #[test]
    fn endings_are_judged_as_the_expression_does() {
        for start in ["", "+12345", "+12345678901234"] {
            for end in texts("+019 é", 4) {
                let text = format!("{start}{end}");
                assert_eq!(is_phone_number(&text), E164.matches(&text), "{text:?}");
            }
        }
    }

    #[test]
    fn huge_texts_are_refused() {
        for piece in ["1", "+", "+1", "é", "\0"] {
            assert!(!is_phone_number(&long(piece)), "{piece:?}");
        }
        assert!(!is_phone_number(&format!("+{}", long("1"))));
    }
}
