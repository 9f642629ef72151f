//! Dates and times, each stored in one text form whose order is the order in time.
//!
//! Texts are read strictly (RFC 3339, ISO 8601), from the year 1 to 9999, which every database holds, and to
//! the microsecond: a finer time is refused rather than rounded. There are no leap seconds.

use chrono::{DateTime, Datelike, NaiveDate, NaiveDateTime, NaiveTime, Timelike, Utc};

use crate::value::Kind;
use crate::{FieldValue, RecordError, Value};

/// The format of a time of day before its fraction; `0` stands for any digit.
const TIME: &str = "00:00:00";

impl FieldValue for NaiveDate {
    const KIND: Kind = Kind::Date;

    fn from_value(value: Value) -> Result<Self, RecordError> {
        let text = value.into_text(Self::KIND)?;
        // The parser of chrono also takes signs, and months and days of one digit.
        if !has_format(&text, "0000-00-00") {
            return Err(RecordError::mismatch(Self::KIND));
        }
        let date: Option<Self> = text.parse().ok();
        date.filter(|date| is_storable(*date)).ok_or_else(|| {
            RecordError::new("must be a day of the calendar, from 0001-01-01 to 9999-12-31")
        })
    }

    fn to_value(&self) -> Value {
        // Years within the storable range have four digits each, so that texts sort as dates do.
        Value::Text(self.format("%Y-%m-%d").to_string())
    }
}

impl FieldValue for NaiveTime {
    const KIND: Kind = Kind::Time;

    fn from_value(value: Value) -> Result<Self, RecordError> {
        let text = value.into_text(Self::KIND)?;
        require_time(&text, Self::KIND)?;
        // The form is right by now; the parser judges the numbers.
        let time: Option<Self> = text.parse().ok();
        // chrono reads the second 60 as a leap second, which PostgreSQL turns into the next minute.
        time.filter(|time| !is_leap_second(time)).ok_or_else(|| {
            RecordError::new("must be a time of day, from 00:00:00 to 23:59:59.999999")
        })
    }

    fn to_value(&self) -> Value {
        Value::Text(time_text(*self))
    }
}

impl FieldValue for NaiveDateTime {
    const KIND: Kind = Kind::LocalDateTime;

    fn from_value(value: Value) -> Result<Self, RecordError> {
        let text = value.into_text(Self::KIND)?;
        // Both parts are checked by their own forms, because the parser of chrono takes more than those.
        let (date, time) = text
            .split_once('T')
            .ok_or_else(|| RecordError::mismatch(Self::KIND))?;
        if !has_format(date, "0000-00-00") {
            return Err(RecordError::mismatch(Self::KIND));
        }
        require_time(time, Self::KIND)?;
        // The form is right by now; the parser judges the day and the time together.
        let moment: Option<Self> = text.parse().ok();
        let moment = moment.filter(|it| is_storable(it.date()) && !is_leap_second(it));
        moment.ok_or_else(|| {
            RecordError::new(
                "must be a day of the calendar and a time of day, \
                 from 0001-01-01T00:00:00 to 9999-12-31T23:59:59.999999",
            )
        })
    }

    fn to_value(&self) -> Value {
        let date = self.format("%Y-%m-%d");
        // The fraction is shortened as that of a time, so that equal moments have equal texts.
        Value::Text(format!("{date}T{}", time_text(self.time())))
    }
}

/// Stores an instant in UTC with all six digits of the fraction: with fewer, texts would be compared by the
/// `Z` behind them.
impl FieldValue for DateTime<Utc> {
    const KIND: Kind = Kind::Timestamp;

    fn from_value(value: Value) -> Result<Self, RecordError> {
        let text = value.into_text(Self::KIND)?;
        let (date, time) = text
            // A text of other characters may have one across this place, which is a mismatch, no panic.
            .split_at_checked("0000-00-00T".len())
            .ok_or_else(|| RecordError::mismatch(Self::KIND))?;
        let (time, offset) = time
            // None of these characters is part of a time, so that the first one begins the offset.
            .find(['Z', 'z', '+', '-', ' '])
            .and_then(|place| time.split_at_checked(place))
            .ok_or_else(|| RecordError::mismatch(Self::KIND))?;
        // RFC 3339, section 5.6, permits `t` and `z` in lower case.
        if !has_format(&date.replace('t', "T"), "0000-00-00T") {
            return Err(RecordError::mismatch(Self::KIND));
        }
        require_time(time, Self::KIND)?;
        // A `+` in a query string is decoded as a space.
        if offset.starts_with(' ') {
            return Err(RecordError::new(
                "must have an offset that starts with `+`, `-` or `Z`; in a URL, `+` is written `%2B`",
            ));
        }
        // The offset has no check of its own: the parser takes those of RFC 3339 alone.
        let instant = DateTime::parse_from_rfc3339(&text).ok();
        let instant = instant.map(|instant| instant.with_timezone(&Utc));
        // The range is that of the instant in UTC: its offset may move it to another year.
        let instant = instant.filter(|it| is_storable(it.date_naive()) && !is_leap_second(it));
        instant.ok_or_else(|| {
            RecordError::new(
                "must be a day of the calendar, a time of day and an offset, \
                 from 0001-01-01T00:00:00Z to 9999-12-31T23:59:59.999999Z",
            )
        })
    }

    fn to_value(&self) -> Value {
        Value::Text(self.format("%Y-%m-%dT%H:%M:%S%.6fZ").to_string())
    }
}

/// Tests whether `text` is `format` with any digits in place of its zeros.
fn has_format(text: &str, format: &str) -> bool {
    // Bytes are compared, so that digits of other scripts are none.
    let mut bytes = text.bytes().zip(format.bytes());
    let fits = |(byte, format): (u8, u8)| match format {
        b'0' => byte.is_ascii_digit(),
        other => byte == other,
    };
    // `zip` ends with the shorter text, so the lengths have to be equal, too.
    text.len() == format.len() && bytes.all(fits)
}

/// Requires `00:00:00`, and behind a point at most six digits before trailing zeros.
fn require_time(text: &str, kind: Kind) -> Result<(), RecordError> {
    // Without a point, the fraction is zero.
    let (whole, fraction) = text.split_once('.').unwrap_or((text, "0"));
    // A point without digits behind it is no fraction (RFC 3339, section 5.6).
    let digits = !fraction.is_empty() && fraction.bytes().all(|byte| byte.is_ascii_digit());
    if !has_format(whole, TIME) || !digits {
        return Err(RecordError::mismatch(kind));
    }
    // Zeros beyond the microsecond change nothing, and some clients write nine digits always.
    if fraction.trim_end_matches('0').len() > 6 {
        return Err(RecordError::new(
            "must not be finer than a microsecond: at most 6 digits behind the second",
        ));
    }
    Ok(())
}

fn is_storable(date: NaiveDate) -> bool {
    // RFC 3339 writes years with four digits, and the year 0 does not exist on PostgreSQL.
    (1..=9999).contains(&date.year())
}

fn is_leap_second(time: &impl Timelike) -> bool {
    // chrono represents a leap second as a second with more than 999,999,999 nanoseconds.
    time.nanosecond() >= 1_000_000_000
}

/// A time of day without the zeros that end its fraction.
fn time_text(time: NaiveTime) -> String {
    // Equal times have equal texts: a fraction of zeros is left out, as the client may or may not have sent
    // it.
    let text = time.format("%H:%M:%S%.6f").to_string();
    // The zeros of a whole second stay: without its fraction, `07:08:10` must not become `07:08:1`.
    match text.split_once('.') {
        Some((whole, fraction)) if fraction.trim_end_matches('0').is_empty() => whole.to_owned(),
        _ => text.trim_end_matches('0').to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::{DateTime, FieldValue, NaiveDate, NaiveDateTime, NaiveTime, Utc, Value};

    fn normal<T: FieldValue>(text: &str) -> Result<String, String> {
        match T::normalise(Value::Text(text.into())) {
            Ok(Value::Text(text)) => Ok(text),
            Ok(other) => panic!("a text is stored, not {other:?}"),
            Err(error) => Err(error.to_string()),
        }
    }

    #[track_caller]
    fn refused<T: FieldValue>(texts: &[&str]) {
        for text in texts {
            assert!(normal::<T>(text).is_err(), "{text:?}");
        }
    }

    #[test]
    fn days_are_those_of_the_calendar() {
        for day in ["0001-01-01", "2024-02-29", "9999-12-31"] {
            assert_eq!(normal::<NaiveDate>(day).unwrap(), day);
        }
        assert!(
            normal::<NaiveDate>("2023-02-29")
                .unwrap_err()
                .contains("calendar")
        );
        refused::<NaiveDate>(&[
            "",
            "2024-2-3",
            "+2024-02-03",
            "20240203",
            "0000-01-01",
            " 2024-02-03",
            "2024-13-01",
            "2024-02-03T00:00:00",
            "２０２４-02-03",
        ]);
    }

    #[test]
    fn times_lose_trailing_zeros_of_their_fraction() {
        for (time, stored) in [
            ("00:00:00", "00:00:00"),
            ("07:08:09.50", "07:08:09.5"),
            ("07:08:10.000", "07:08:10"),
            ("23:59:59.999999", "23:59:59.999999"),
            ("23:59:59.999999000000", "23:59:59.999999"),
        ] {
            assert_eq!(normal::<NaiveTime>(time).unwrap(), stored);
        }
        assert!(
            normal::<NaiveTime>("00:00:00.0000001")
                .unwrap_err()
                .contains("microsecond")
        );
        refused::<NaiveTime>(&[
            "24:00:00",
            "23:59:60",
            "07:08",
            "7:08:09",
            "07:08:09.",
            "07:08:09,5",
            "07:08:09Z",
        ]);
    }

    #[test]
    fn a_moment_without_an_offset_is_kept_as_it_is() {
        for (moment, stored) in [
            ("2024-02-29T07:08:09", "2024-02-29T07:08:09"),
            ("0001-01-01T00:00:00.100", "0001-01-01T00:00:00.1"),
        ] {
            assert_eq!(normal::<NaiveDateTime>(moment).unwrap(), stored);
        }
        refused::<NaiveDateTime>(&[
            "2024-02-29 07:08:09",
            "2024-02-29T07:08:09Z",
            "2024-02-29",
            "2023-02-29T07:08:09",
            "2024-02-29T24:00:00",
        ]);
    }

    #[test]
    fn instants_are_stored_in_utc() {
        for (instant, stored) in [
            ("2024-02-29T07:08:09Z", "2024-02-29T07:08:09.000000Z"),
            ("2024-02-29t07:08:09z", "2024-02-29T07:08:09.000000Z"),
            ("2024-03-01T01:08:09.5+02:00", "2024-02-29T23:08:09.500000Z"),
            ("2024-02-29T07:08:09-00:30", "2024-02-29T07:38:09.000000Z"),
            ("9999-12-31T23:59:59.999999Z", "9999-12-31T23:59:59.999999Z"),
        ] {
            assert_eq!(normal::<DateTime<Utc>>(instant).unwrap(), stored);
        }
        assert!(
            normal::<DateTime<Utc>>("2024-02-29T07:08:09 02:00")
                .unwrap_err()
                .contains("%2B")
        );
        refused::<DateTime<Utc>>(&[
            "2024-02-29T07:08:09",
            "2024-02-29 07:08:09Z",
            "2023-02-29T07:08:09Z",
            "",
            "0001-01-01T00:00:00+00:01",
            "9999-12-31T23:59:59-00:01",
            "2016-12-31T23:59:60Z",
            "2024-02-29T07:08:09.1234567Z",
            "2024-02-29T07:08:09+25:00",
            "2024-02-29T07:08:09+2",
            "2024-02-29T07:08Z",
            "äääääääääääää",
        ]);
    }
}
