//! The check of phone numbers by the numbering plans of their countries.

use phonenumber::metadata::DATABASE;
use phonenumber::{Metadata, Type};

use super::is_phone_number;

/// The longest country code, in digits (E.164 6.2.1).
const LONGEST_COUNTRY_CODE: usize = 3;

/// The numbers that are dialled from abroad; emergency numbers and short codes are not.
const TYPES: [Type; 10] = [
    Type::Mobile,
    Type::FixedLine,
    Type::TollFree,
    Type::PremiumRate,
    Type::SharedCost,
    Type::PersonalNumber,
    Type::Voip,
    Type::Pager,
    Type::Uan,
    Type::Voicemail,
];

/// Tests whether the text is a phone number that the numbering plan of its country has.
///
/// The number has the form of [`is_phone_number`], its country code is assigned, and the digits after the
/// code are a number of a country or service with that code. The plans are those of Google's
/// libphonenumber, as the crate `phonenumber` brings them: numbers opened later are refused until
/// that crate is updated. The check does not tell whether somebody has the number.
///
/// The first number of a country is slower, by milliseconds: the plans and their expressions are
/// made ready when they are first needed.
///
/// This needs the feature `phonenumber`.
///
/// ```
/// use resource_runtime::checks::is_dialable_phone_number;
///
/// assert!(is_dialable_phone_number("+442079460958"));
/// // A trunk prefix is not dialled from abroad.
/// assert!(!is_dialable_phone_number("+4402079460958"));
/// // No country has the code 999.
/// assert!(!is_dialable_phone_number("+999123456789"));
/// ```
#[must_use]
pub fn is_dialable_phone_number(text: &str) -> bool {
    // The form comes first, so that nothing but digits is left behind the plus sign.
    is_phone_number(text)
        && text
            .strip_prefix('+')
            .and_then(plans_and_national_number)
            .is_some_and(|(plans, number)| plans.iter().any(|plan| has(plan, number)))
}

/// The plans of the country code that the digits start with, and the digits after it.
///
/// `phonenumber::parse` is not used: it removes a national prefix where a number merely starts with the
/// same digits, so that it refuses `+78001234567` and accepts `+330631966543`.
fn plans_and_national_number(digits: &str) -> Option<(Vec<&'static Metadata>, &str)> {
    // No country code starts with another one, so the first that is found is the only one.
    (1..=LONGEST_COUNTRY_CODE).find_map(|length| {
        let (code, number) = digits.split_at_checked(length)?;
        // A code that is not assigned is no failure yet, because a longer one may be.
        let plans = DATABASE.by_code(&code.parse().ok()?)?;
        Some((plans, number))
    })
}

fn has(plan: &Metadata, number: &str) -> bool {
    let descriptors = plan.descriptors();
    // The general expression first: it may refuse a number before those of the ten types are compiled.
    descriptors.general().is_match(number)
        && TYPES
            .iter()
            .filter_map(|kind| descriptors.get(*kind))
            .any(|descriptor| descriptor.is_match(number))
}

#[cfg(test)]
mod tests {
    use phonenumber::Metadata;
    use phonenumber::metadata::DATABASE;

    use super::{TYPES, is_dialable_phone_number};
    use crate::checks::is_phone_number;
    use crate::checks::samples::{accepted_characters, long};

    #[test]
    fn numbers_of_a_plan_pass() {
        for text in [
            "+442079460958",
            "+447912345678",
            "+16502530000",
            "+12423456789",
            "+390236618300",
            "+393912312312",
            "+4930123456",
            "+80012345678",
            "+979123456789",
        ] {
            assert!(is_dialable_phone_number(text), "{text}");
        }
    }

    #[test]
    fn a_number_that_starts_like_a_national_prefix_passes() {
        for text in ["+78001234567", "+37080012345", "+3758011234567"] {
            assert!(is_dialable_phone_number(text), "{text}");
        }
    }

    #[test]
    fn numbers_that_no_plan_has_do_not_pass() {
        for text in [
            "+12530000",
            "+10000000000",
            "+11111111111",
            "+44791234567",
            "+491234567",
            "+643316005",
            "+800123456789",
            "+999123456789",
            "+2101234567",
            "+999999999999999",
        ] {
            assert!(is_phone_number(text), "{text}");
            assert!(!is_dialable_phone_number(text), "{text}");
        }
    }

    #[test]
    fn a_national_prefix_does_not_stand_after_the_country_code() {
        for text in ["+4402079460958", "+330631966543", "+116502530000"] {
            assert!(is_phone_number(text), "{text}");
            assert!(!is_dialable_phone_number(text), "{text}");
        }
    }

    #[test]
    fn emergency_numbers_and_short_codes_do_not_pass() {
        for text in ["+44999", "+1911", "+33112", "+49110"] {
            assert!(!is_dialable_phone_number(text), "{text}");
        }
    }

    #[test]
    fn texts_of_another_form_do_not_pass() {
        for text in [
            "",
            "+",
            "442079460958",
            "00442079460958",
            "+44 20 7946 0958",
            "+442079460958;ext=1",
            "tel:+442079460958",
            "+442079460958;phone-context=+44",
            "+dwPAA;phone-context=AA",
            ".;phone-context=",
            " 2 22#:",
            "+٤٤٢٠٧٩٤٦٠٩٥٨",
            "＋442079460958",
        ] {
            assert!(!is_dialable_phone_number(text), "{text:?}");
        }
        assert_eq!(
            accepted_characters("+44207946095{}", is_dialable_phone_number),
            "0123456789"
        );
    }

    /// Compiles every expression, which otherwise happens on first use, where an invalid one would panic.
    #[test]
    fn every_plan_can_be_read_and_has_its_own_examples() {
        let mut count = 0;
        for plan in DATABASE.iter() {
            assert!(!plan.descriptors().general().is_match(""), "{}", plan.id());
            for descriptor in TYPES
                .iter()
                .filter_map(|kind| plan.descriptors().get(*kind))
            {
                descriptor.national_number().is_match("");
                let Some(example) = descriptor.example() else {
                    continue;
                };
                let text = format!("+{}{example}", plan.country_code());
                // Iran's short access numbers have 6 digits with the country code.
                assert_eq!(
                    is_dialable_phone_number(&text),
                    is_phone_number(&text),
                    "{text}"
                );
                count += 1;
            }
        }
        assert!(count > 1000, "{count}");
    }

    #[test]
    fn no_country_code_starts_with_another_one() {
        let codes: Vec<_> = DATABASE.iter().map(Metadata::country_code).collect();
        for code in &codes {
            assert!(!codes.contains(&(code / 10)), "{code}");
            assert!(!codes.contains(&(code / 100)), "{code}");
        }
    }

    #[test]
    fn huge_texts_are_refused() {
        for piece in ["1", "+", "+1", "é", "\0", ";phone-context=+"] {
            assert!(!is_dialable_phone_number(&long(piece)), "{piece:?}");
        }
    }
}
