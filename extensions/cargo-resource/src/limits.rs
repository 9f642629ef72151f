//! The limits of fields, as the checks of their tables set them.

use resource_runtime::schema::{Bound, StoredColumn};

use crate::types::{Mapped, Role};

/// The keys of a field for the limits of its column.
pub(crate) fn limits(column: &StoredColumn, mapped: &Mapped) -> Vec<String> {
    let is_text = mapped.choices.is_empty() && mapped.rust.name == "String";
    let min_length = column.min_length.filter(|_| is_text);
    // Limits that no value is within are a mistake of the table, and none of the model.
    let min_length = min_length.filter(|least| column.max_length.is_none_or(|most| *least <= most));
    let min_length = min_length.map(|least| format!("min_length = {least}"));
    min_length
        .into_iter()
        .chain(range(column, mapped))
        .collect()
}

/// The least and the greatest number.
fn range(column: &StoredColumn, mapped: &Mapped) -> Vec<String> {
    let is_number = matches!(mapped.rust.role, Role::Integer(_))
        || ["Decimal", "f32", "f64"].contains(&mapped.rust.name.as_str());
    let min = column.min.filter(|_| is_number);
    let min = min.and_then(|min| End::Least.bound(min, mapped));
    let max = column.max.filter(|_| is_number);
    let max = max.and_then(|max| End::Greatest.bound(max, mapped));
    if min.zip(max).is_some_and(|(min, max)| min.exceeds(max)) {
        return Vec::new();
    }
    let key = |name: &str, bound: Option<Bound>| Some(format!("{name} = {}", bound?));
    let keys = [key("min", min), key("max", max)];
    keys.into_iter().flatten().collect()
}

/// An end of a range.
#[derive(Clone, Copy)]
enum End {
    Least,
    Greatest,
}

impl End {
    /// The bound as it is written; none for one beyond all values.
    fn bound(self, bound: Bound, mapped: &Mapped) -> Option<Bound> {
        let real = match bound {
            // Where a bound is beyond all integers, the last of them stands for it.
            Bound::Integer(i64::MIN | i64::MAX) => return None,
            Bound::Integer(_) => return Some(bound),
            Bound::Real(real) => real,
        };
        let written = match mapped.digits {
            Some(digits) => self.on_grid(real, digits)?,
            None if mapped.rust.name == "f32" => self.single(self.as_its_author(real)),
            None => self.as_its_author(real),
        };
        Some(Bound::Real(written)).filter(|_| written.is_finite())
    }

    /// The nearest decimal of these digits; none for a bound beyond all of them.
    fn on_grid(self, real: f64, (precision, scale): (u32, u32)) -> Option<f64> {
        let power = |digits: u32| 10_f64.powi(i32::try_from(digits).unwrap_or(i32::MAX));
        let grid = power(scale);
        // 0.07 times 100 is more than 7.
        let is_on_grid = digits_behind(real) <= usize::try_from(scale).unwrap_or(usize::MAX);
        let on_grid = match self {
            _ if is_on_grid => real,
            Self::Least => (real * grid).ceil() / grid,
            Self::Greatest => (real * grid).floor() / grid,
        };
        Some(on_grid).filter(|_| real.abs() < power(precision.saturating_sub(scale)))
    }

    /// The number that stands in the check: `> 0` is told as the double above 0, which nobody wants to read. The database
    /// refuses 0 itself.
    fn as_its_author(self, real: f64) -> f64 {
        let beside = match self {
            Self::Least => real.next_down(),
            Self::Greatest => real.next_up(),
        };
        let is_shorter = format!("{beside:?}").len() < format!("{real:?}").len();
        if is_shorter { beside } else { real }
    }

    /// The nearest number of single precision within the bound.
    #[allow(
        clippy::cast_possible_truncation,
        reason = "the column has that precision"
    )]
    fn single(self, real: f64) -> f64 {
        let nearest = real as f32;
        let single = match self {
            Self::Least if f64::from(nearest) < real => nearest.next_up(),
            Self::Greatest if f64::from(nearest) > real => nearest.next_down(),
            _ => return real,
        };
        // The shortest decimal that is this number.
        single.to_string().parse().unwrap_or_else(|_| single.into())
    }
}

/// The digits behind the point.
fn digits_behind(real: f64) -> usize {
    let text = real.to_string();
    text.split_once('.').map_or(0, |(_, digits)| digits.len())
}

#[cfg(test)]
mod tests {
    use resource_runtime::schema::{Bound, StoredColumn};

    use super::limits;
    use crate::types::{Mapped, of_sqlite};

    fn column(declared_type: &str, stored_as: &'static str) -> StoredColumn {
        StoredColumn {
            declared_type: declared_type.to_owned(),
            stored_as: Some(stored_as),
            ..StoredColumn::default()
        }
    }

    /// The keys for a range of doubles, as the reader of checks tells it.
    fn range(declared_type: &str, stored_as: &'static str, min: f64, max: f64) -> String {
        let (min, max) = (Some(Bound::Real(min)), Some(Bound::Real(max)));
        let column = StoredColumn {
            min,
            max,
            ..column(declared_type, stored_as)
        };
        let mapped: Mapped = of_sqlite(&column, None).unwrap_or_else(|remedy| panic!("{remedy}"));
        limits(&column, &mapped).join(", ")
    }

    #[test]
    fn bounds_are_numbers_that_somebody_would_write() {
        let real = |min, max| range("REAL", "REAL", min, max);
        assert_eq!(
            real(0.0_f64.next_up(), 100.0_f64.next_down()),
            "min = 0.0, max = 100.0"
        );
        assert_eq!(real(0.1, 1e300), "min = 0.1, max = 1e300");
        assert_eq!(real(f64::NEG_INFINITY, f64::INFINITY), "");
        assert_eq!(real(3.0, 2.0), "");
        let decimal = |min, max| range("DECIMAL(5,2)", "INTEGER", min, max);
        assert_eq!(
            decimal(0.0_f64.next_up(), 5.5_f64.next_down()),
            "min = 0.01, max = 5.49"
        );
        assert_eq!(decimal(0.07, 0.29), "min = 0.07, max = 0.29");
        assert_eq!(decimal(-1e30, f64::INFINITY), "");
    }

    #[test]
    fn lengths_that_no_text_has_are_no_limits() {
        let text = StoredColumn {
            min_length: Some(3),
            max_length: Some(2),
            ..column("TEXT", "TEXT")
        };
        let mapped = of_sqlite(&text, None).unwrap_or_else(|remedy| panic!("{remedy}"));
        assert_eq!(limits(&text, &mapped), [""; 0]);
    }
}
