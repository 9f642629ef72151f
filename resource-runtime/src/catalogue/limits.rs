//! Limits of columns that are narrower than those of the model.

use resource_model::schema::{Attribute, Bound, Column, Kind};

use super::Difference::{self, Fatal};
use super::remedy;
use super::table_comparison::{ColumnComparison, listed};

/// The differences in length, of texts and bytes alone: the other kinds have their own forms.
pub(super) fn lengths(column: ColumnComparison<'_>) -> Vec<Difference> {
    let needed = column.needed;
    // Other kinds have no length: their forms are fixed.
    let unit = match needed.kind {
        Kind::Text => "characters",
        Kind::Bytes => "bytes",
        _ => return Vec::new(),
    };
    // Both ends share one sentence, with `any number` where a version has no limit.
    let sentence = |limit: String, allowed: Option<u32>, version: String, remedy: String| {
        let allowed = allowed.map_or_else(|| String::from("any number"), |it| it.to_string());
        Fatal(format!(
            "{} holds {limit} {unit}, but {version} allows {allowed}; {remedy}",
            column.place()
        ))
    };
    let (fewest, most) = (needed.min_length, needed.max_length);
    let least = column.stored.min_length;
    // Only a limit that refuses what a version allows is a difference; a wider one is not.
    let least = least.filter(|least| *least > fewest.unwrap_or(0));
    let least = least.map(|least| {
        // The needed column has the widest limits of all versions, so the version with this limit has set it.
        let version = column.version(|it| it.length_limits().0 == fewest);
        let remedy = remedy::as_in_schema_sql(column.sides, "length");
        sentence(format!("at least {least}"), fewest, version, remedy)
    });
    let greatest = column.stored.max_length;
    let greatest = greatest.filter(|greatest| most.is_none_or(|most| *greatest < most));
    let greatest = greatest.map(|greatest| {
        let version = column.version(|it| it.length_limits().1 == most);
        let remedy = remedy::lengthened(column, greatest);
        sentence(format!("at most {greatest}"), most, version, remedy)
    });
    least.into_iter().chain(greatest).collect()
}

pub(super) fn names(column: ColumnComparison<'_>) -> Option<Difference> {
    let needed = column.needed;
    // Without a list in the table every name can be stored.
    let taken = column.stored.names.as_ref()?;
    let is_refused = |name: &&&str| !taken.iter().any(|taken| taken == **name);
    // The stored list may have further names, which no version sends.
    let refused: Vec<&&str> = needed.names.iter().filter(is_refused).collect();
    let (allowed, version) = match refused.first() {
        Some(first) => (
            listed(&refused),
            column.version(|attribute| attribute.names().contains(first)),
        ),
        // A version without names stores any text, which no list covers.
        None if needed.names.is_empty() => (
            String::from("any text"),
            column.version(|attribute| attribute.names().is_empty()),
        ),
        None => return None,
    };
    Some(Fatal(format!(
        "{} holds only {}, but {version} allows {allowed}; {}",
        column.place(),
        listed(taken),
        remedy::as_in_schema_sql(column.sides, "names")
    )))
}

/// The greatest decimal, whose negative is the least.
const GREATEST_DECIMAL: f64 = 79_228_162_514_264_337_593_543_950_335.0;

/// An end of a range.
struct End {
    stored: Bound,
    needed: Option<Bound>,
    /// The last value of the kind.
    last: Bound,
    of_attribute: fn(&Attribute) -> Option<Bound>,
}

pub(super) fn ranges(column: ColumnComparison<'_>) -> Vec<Difference> {
    let (needed, stored) = (column.needed, column.stored);
    // Other kinds, like texts and dates, have no ends to compare.
    let Some((least, greatest)) = range_of(needed) else {
        return Vec::new();
    };
    // A definition without a limit needs all values of the kind.
    let fewest = needed.min.unwrap_or(least);
    let above = |min: &Bound| beside(*min, f64::next_down).exceeds(fewest);
    let min = stored.min.filter(above).map(|stored| End {
        stored,
        needed: needed.min,
        last: least,
        of_attribute: |attribute| attribute.value_limits().0,
    });
    let most = needed.max.unwrap_or(greatest);
    let below = |max: &Bound| most.exceeds(beside(*max, f64::next_up));
    let max = stored.max.filter(below).map(|stored| End {
        stored,
        needed: needed.max,
        last: greatest,
        of_attribute: |attribute| attribute.value_limits().1,
    });
    // A table may be too narrow at both ends, and each has its own sentence.
    let min = min.map(|end| narrower(column, &format!("from {} on", end.stored), &end));
    let max = max.map(|end| narrower(column, &format!("up to {}", end.stored), &end));
    min.into_iter().chain(max).collect()
}

/// The real beside a bound, for a check with `>` is told by the real above its number: that of a model, which has no such
/// limits, may be the number itself. The database refuses it.
fn beside(bound: Bound, neighbour: fn(f64) -> f64) -> Bound {
    match bound {
        Bound::Real(real) => Bound::Real(neighbour(real)),
        Bound::Integer(_) => bound,
    }
}

/// The difference at one end of a range. The bounds of a column are rounded as its values are, those of its
/// attributes as they were written.
fn narrower(column: ColumnComparison<'_>, limit: &str, end: &End) -> Difference {
    let needed = column.needed;
    let written = end.of_attribute;
    let passes = |attribute: &Attribute| {
        let rounded = written(attribute).map(|bound| bound.among(needed.kind));
        rounded == end.needed
    };
    let attribute = column.sides.attribute_where(needed.name, passes);
    let allowed = match (attribute.and_then(written).or(end.needed), end.needed) {
        // Both sides may have been written alike, and only one of them been rounded.
        (Some(written), Some(needed)) if written.to_string() == end.stored.to_string() => {
            format!("{written}, which is stored as {needed}")
        }
        (Some(written), _) => written.to_string(),
        // The last integer of a kind is worth naming, the greatest real is not.
        (None, _) if matches!(end.last, Bound::Integer(_)) => end.last.to_string(),
        (None, _) => String::from("any number"),
    };
    Fatal(format!(
        "{} holds only values {limit}, but {} allows {allowed}; {}",
        column.place(),
        column.version(passes),
        remedy::as_in_schema_sql(column.sides, "range")
    ))
}

/// The values that a kind holds when a definition sets no limits; none for kinds without a range.
fn range_of(needed: &Column) -> Option<(Bound, Bound)> {
    let integers = |(least, greatest)| (Bound::Integer(least), Bound::Integer(greatest));
    let reals = |greatest: f64| Some((Bound::Real(-greatest), Bound::Real(greatest)));
    match (needed.kind, needed.storage.digits) {
        // Databases without a type for booleans store these numbers.
        (Kind::Boolean, _) => Some(integers((0, 1))),
        (Kind::Real, _) => reals(f64::from(f32::MAX)),
        (Kind::Double, _) => reals(f64::MAX),
        (Kind::Decimal, Some((precision, scale))) => {
            let (precision, scale) = (i32::from(precision), i32::from(scale));
            reals(10_f64.powi(precision - scale) - 10_f64.powi(-scale))
        }
        // The mantissa of a decimal has 96 bits.
        (Kind::Decimal, None) => reals(GREATEST_DECIMAL),
        (kind, _) => kind.integer_range().map(integers),
    }
}
