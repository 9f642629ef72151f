//! Dates and times, which PostgreSQL sends as days or microseconds since 2000-01-01.

use std::fmt::Write as _;

use resource_model::value::ShortText;

use super::array;

/// Days from 0000-03-01, where the algorithm of the calendar begins, to 2000-01-01.
const EPOCH: i64 = 730_425;

const MICROSECONDS_OF_A_SECOND: i64 = 1_000_000;
const MICROSECONDS_OF_A_DAY: i64 = 86_400 * MICROSECONDS_OF_A_SECOND;

/// `2024-02-29`, from days; none for a year that attributes cannot have.
pub(in crate::store::postgres) fn date(bytes: &[u8]) -> Option<ShortText> {
    let days = i32::from_be_bytes(array(bytes)?);
    let mut text = ShortText::default();
    write_date(&mut text, days.into())?;
    Some(text)
}

/// `07:08:09.5`, from microseconds.
pub(in crate::store::postgres) fn time(bytes: &[u8]) -> Option<ShortText> {
    // A time of day is never negative, so that no division has to round down.
    let microseconds = i64::from_be_bytes(array(bytes)?);
    let mut text = ShortText::default();
    write_time(&mut text, microseconds)?;
    write_short_fraction(&mut text, microseconds)?;
    Some(text)
}

/// `2024-02-29T07:08:09.5`, from microseconds.
pub(in crate::store::postgres) fn local_date_time(bytes: &[u8]) -> Option<ShortText> {
    let (mut text, microseconds) = moment(bytes)?;
    write_short_fraction(&mut text, microseconds)?;
    Some(text)
}

/// `2024-02-29T07:08:09.500000Z`, from microseconds.
pub(in crate::store::postgres) fn instant(bytes: &[u8]) -> Option<ShortText> {
    let (mut text, microseconds) = moment(bytes)?;
    // Always six digits: SQLite compares these texts, and a `Z` after fewer would come after a further digit.
    let fraction = microseconds % MICROSECONDS_OF_A_SECOND;
    write!(text, ".{fraction:06}Z").ok()?;
    Some(text)
}

/// The text of a timestamp up to its seconds, and the microseconds of its day.
fn moment(bytes: &[u8]) -> Option<(ShortText, i64)> {
    let microseconds = i64::from_be_bytes(array(bytes)?);
    // Moments before 2000 are negative: a division that rounds to zero would put them on the wrong day.
    let days = microseconds.div_euclid(MICROSECONDS_OF_A_DAY);
    let of_the_day = microseconds.rem_euclid(MICROSECONDS_OF_A_DAY);
    let mut text = ShortText::default();
    write_date(&mut text, days)?;
    text.write_char('T').ok()?;
    write_time(&mut text, of_the_day)?;
    Some((text, of_the_day))
}

/// The day of the Gregorian calendar that is `days` after 2000-01-01.
///
/// Years begin in March, so that a leap day is the last of its year. 400 years (an era) have 146,097 days,
/// and five months in a row, from March or from August, have 153.
fn write_date(text: &mut ShortText, days: i64) -> Option<()> {
    let days = days.checked_add(EPOCH)?;
    let (era, of_era) = (days.div_euclid(146_097), days.rem_euclid(146_097));
    // Leap days are taken out, which leaves 365 days a year: one in 4 years, none in 100, one in 400.
    let year_of_era = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    // A line through the lengths of the months finds the month without a table.
    let month_from_march = (5 * of_year + 2) / 153;
    let day = of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = if month_from_march < 10 {
        month_from_march + 3
    } else {
        month_from_march - 9
    };
    // January and February end the year that began in March before.
    let year = year_of_era + era * 400 + i64::from(month <= 2);
    // PostgreSQL's infinities are its extreme numbers, and so are refused here, too.
    if !(1..=9999).contains(&year) {
        return None;
    }
    write!(text, "{year:04}-{month:02}-{day:02}").ok()
}

fn write_time(text: &mut ShortText, microseconds: i64) -> Option<()> {
    let seconds = microseconds / MICROSECONDS_OF_A_SECOND;
    let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    write!(text, "{hours:02}:{minutes:02}:{seconds:02}").ok()
}

/// Writes the fraction of a second without trailing zeros; nothing for a whole second.
fn write_short_fraction(text: &mut ShortText, microseconds: i64) -> Option<()> {
    let mut fraction = microseconds % MICROSECONDS_OF_A_SECOND;
    if fraction == 0 {
        return Some(());
    }
    let mut digits = 6;
    // This ends, since the fraction is not zero.
    while fraction % 10 == 0 {
        fraction /= 10;
        digits -= 1;
    }
    write!(text, ".{fraction:0digits$}").ok()
}

#[cfg(test)]
mod tests {
    use super::{date, instant, local_date_time, time};

    fn microseconds(days: i64, of_the_day: i64) -> [u8; 8] {
        (days * super::MICROSECONDS_OF_A_DAY + of_the_day).to_be_bytes()
    }

    #[test]
    fn days_become_dates_of_the_gregorian_calendar() {
        for (days, expected) in [
            (0, "2000-01-01"),
            (-1, "1999-12-31"),
            (59, "2000-02-29"),
            (60, "2000-03-01"),
            (-10_957, "1970-01-01"),
            (8_825, "2024-02-29"),
            (-36_465, "1900-03-01"),
            (-36_466, "1900-02-28"),
            (-730_119, "0001-01-01"),
            (2_921_939, "9999-12-31"),
        ] {
            let text = date(&i32::to_be_bytes(days)).unwrap();
            assert_eq!(text.as_str(), expected);
        }
        for beyond in [-730_120, 2_921_940, i32::MIN, i32::MAX] {
            assert!(date(&beyond.to_be_bytes()).is_none(), "{beyond}");
        }
    }

    #[test]
    fn times_have_no_trailing_zeros() {
        for (microseconds, expected) in [
            (0, "00:00:00"),
            (25_689_500_000, "07:08:09.5"),
            (25_689_000_001, "07:08:09.000001"),
            (86_399_999_999, "23:59:59.999999"),
        ] {
            let text = time(&i64::to_be_bytes(microseconds)).unwrap();
            assert_eq!(text.as_str(), expected);
        }
    }

    #[test]
    fn timestamps_have_a_date_and_a_time() {
        let moment = microseconds(8_825, 25_689_500_000);
        assert_eq!(
            local_date_time(&moment).unwrap().as_str(),
            "2024-02-29T07:08:09.5"
        );
        assert_eq!(
            instant(&moment).unwrap().as_str(),
            "2024-02-29T07:08:09.500000Z"
        );
        let before = microseconds(-1, 86_399_999_999);
        assert_eq!(
            instant(&before).unwrap().as_str(),
            "1999-12-31T23:59:59.999999Z"
        );
        for infinite in [i64::MIN, i64::MAX] {
            assert!(instant(&infinite.to_be_bytes()).is_none());
        }
    }
}
