//! The fields for columns of SQLite, whose declared types say little: rows tell the rest.

use resource_runtime::schema::{Bound, StoredColumn};

use super::{Found, Mapped, Role, digits, split, text_of};
use crate::rows::{Class, Seen};

/// Tests whether the declared type leaves open what a column of SQLite holds. That of a view without one is told as `BLOB`.
pub(crate) fn is_open(column: &StoredColumn, is_table: bool) -> bool {
    let is_fixed = matches!(column.stored_as, Some("TEXT" | "REAL"))
        || (column.stored_as == Some("BLOB") && is_table);
    !is_fixed && !split(&column.declared_type).0.contains("int")
}

/// The greatest precision of decimals that SQLite keeps as doubles.
const SQLITE_PRECISION: u32 = 15;

/// The most digits after the point that are meant: a double that is not meant to be a decimal has more.
const MEANT_DIGITS: u32 = 8;

/// The field for a column of SQLite.
pub(crate) fn of_sqlite(column: &StoredColumn, seen: Option<&Seen>) -> Found {
    let (name, arguments) = split(&column.declared_type);
    let has = |parts: &[&str]| parts.iter().any(|part| name.contains(part));
    match column.stored_as {
        Some("TEXT") => text_of(column, arguments.first().copied()),
        Some("BLOB") if seen.is_some_and(|seen| !seen.is_of(&[Class::Blob])) => Err(String::from(
            "its type is not declared, and its values are no blobs; let the view give them a type by `CAST`",
        )),
        Some("BLOB") => Ok(Mapped::to("Vec<u8>", Role::Opaque)),
        Some("REAL") => Ok(Mapped::to("f64", Role::Other)),
        None => untyped(seen),
        Some(_) if has(&["int"]) && is_zero_or_one(column) => {
            Ok(Mapped::to("bool", Role::Other).because("A check leaves 0 and 1."))
        }
        Some(_) if has(&["int"]) => Ok(Mapped::to("i64", Role::Integer(8))),
        Some(_) if has(&["bool"]) => boolean(seen),
        Some(_) if has(&["date", "time"]) => moment(&name, seen),
        Some(_) if has(&["dec", "num", "money"]) || seen.is_some_and(has_numbers) => {
            number(digits(&arguments), seen)
        }
        Some(_) => Err(format!(
            "`{}` is no type of SQLite, which turns texts like `1` into numbers there; a view can `CAST` it",
            column.declared_type
        )),
    }
}

/// Tests whether a check leaves these two values, as that of a boolean of this library does.
fn is_zero_or_one(column: &StoredColumn) -> bool {
    (column.min, column.max) == (Some(Bound::Integer(0)), Some(Bound::Integer(1)))
}

fn has_numbers(seen: &Seen) -> bool {
    seen.is_numeric() && !seen.is_empty()
}

fn boolean(seen: Option<&Seen>) -> Found {
    match seen {
        Some(seen) if !seen.is_of(&[Class::Boolean, Class::Integer]) => Err(String::from(
            "rows or the default have other values than 0 and 1; repair them, or let a view give them these by `CASE`",
        )),
        Some(seen) if !seen.is_of(&[Class::Boolean]) => {
            let integer = Mapped::to("i64", Role::Integer(8));
            Ok(integer.because("Rows have other values than 0 and 1."))
        }
        _ => Ok(Mapped::to("bool", Role::Other)),
    }
}

/// A column without a type, which holds what is stored.
fn untyped(seen: Option<&Seen>) -> Found {
    let values = seen.filter(|seen| !seen.is_empty());
    let by_rows = |mapped: Mapped| mapped.because("No type is declared: rows decided.");
    match values {
        None => Ok(Mapped::text(None).guess(seen, "what the column holds, which has no type")),
        Some(seen) if seen.is_text() => Ok(Mapped::text(None)),
        Some(seen) if seen.is_of(&[Class::Boolean, Class::Integer]) => {
            Ok(by_rows(Mapped::to("i64", Role::Integer(8))))
        }
        // A sum of decimals may be an integer, which no double reads.
        Some(seen) if seen.is_numeric() => match number(None, Some(seen)) {
            Err(_) if seen.is_of(&[Class::Real]) => Ok(by_rows(Mapped::to("f64", Role::Other))),
            decimal => decimal.map(by_rows),
        },
        Some(seen) if seen.is_of(&[Class::Blob]) => {
            Ok(by_rows(Mapped::to("Vec<u8>", Role::Opaque)))
        }
        Some(_) => Err(String::from(
            "its values are of several types; a view can give them one by `CAST`",
        )),
    }
}

/// A decimal, which SQLite keeps as a double.
fn number(declared: Option<(u32, u32)>, seen: Option<&Seen>) -> Found {
    if seen.is_some_and(|seen| !seen.is_numeric()) {
        return Err(String::from(
            "it has texts or blobs in a column of numbers; repair the rows, or let a view `CAST` them",
        ));
    }
    let (whole, most) = seen.map_or((0, 0), |seen| (seen.whole, seen.scale));
    if most > MEANT_DIGITS {
        return Err(format!(
            "its doubles have up to {most} digits after the point; a view can `round` them"
        ));
    }
    let Some(most_behind) = SQLITE_PRECISION.checked_sub(whole).filter(|it| *it >= most) else {
        return Err(format!(
            "its numbers have up to {whole} digits before the point and {most} behind it, and doubles keep \
             {SQLITE_PRECISION}; a view can `CAST` them to `TEXT`"
        ));
    };
    // Amounts have two digits, even where a few rows have fewer.
    let (precision, scale) = declared.unwrap_or((SQLITE_PRECISION, 2));
    let scale = scale.min(MEANT_DIGITS).max(most).min(most_behind);
    let precision = precision.max(whole + scale).min(SQLITE_PRECISION);
    let decimal = Mapped::decimal((precision, scale));
    let decimal = decimal.with([String::from("stored(sqlite = number)")]);
    Ok(match declared {
        Some(_) => decimal,
        None if seen.is_none_or(Seen::is_empty) => {
            decimal.guess(seen, "how many digits the numbers have")
        }
        None => decimal.because("Present values decided how many digits the numbers have."),
    })
}

/// A date or a time, by the texts of its rows.
fn moment(name: &str, seen: Option<&Seen>) -> Found {
    let Some(seen) = seen.filter(|seen| !seen.is_empty()) else {
        let guess = match name {
            "date" => Mapped::to("NaiveDate", Role::Other),
            "time" => Mapped::to("NaiveTime", Role::Other),
            _ => in_form("NaiveDateTime", "space_text", "0"),
        };
        return Ok(guess.guess(seen, "the form of dates and times"));
    };
    if !seen.is_text() {
        return Err(String::from(
            "it has numbers for dates; a view can show them by `datetime(…, 'unixepoch')`",
        ));
    }
    let shapes: Vec<&str> = seen.shapes.iter().map(String::as_str).collect();
    of_shapes(&shapes).ok_or_else(|| {
        format!(
            "no form serves its dates, which look like `{}`; repair the rows, or add a column that is \
             `GENERATED ALWAYS AS (strftime('%Y-%m-%d %H:%M:%S', …))`",
            shapes.join("`, `")
        )
    })
}

fn in_form(rust: &str, form: &str, digits: &str) -> Mapped {
    Mapped::to(rust, Role::Other).with([format!("stored(sqlite = {form}({digits}))")])
}

/// The type and the form of texts that look like this.
fn of_shapes(shapes: &[&str]) -> Option<Mapped> {
    match shapes {
        ["0000-00-00"] => return Some(Mapped::to("NaiveDate", Role::Other)),
        ["00:00:00"] => return Some(Mapped::to("NaiveTime", Role::Other)),
        _ => {}
    }
    // The text between date and time, and the one behind the second, apart from its digits.
    let parts = shapes.iter().map(|shape| {
        let (between, time) = shape.strip_prefix("0000-00-00")?.split_at_checked(1)?;
        let behind = time.strip_prefix("00:00:00")?;
        let digits = behind
            .strip_prefix('.')
            .map_or("", |behind| behind.trim_end_matches(['Z', '+', ':']));
        let (digits, zone) = match behind.strip_suffix("+00:00") {
            Some(_) => (digits.trim_end_matches("+00:00"), "+00:00"),
            None => (digits, behind.trim_start_matches(['.', '0'])),
        };
        Some((between, digits.len(), zone))
    });
    let parts: Vec<(&str, usize, &str)> = parts.collect::<Option<_>>()?;
    let (between, first, zone) = *parts.first()?;
    let is_like_first = |part: &(&str, usize, &str)| (part.0, part.2) == (between, zone);
    let (rust, form) = match (between, zone) {
        (" ", "") => ("NaiveDateTime", "space_text"),
        ("T", "") => ("NaiveDateTime", "t_text"),
        ("T", "Z") => ("DateTime<Utc>", "t_text"),
        ("T", "+00:00") => ("DateTime<Utc>", "offset_text"),
        _ => return None,
    };
    let digits: Vec<usize> = parts.iter().map(|(_, digits, _)| *digits).collect();
    let digits = match digits.as_slice() {
        [0 | 3 | 6] => first.to_string(),
        // Text order is no time order where `Z` comes behind a second or its point.
        [0, 6] | [6, 0] if zone != "Z" => String::from("auto"),
        _ => return None,
    };
    Some(in_form(rust, form, &digits)).filter(|_| parts.iter().all(is_like_first))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use resource_runtime::schema::{Bound, StoredColumn};

    use super::of_sqlite;
    use crate::rows::{Class, Seen};

    fn of(declared_type: &str, stored_as: Option<&'static str>, seen: Option<&Seen>) -> String {
        let column = StoredColumn {
            declared_type: declared_type.to_owned(),
            stored_as,
            ..StoredColumn::default()
        };
        match of_sqlite(&column, seen) {
            Ok(it) => [
                &[it.rust.name][..],
                &it.keys,
                it.comment.as_slice(),
                it.question.as_slice(),
            ]
            .concat()
            .join("; "),
            Err(remedy) => remedy,
        }
    }

    fn texts(shapes: &[&str]) -> Seen {
        Seen {
            shapes: shapes.iter().map(|shape| (*shape).to_owned()).collect(),
            ..Seen::default()
        }
    }

    #[test]
    fn an_integer_that_a_check_holds_to_0_and_1_is_true_or_false() {
        let held = |max| StoredColumn {
            declared_type: String::from("INTEGER"),
            stored_as: Some("INTEGER"),
            min: Some(Bound::Integer(0)),
            max: Some(Bound::Integer(max)),
            ..StoredColumn::default()
        };
        let name = |max| of_sqlite(&held(max), None).unwrap().rust.name;
        assert_eq!([name(1), name(2)], ["bool", "i64"]);
    }

    #[test]
    fn rows_decide_the_form_of_dates() {
        let datetime = |shapes: &[&str]| of("DATETIME", Some("INTEGER"), Some(&texts(shapes)));
        let whole = "0000-00-00 00:00:00";
        assert_eq!(
            datetime(&[whole]),
            "NaiveDateTime; stored(sqlite = space_text(0))"
        );
        assert_eq!(
            datetime(&[whole, "0000-00-00 00:00:00.000000"]),
            "NaiveDateTime; stored(sqlite = space_text(auto))"
        );
        assert_eq!(
            datetime(&["0000-00-00T00:00:00.000000Z"]),
            "DateTime<Utc>; stored(sqlite = t_text(6))"
        );
        assert_eq!(datetime(&["0000-00-00"]), "NaiveDate");
        let mixed = datetime(&[whole, "0000-00-00T00:00:00"]);
        assert!(
            mixed.starts_with("no form serves its dates, which look like"),
            "{mixed}"
        );
        let numbers = Seen {
            classes: BTreeSet::from([Class::Integer]),
            ..Seen::default()
        };
        let numbers = of("DATETIME", Some("INTEGER"), Some(&numbers));
        assert!(numbers.starts_with("it has numbers for dates"), "{numbers}");
    }

    #[test]
    fn rows_decide_the_digits_of_numbers() {
        let numbers = |scale| Seen {
            classes: BTreeSet::from([Class::Integer, Class::Real]),
            scale,
            ..Seen::default()
        };
        let of = |declared: &str, scale| of(declared, Some("INTEGER"), Some(&numbers(scale)));
        assert_eq!(
            of("NUMERIC(10,2)", 2),
            "Decimal; digits(10, 2); stored(sqlite = number)"
        );
        assert_eq!(
            of("DECIMAL", 3),
            "Decimal; digits(15, 3); stored(sqlite = number); Present values decided how many digits the numbers have."
        );
        assert_eq!(
            of("NUMERIC(18,2)", 1),
            "Decimal; digits(15, 2); stored(sqlite = number)"
        );
        assert_eq!(
            of("DECIMAL(30,20)", 1),
            "Decimal; digits(15, 8); stored(sqlite = number)"
        );
        assert!(of("NUMERIC(10,2)", 17).contains("`round`"));
    }

    #[test]
    fn without_rows_there_is_a_comment_and_unread_rows_are_a_question() {
        let empty = Seen::default();
        assert_eq!(
            of("NUMERIC", Some("INTEGER"), Some(&empty)),
            "Decimal; digits(15, 2); stored(sqlite = number); No row tells how many digits the numbers have."
        );
        assert_eq!(
            of("DATE", Some("INTEGER"), None),
            "NaiveDate; rows would tell the form of dates and times"
        );
        assert_eq!(
            of("NVARCHAR(160)", Some("TEXT"), None),
            "String; max_length = 160"
        );
    }
}
