//! Storage forms: how the columns of a table that others made hold the values of an attribute.

use super::Kind;
use crate::value::{RecordError, Value};

/// The form in which a column holds values.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum StorageForm {
    /// The form of our own tables.
    #[default]
    Ours,
    /// The same in a table that others made, whose texts may have any collation.
    Existing,
    /// Decimals as numbers of SQLite.
    Number,
    /// Times as texts, whose order is that of the times, with 0, 3 or 6 digits behind the second; without a number, with
    /// none in whole seconds and six in others.
    Time(TimeText, Option<u8>),
    /// Timestamps without an offset on PostgreSQL, which are UTC.
    Utc,
    /// Texts as a type of PostgreSQL, in its schema where that is named.
    Type(Option<&'static str>, &'static str),
}

/// The text of a time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TimeText {
    /// `2009-01-01 00:00:00`
    Space,
    /// `2009-01-01T00:00:00`, of a timestamp with `Z` behind it.
    T,
    /// `2009-01-01T00:00:00+00:00`
    Offset,
}

impl StorageForm {
    /// The digits behind the second that the form holds.
    const fn fraction(self) -> u8 {
        match self {
            Self::Time(_, Some(digits)) => digits,
            _ => 6,
        }
    }

    /// Tests whether statements read a column by an expression.
    pub const fn is_converted(self) -> bool {
        !matches!(self, Self::Ours | Self::Existing)
    }
}

/// The storage of an attribute: its decimal digits, and its form on each database.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Storage {
    /// The precision and the scale of a decimal.
    pub digits: Option<(u8, u8)>,
    /// The form on SQLite.
    pub sqlite: StorageForm,
    /// The form on PostgreSQL.
    pub postgres: StorageForm,
}

impl Storage {
    /// The storage in our own tables.
    pub const OURS: Self = Self {
        digits: None,
        sqlite: StorageForm::Ours,
        postgres: StorageForm::Ours,
    };

    /// The storage in tables that others made.
    pub const EXISTING: Self = Self {
        digits: None,
        sqlite: StorageForm::Existing,
        postgres: StorageForm::Existing,
    };

    /// Tests whether any statement reads the column by an expression.
    pub const fn is_converted(&self) -> bool {
        self.sqlite.is_converted() || self.postgres.is_converted()
    }

    /// Fails to compile where values of `kind` cannot be stored so.
    #[track_caller]
    pub(crate) const fn require(&self, kind: Kind) {
        assert!(
            self.digits.is_none() || matches!(kind, Kind::Decimal),
            "`digits` is about decimals: the field needs the type `Decimal`"
        );
        require_form(self.sqlite, kind);
        require_form(self.postgres, kind);
    }

    /// The value in the digits that are stored, or the error of one that has more.
    pub(super) fn exact(&self, kind: Kind, value: Value) -> Result<Value, RecordError> {
        match (value, self.digits) {
            (Value::Text(text), Some(digits)) => padded(&text, digits).map(Value::Text),
            (Value::Text(text), None) if self.is_too_fine(kind, &text) => {
                let behind = match self.fraction() {
                    0 => "without a fraction of a second".to_owned(),
                    digits => format!("of at most {digits} digits behind the second"),
                };
                Err(RecordError::new(format!("must be {kind}, {behind}")))
            }
            (value, _) => Ok(value),
        }
    }

    /// The value in the digits that are stored, of the developer's own code: all of its scale, and of a clock no more
    /// than there are.
    pub(super) fn adjusted(&self, kind: Kind, value: Value) -> Value {
        match value {
            Value::Text(text) if self.digits.is_some() => {
                // One with more digits is refused by the checks that follow.
                let exact = self.exact(kind, Value::Text(text.clone()));
                exact.unwrap_or(Value::Text(text))
            }
            Value::Text(text) if self.is_too_fine(kind, &text) => {
                let (whole, behind) = text.split_once('.').unwrap_or((&text, ""));
                let kept = behind.get(..usize::from(self.fraction()));
                let kept = kept.unwrap_or_default();
                Value::Text(match (kind, kept.trim_end_matches('0')) {
                    (Kind::Timestamp, _) => format!("{whole}.{kept:0<6}Z"),
                    (_, "") => whole.to_owned(),
                    (_, kept) => format!("{whole}.{kept}"),
                })
            }
            value => value,
        }
    }

    /// The digits behind the second that both databases hold, so that both take the same values.
    pub const fn fraction(&self) -> u8 {
        let (sqlite, postgres) = (self.sqlite.fraction(), self.postgres.fraction());
        if sqlite < postgres { sqlite } else { postgres }
    }

    fn is_too_fine(&self, kind: Kind, text: &str) -> bool {
        let fraction = usize::from(self.fraction());
        let is_time = matches!(kind, Kind::Timestamp | Kind::LocalDateTime);
        // The usual attribute holds all six digits.
        fraction < 6 && is_time && {
            let behind = text.split_once('.').map_or("", |(_, behind)| behind);
            let behind = behind.trim_end_matches('Z').trim_end_matches('0');
            behind.len() > fraction
        }
    }
}

#[track_caller]
const fn require_form(form: StorageForm, kind: Kind) {
    let is_timestamp = matches!(kind, Kind::Timestamp);
    match form {
        StorageForm::Ours | StorageForm::Existing => {}
        StorageForm::Number => assert!(
            matches!(kind, Kind::Decimal),
            "`number` holds decimals: the field needs the type `Decimal`"
        ),
        StorageForm::Time(TimeText::Offset, _) => assert!(
            is_timestamp,
            "`offset_text` holds timestamps: the field needs the type `DateTime<Utc>`"
        ),
        StorageForm::Time(TimeText::Space, Some(_)) if matches!(kind, Kind::Date) => {}
        StorageForm::Time(text, fraction) => {
            assert!(
                is_timestamp || matches!(kind, Kind::LocalDateTime),
                "`space_text` and `t_text` hold timestamps and local date-times, `space_text(0)` also dates: the \
                 field needs the type `DateTime<Utc>`, `NaiveDateTime` or `NaiveDate`"
            );
            assert!(
                !is_timestamp || !matches!((text, fraction), (TimeText::T, None)),
                "`t_text(auto)` of timestamps has no order, since `Z` comes behind the point; write \
                 `t_text(0)`, `t_text(3)` or `t_text(6)`"
            );
        }
        StorageForm::Utc => assert!(
            is_timestamp,
            "`utc` holds timestamps: the field needs the type `DateTime<Utc>`"
        ),
        StorageForm::Type(..) => assert!(
            matches!(kind, Kind::Text),
            "`type` holds texts: the field needs the type `String`, or an enum"
        ),
    }
}

/// A decimal with all digits of its scale.
fn padded(text: &str, (precision, scale): (u8, u8)) -> Result<String, RecordError> {
    let (most, scale) = (usize::from(precision - scale), usize::from(scale));
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    // Zeros at the ends are no further digits.
    let fraction = fraction.trim_end_matches('0');
    if fraction.len() > scale || whole.trim_start_matches(['-', '0']).len() > most {
        return Err(RecordError::new(format!(
            "must be a decimal number of at most {most} digits before the point and {scale} behind it"
        )));
    }
    let point = if scale > 0 { "." } else { "" };
    Ok(format!("{whole}{point}{fraction:0<scale$}"))
}

impl StorageForm {
    /// The value as SQLite stores it in this form; none where it is stored as it is.
    pub fn stored(self, kind: Kind, value: &Value) -> Option<Value> {
        match (self, value) {
            // All decimals of 15 digits are read as the nearest double.
            (Self::Number, Value::Text(text)) => text.parse().ok().map(Value::Real),
            (Self::Time(form, fraction), Value::Text(text)) => {
                Some(Value::Text(stored_time(form, fraction, kind, text)))
            }
            _ => None,
        }
    }
}

/// The text of a time in this form; a date has the time of its first moment.
fn stored_time(form: TimeText, fraction: Option<u8>, kind: Kind, text: &str) -> String {
    let moment = text.trim_end_matches('Z').split_once('T');
    let (date, time) = moment.unwrap_or((text, "00:00:00"));
    let (time, behind) = time.split_once('.').unwrap_or((time, ""));
    let is_whole = behind.trim_end_matches('0').is_empty();
    let digits = usize::from(fraction.unwrap_or(if is_whole { 0 } else { 6 }));
    let behind = behind.get(..digits).unwrap_or(behind);
    let (separator, point) = (form.separator(), if digits > 0 { "." } else { "" });
    let end = form.end(kind);
    format!("{date}{separator}{time}{point}{behind:0<digits$}{end}")
}

impl TimeText {
    /// The text between date and time.
    pub const fn separator(self) -> &'static str {
        match self {
            Self::Space => " ",
            Self::T | Self::Offset => "T",
        }
    }

    /// The text behind a time of this kind.
    pub const fn end(self, kind: Kind) -> &'static str {
        match (self, kind) {
            (Self::T, Kind::Timestamp) => "Z",
            (Self::Offset, _) => "+00:00",
            _ => "",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Kind, Storage, StorageForm, TimeText, Value};

    const fn of_digits(digits: (u8, u8)) -> Storage {
        Storage {
            digits: Some(digits),
            ..Storage::OURS
        }
    }

    fn text(text: &str) -> Value {
        Value::Text(text.to_owned())
    }

    #[test]
    fn decimals_have_the_digits_of_their_scale() {
        for (digits, written, stored) in [
            ((10, 2), "1.5", "1.50"),
            ((10, 2), "1", "1.00"),
            ((10, 2), "-0.5000", "-0.50"),
            ((10, 2), "99999999.99", "99999999.99"),
            ((4, 0), "1234.00", "1234"),
            ((2, 2), "0.1", "0.10"),
        ] {
            let exact = of_digits(digits).exact(Kind::Decimal, text(written));
            assert_eq!(exact.unwrap(), text(stored), "{written}");
        }
        for (digits, written) in [
            ((10, 2), "1.234"),
            ((10, 2), "100000000"),
            ((4, 0), "12345"),
            ((4, 0), "0.1"),
            ((2, 2), "1"),
        ] {
            let refused = of_digits(digits).exact(Kind::Decimal, text(written));
            assert!(refused.is_err(), "{written}");
        }
    }

    #[test]
    fn times_are_refused_from_clients_and_cut_from_clocks() {
        for (fraction, kind, written, cut) in [
            (
                0,
                Kind::Timestamp,
                "2009-01-02T03:04:05.600000Z",
                "2009-01-02T03:04:05.000000Z",
            ),
            (
                3,
                Kind::Timestamp,
                "2009-01-02T03:04:05.678900Z",
                "2009-01-02T03:04:05.678000Z",
            ),
            (
                0,
                Kind::LocalDateTime,
                "2009-01-02T03:04:05.6",
                "2009-01-02T03:04:05",
            ),
            (
                3,
                Kind::LocalDateTime,
                "2009-01-02T03:04:05.6001",
                "2009-01-02T03:04:05.6",
            ),
        ] {
            let storage = Storage {
                sqlite: StorageForm::Time(TimeText::Space, Some(fraction)),
                ..Storage::OURS
            };
            assert!(storage.exact(kind, text(written)).is_err(), "{written}");
            assert_eq!(storage.adjusted(kind, text(written)), text(cut));
            assert_eq!(storage.exact(kind, text(cut)).unwrap(), text(cut));
        }
    }

    #[test]
    fn times_are_stored_in_their_form() {
        use TimeText::{Offset, Space, T};
        let (whole, fine) = ("2009-01-02T03:04:05.000000Z", "2009-01-02T03:04:05.678900Z");
        for (form, fraction, kind, written, stored) in [
            (
                Space,
                Some(0),
                Kind::Timestamp,
                whole,
                "2009-01-02 03:04:05",
            ),
            (
                T,
                Some(3),
                Kind::Timestamp,
                whole,
                "2009-01-02T03:04:05.000Z",
            ),
            (
                T,
                Some(6),
                Kind::Timestamp,
                fine,
                "2009-01-02T03:04:05.678900Z",
            ),
            (
                Offset,
                None,
                Kind::Timestamp,
                whole,
                "2009-01-02T03:04:05+00:00",
            ),
            (
                Offset,
                None,
                Kind::Timestamp,
                fine,
                "2009-01-02T03:04:05.678900+00:00",
            ),
            (
                Space,
                None,
                Kind::LocalDateTime,
                "2009-01-02T03:04:05.6",
                "2009-01-02 03:04:05.600000",
            ),
            (
                T,
                Some(3),
                Kind::LocalDateTime,
                "2009-01-02T03:04:05",
                "2009-01-02T03:04:05.000",
            ),
        ] {
            let written = text(written);
            let form = StorageForm::Time(form, fraction);
            assert_eq!(form.stored(kind, &written), Some(text(stored)));
        }
    }
}
