//! The type of a field for the type of a column.

use resource_runtime::schema::StoredColumn;

use crate::rows::{Class, Seen};

/// A type of Rust.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Rust {
    pub(crate) name: String,
    /// The paths that it needs, with spaces between them.
    pub(crate) import: &'static str,
    pub(crate) role: Role,
}

/// The part that values of a type can play.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Role {
    /// An integer of so many bytes.
    Integer(u8),
    /// A text or a UUID.
    Text,
    /// Bytes or JSON, which may be a secret but no key.
    Opaque,
    /// Anything else.
    Other,
}

impl Rust {
    pub(crate) fn new(name: &str, role: Role) -> Self {
        let import = match name {
            "DateTime<Utc>" => "chrono::DateTime chrono::Utc",
            "Decimal" => "rust_decimal::Decimal",
            "NaiveDate" => "chrono::NaiveDate",
            "NaiveDateTime" => "chrono::NaiveDateTime",
            "NaiveTime" => "chrono::NaiveTime",
            "Uuid" => "uuid::Uuid",
            "Value" => "serde_json::Value",
            _ => "",
        };
        let name = name.to_owned();
        Self { name, import, role }
    }

    /// Tests whether values can be the key of an item.
    pub(crate) const fn is_key(&self) -> bool {
        matches!(self.role, Role::Integer(_) | Role::Text)
    }

    /// Tests whether values of this type can point at `target`: an integer may be narrower.
    pub(crate) fn points_at(&self, target: &Self) -> bool {
        match (self.role, target.role) {
            (Role::Integer(own), Role::Integer(other)) => own <= other,
            _ => self == target,
        }
    }
}

/// A column as a field.
#[derive(Debug, PartialEq)]
pub(crate) struct Mapped {
    pub(crate) rust: Rust,
    /// The keys of the field that the type needs.
    pub(crate) keys: Vec<String>,
    /// The digits behind the point of a decimal.
    pub(crate) scale: Option<u32>,
    /// The only values, where the type is an enum.
    pub(crate) choices: Vec<String>,
    /// The decision that was made, where another one was possible.
    pub(crate) comment: Option<String>,
    /// What has to be decided, where rows would tell and were not read.
    pub(crate) question: Option<String>,
}

impl Mapped {
    fn to(name: &str, role: Role) -> Self {
        Self {
            rust: Rust::new(name, role),
            keys: Vec::new(),
            scale: None,
            choices: Vec::new(),
            comment: None,
            question: None,
        }
    }

    fn with(mut self, keys: impl IntoIterator<Item = String>) -> Self {
        self.keys.extend(keys);
        self
    }

    fn text(max_length: Option<u32>) -> Self {
        Self::to("String", Role::Text).with(max_length.map(|most| format!("max_length = {most}")))
    }

    fn decimal((precision, scale): (u32, u32)) -> Self {
        let decimal = Self::to("Decimal", Role::Other);
        Self {
            scale: Some(scale),
            ..decimal.with([format!("digits({precision}, {scale})")])
        }
    }

    /// The default of a column without rows, or whose rows were not read.
    fn guess(mut self, seen: Option<&Seen>, what: &str) -> Self {
        match seen {
            Some(_) => self.comment = Some(format!("No row tells {what}.")),
            None => self.question = Some(format!("rows would tell {what}")),
        }
        self
    }
}

/// The type of a field, or the reason for which there is none, with a remedy.
pub(crate) type Found = Result<Mapped, String>;

/// The type in small letters without its arguments, and the arguments: `numeric(10,2)`.
fn split(declared: &str) -> (String, Vec<u32>) {
    let (name, rest) = declared.split_once('(').unwrap_or((declared, ""));
    let (arguments, after) = rest.split_once(')').unwrap_or_default();
    let arguments = arguments.split(',').map_while(|it| it.trim().parse().ok());
    (format!("{name}{after}").to_lowercase(), arguments.collect())
}

/// Precision and scale of a decimal by its arguments.
fn digits(arguments: &[u32]) -> Option<(u32, u32)> {
    let precision = arguments.first()?;
    Some((*precision, arguments.get(1).copied().unwrap_or(0)))
}

// ---------------------------------------------------------------------------------------------- SQLite

/// Tests whether the declared type leaves open what a column of SQLite holds.
pub(crate) fn is_open(column: &StoredColumn) -> bool {
    let is_fixed = matches!(column.stored_as, Some("TEXT" | "BLOB" | "REAL"));
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
        Some("TEXT") => Ok(text_of(column, arguments.first().copied())),
        Some("BLOB") => Ok(Mapped::to("Vec<u8>", Role::Opaque)),
        Some("REAL") => Ok(Mapped::to("f64", Role::Other)),
        None => untyped(seen),
        Some(_) if has(&["int"]) => Ok(Mapped::to("i64", Role::Integer(8))),
        Some(_) if has(&["bool"]) => Ok(boolean(seen)),
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

fn has_numbers(seen: &Seen) -> bool {
    seen.is_numeric() && !seen.is_empty()
}

/// A text, or an enum where a check lists the values.
fn text_of(column: &StoredColumn, max_length: Option<u32>) -> Mapped {
    let choices = column.names.clone().unwrap_or_default();
    let max_length = max_length.into_iter().chain(column.max_length).min();
    of_choices(choices).unwrap_or_else(|| Mapped::text(max_length))
}

/// The enum of these values, if each can be the name of a variant.
fn of_choices(choices: Vec<String>) -> Option<Mapped> {
    let is_name = |it: &String| !it.is_empty() && !it.contains(char::is_control);
    let is_enum = !choices.is_empty() && choices.iter().all(is_name);
    is_enum.then(|| Mapped {
        choices,
        ..Mapped::text(None)
    })
}

fn boolean(seen: Option<&Seen>) -> Mapped {
    match seen {
        Some(seen) if !seen.is_of(&[Class::Boolean]) => Mapped {
            comment: Some(String::from("Rows have other values than 0 and 1.")),
            ..Mapped::to("i64", Role::Integer(8))
        },
        _ => Mapped::to("bool", Role::Other),
    }
}

/// A column without a type, which holds what is stored.
fn untyped(seen: Option<&Seen>) -> Found {
    let values = seen.filter(|seen| !seen.is_empty());
    match values {
        None => Ok(Mapped::text(None).guess(seen, "what the column holds, which has no type")),
        Some(seen) if seen.is_text() => Ok(Mapped::text(None)),
        Some(seen) if seen.is_of(&[Class::Boolean, Class::Integer]) => {
            Ok(Mapped::to("i64", Role::Integer(8)))
        }
        Some(seen) if seen.is_numeric() => Ok(Mapped::to("f64", Role::Other)),
        Some(seen) if seen.is_of(&[Class::Blob]) => Ok(Mapped::to("Vec<u8>", Role::Opaque)),
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
    let most = seen.map_or(0, |seen| seen.scale);
    if most > MEANT_DIGITS {
        return Err(format!(
            "its doubles have up to {most} digits after the point; a view can `round` them"
        ));
    }
    let (precision, scale) = declared.unwrap_or((SQLITE_PRECISION, most));
    let is_guess = declared.is_none() && seen.is_none_or(Seen::is_empty);
    let scale = if is_guess { 2 } else { scale.max(most) };
    let decimal = Mapped::decimal((precision.clamp(scale, SQLITE_PRECISION), scale));
    let decimal = decimal.with([String::from("stored(sqlite = number)")]);
    Ok(if is_guess {
        decimal.guess(seen, "how many digits the numbers have")
    } else {
        decimal
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
    // What is between date and time, and what is behind the second, apart from its digits.
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

// ------------------------------------------------------------------------------------------ PostgreSQL

/// The types of PostgreSQL that are served as they are.
const POSTGRES: &[(&str, &str, Role)] = &[
    ("bool", "bool", Role::Other),
    ("int2", "i16", Role::Integer(2)),
    ("int4", "i32", Role::Integer(4)),
    ("int8", "i64", Role::Integer(8)),
    ("float4", "f32", Role::Other),
    ("float8", "f64", Role::Other),
    ("uuid", "Uuid", Role::Text),
    ("bytea", "Vec<u8>", Role::Opaque),
    ("date", "NaiveDate", Role::Other),
    ("time", "NaiveTime", Role::Other),
    ("timestamp", "NaiveDateTime", Role::Other),
    ("timestamptz", "DateTime<Utc>", Role::Other),
    ("jsonb", "Value", Role::Opaque),
];

/// The types whose text is served, and read by the server.
const AS_TEXT: &str =
    "bit bpchar cidr citext inet interval ltree macaddr macaddr8 money timetz varbit xml";

/// The digits behind the second that are served.
const SECOND_DIGITS: u32 = 6;

/// The greatest precision of `Decimal`.
const DECIMAL_PRECISION: u32 = 28;

/// The field for a column of PostgreSQL.
pub(crate) fn of_postgres(column: &StoredColumn) -> Found {
    let Some(base) = &column.base else {
        return Err(String::from("the catalogue does not tell its type"));
    };
    let name = base.name.as_str();
    let (_, arguments) = split(&base.declared);
    let form = match &base.schema {
        Some(schema) => format!("stored(postgres = type({schema:?}, {name:?}))"),
        None => format!("stored(postgres = type({name:?}))"),
    };
    if !base.labels.is_empty() {
        let mapped = of_choices(base.labels.clone()).unwrap_or_else(|| Mapped::text(None));
        return Ok(mapped.with([form]));
    }
    let seconds = arguments.first().filter(|_| name.starts_with("time"));
    if let Some(digits) = seconds.filter(|digits| **digits < SECOND_DIGITS) {
        return Err(format!(
            "its times have {digits} digits behind the second, and would be rounded; `ALTER TABLE … ALTER COLUMN … TYPE \
             {name}` makes them six and changes no value, or a view can `CAST` it"
        ));
    }
    if let Some((_, rust, role)) = POSTGRES.iter().find(|(known, ..)| *known == name) {
        return Ok(Mapped::to(rust, *role));
    }
    match name {
        "text" | "varchar" => Ok(text_of(column, arguments.first().copied())),
        "numeric" => match digits(&arguments) {
            None => Ok(Mapped::to("Decimal", Role::Other)),
            Some(digits) if digits.0 <= DECIMAL_PRECISION => Ok(Mapped::decimal(digits)),
            Some((precision, _)) => Err(format!(
                "its {precision} digits are more than the {DECIMAL_PRECISION} of a decimal; a view can show it as text"
            )),
        },
        _ if AS_TEXT.split(' ').any(|it| it == name) => {
            let length = arguments.first().filter(|_| name == "bpchar");
            Ok(Mapped::text(length.copied()).with([form]))
        }
        "json" => Err(String::from(
            "`json` is not compared; a view can `CAST` it to `jsonb`",
        )),
        // The catalogue names the type of an array after that of its elements.
        _ if name.starts_with('_') => Err(String::from(
            "arrays are not served; a view can show it by `to_jsonb`",
        )),
        _ => Err(format!(
            "the type `{}` is not served; a view can show it by `CAST`",
            base.declared
        )),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use resource_runtime::schema::StoredColumn;

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
            "Decimal; digits(15, 3); stored(sqlite = number)"
        );
        assert_eq!(
            of("NUMERIC(18,2)", 1),
            "Decimal; digits(15, 2); stored(sqlite = number)"
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
