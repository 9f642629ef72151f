//! The deprecation of a version or of an attribute.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use super::super::{DefinitionOf, definition_of};
use crate::ApiResource;

/// A deprecation, as `deprecated(…)` declares it. Its days are texts like `2027-01-01`, which the derive has checked.
#[derive(Debug, Clone, Copy)]
pub struct Deprecation {
    since: &'static str,
    sunset: Option<&'static str>,
    successor: Option<DefinitionOf>,
    instead: Option<&'static str>,
    reason: &'static str,
}

impl Deprecation {
    getters! {
        /// The day from which on clients should use something else.
        since() -> &'static str => since;

        /// The day from which on it may be gone.
        sunset() -> Option<&'static str> => sunset;

        /// The attribute to use instead.
        instead() -> Option<&'static str> => instead;

        /// The reason, for people; empty where none is given.
        reason() -> &'static str => reason;
    }

    /// A deprecation since this day.
    #[must_use]
    pub const fn new(since: &'static str) -> Self {
        Self {
            since,
            sunset: None,
            successor: None,
            instead: None,
            reason: "",
        }
    }

    setters! {
        /// Sets the day from which on it may be gone.
        until(day: &'static str) => sunset = Some(day);

        /// Names the attribute to use instead.
        use_instead(attribute: &'static str) => instead = Some(attribute);

        /// Tells the reason, for people.
        because(reason: &'static str) => reason = reason;
    }

    /// Names the version to use instead.
    #[must_use]
    pub const fn use_version<R: ApiResource>(mut self) -> Self {
        self.successor = Some(definition_of::<R>);
        self
    }

    /// The version to use instead, where one is named.
    #[must_use]
    pub const fn successor(&self) -> Option<DefinitionOf> {
        self.successor
    }

    /// The deprecation in sentences, with the version to use or, without, the attribute.
    #[must_use]
    pub fn in_words(&self, version: Option<String>) -> String {
        let mut text = format!("Deprecated since {}", self.since);
        if !self.reason.is_empty() {
            text.extend([": ", self.reason.trim_end_matches('.')]);
        }
        if let Some(day) = self.sunset {
            text.extend(["; may be gone from ", day, " on"]);
        }
        text.push('.');
        let instead = version.or_else(|| self.instead.map(|name| format!("`{name}`")));
        text.extend(instead.map(|it| format!(" Use {it} instead.")));
        text
    }

    /// The beginning of the sunset's day.
    #[must_use]
    pub fn sunset_time(&self) -> Option<SystemTime> {
        let seconds = u64::try_from(Self::seconds(self.sunset?)).ok()?;
        Some(UNIX_EPOCH + Duration::from_secs(seconds))
    }

    /// The day of the sunset, where that is past.
    #[must_use]
    pub fn past_sunset(&self, now: SystemTime) -> Option<&'static str> {
        self.sunset.filter(|_| self.sunset_time() <= Some(now))
    }

    /// The seconds from 1970 to the beginning of a day like `2027-01-01`.
    #[must_use]
    pub const fn seconds(day: &str) -> i64 {
        const fn number(mut digits: &[u8]) -> i64 {
            let mut number = 0;
            while let [digit, rest @ ..] = digits {
                number = number * 10 + (*digit as i64 - b'0' as i64);
                digits = rest;
            }
            number
        }
        let [year @ .., _, m1, m2, _, d1, d2] = day.as_bytes() else {
            return 0;
        };
        let (year, month, day) = (number(year), number(&[*m1, *m2]), number(&[*d1, *d2]));
        // Years that begin in March, so that a leap day is the last of its year.
        let (year, month) = (year - (month <= 2) as i64, (month + 9) % 12);
        let leap_days = year.div_euclid(4) - year.div_euclid(100) + year.div_euclid(400);
        let days = 365 * year + leap_days + (153 * month + 2) / 5 + day - 719_469;
        days * 86_400
    }
}

#[cfg(test)]
mod tests {
    use super::Deprecation;

    #[test]
    fn seconds_of_days_are_those_of_the_calendar() {
        for (day, seconds) in [
            ("1970-01-01", 0),
            ("1969-12-31", -86_400),
            ("2000-02-29", 951_782_400),
            ("2027-07-01", 1_814_400_000),
            ("0000-03-01", -62_162_035_200),
        ] {
            assert_eq!(Deprecation::seconds(day), seconds, "{day}");
        }
        // Each day of 1600 to 2400 begins when the one before has ended.
        let mut before = Deprecation::seconds("1599-12-31");
        for year in 1600..2400 {
            let is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
            for (month, days) in (1..).zip([31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]) {
                for day in 1..=days + i32::from(is_leap && month == 2) {
                    let seconds = Deprecation::seconds(&format!("{year}-{month:02}-{day:02}"));
                    assert_eq!(seconds - before, 86_400, "{year}-{month}-{day}");
                    before = seconds;
                }
            }
        }
    }

    #[test]
    fn words_name_what_there_is() {
        let days = Deprecation::new("2027-01-01").because("it was never used.");
        let expected = "Deprecated since 2027-01-01: it was never used.";
        assert_eq!(days.in_words(None), expected);
        let of_attribute = Deprecation::new("2027-01-01")
            .until("2027-07-01")
            .use_instead("title");
        let expected =
            "Deprecated since 2027-01-01; may be gone from 2027-07-01 on. Use `title` instead.";
        assert_eq!(of_attribute.in_words(None), expected);
    }
}
