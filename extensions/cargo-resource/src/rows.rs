//! What the rows of a SQLite file tell of columns whose declared types leave it open.

use std::collections::BTreeSet;
use std::path::Path;

use chrono::NaiveDate;
use resource_runtime::Error;
use rusqlite::types::ValueRef;
use rusqlite::{Connection, OpenFlags};

/// The number of different shapes after which a column counts as mixed.
const MANY: usize = 9;

/// Reads the names of the virtual tables.
const VIRTUAL_TABLES: &str =
    "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'virtual' ORDER BY name";

/// Reads the expression of the default of a column.
const DEFAULT: &str = "SELECT dflt_value FROM pragma_table_xinfo(?1) WHERE name = ?2";

/// The class of a value that is no text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Class {
    /// 0 or 1.
    Boolean,
    Integer,
    Real,
    Blob,
}

/// The values of a column.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Seen {
    pub(crate) classes: BTreeSet<Class>,
    /// The most digits before the point of a number.
    pub(crate) whole: u32,
    /// The most digits after the point of a number.
    pub(crate) scale: u32,
    /// The texts, each digit as 0: `0000-00-00`.
    pub(crate) shapes: BTreeSet<String>,
}

impl Seen {
    fn add(&mut self, value: ValueRef<'_>) {
        let class = match value {
            ValueRef::Null => return,
            ValueRef::Text(text) => {
                if self.shapes.len() < MANY {
                    let text = String::from_utf8_lossy(text);
                    let mut shape = text.replace(|it: char| it.is_ascii_digit(), "0");
                    let is_day = |text: &str| text.parse::<NaiveDate>().is_ok();
                    if shape.starts_with("0000-00-00") && !text.get(..10).is_some_and(is_day) {
                        shape += " (no day)";
                    }
                    self.shapes.insert(shape);
                }
                return;
            }
            ValueRef::Integer(integer) => {
                self.add_digits(&integer.to_string());
                match integer {
                    0 | 1 => Class::Boolean,
                    _ => Class::Integer,
                }
            }
            ValueRef::Real(real) => {
                // The shortest decimal that is this double.
                self.add_digits(&real.to_string());
                Class::Real
            }
            ValueRef::Blob(_) => Class::Blob,
        };
        self.classes.insert(class);
    }

    fn add_digits(&mut self, number: &str) {
        let (whole, scale) = number.split_once('.').unwrap_or((number, ""));
        let length = |digits: &str| u32::try_from(digits.len()).unwrap_or(u32::MAX);
        self.whole = self.whole.max(length(whole.trim_start_matches(['-', '0'])));
        self.scale = self.scale.max(length(scale));
    }

    /// Tests whether there are no values but nulls.
    pub(crate) fn is_empty(&self) -> bool {
        self.classes.is_empty() && self.shapes.is_empty()
    }

    /// Tests whether all values are of these classes.
    pub(crate) fn is_of(&self, classes: &[Class]) -> bool {
        self.shapes.is_empty() && self.classes.iter().all(|class| classes.contains(class))
    }

    /// Tests whether all values are numbers.
    pub(crate) fn is_numeric(&self) -> bool {
        self.is_of(&[Class::Boolean, Class::Integer, Class::Real])
    }

    /// Tests whether all values are texts.
    pub(crate) fn is_text(&self) -> bool {
        self.classes.is_empty()
    }
}

/// The rows, where they are read.
#[derive(Debug)]
pub(crate) struct Rows(Option<Connection>);

impl Rows {
    /// No rows.
    pub(crate) const fn unread() -> Self {
        Self(None)
    }

    /// The rows of a file, which is opened for reading alone.
    pub(crate) fn of(file: &Path) -> Result<Self, Error> {
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let opened = Connection::open_with_flags(file, flags);
        let opened = opened.map_err(|error| {
            Error::configuration(format!("cannot open `{}`: {error}", file.display()))
        })?;
        Ok(Self(Some(opened)))
    }

    /// The names of the virtual tables.
    pub(crate) fn virtual_tables(&self) -> Vec<String> {
        let prepared = self.0.as_ref().map(|it| it.prepare(VIRTUAL_TABLES));
        let Some(Ok(mut prepared)) = prepared else {
            return Vec::new();
        };
        let names = prepared.query_map([], |row| row.get(0));
        names
            .map(|names| names.flatten().collect())
            .unwrap_or_default()
    }

    /// The values of these columns, and of their defaults; none where rows are not read.
    pub(crate) fn see(&self, table: &str, columns: &[&str]) -> Result<Option<Vec<Seen>>, Error> {
        let Some(connection) = self.0.as_ref().filter(|_| !columns.is_empty()) else {
            return Ok(None);
        };
        let names: Vec<String> = columns.iter().map(|name| quoted(name)).collect();
        let statement = format!("SELECT {} FROM {}", names.join(", "), quoted(table));
        let seen = || -> rusqlite::Result<Vec<Seen>> {
            let mut prepared = connection.prepare(&statement)?;
            let mut rows = prepared.query([])?;
            let mut seen: Vec<Seen> = columns.iter().map(|_| Seen::default()).collect();
            while let Some(row) = rows.next()? {
                for (index, seen) in seen.iter_mut().enumerate() {
                    seen.add(row.get_ref(index)?);
                }
            }
            for (column, seen) in columns.iter().zip(&mut seen) {
                // A value that no row can have is no default.
                let _ = see_default(connection, table, column, seen);
            }
            Ok(seen)
        };
        seen().map(Some).map_err(|error| {
            Error::configuration(format!(
                "its rows cannot be read ({error}); repair it, or decide by hand what rows would tell, with `--no-data`"
            ))
        })
    }
}

/// Adds the value that a column has in a row that names none, as the column would keep it.
fn see_default(
    connection: &Connection,
    table: &str,
    column: &str,
    seen: &mut Seen,
) -> rusqlite::Result<()> {
    let default: String = connection.query_row(DEFAULT, [table, column], |row| row.get(0))?;
    let statement = format!(
        "SELECT CASE WHEN CAST(CAST(value AS NUMERIC) AS TEXT) = value THEN CAST(value AS NUMERIC) ELSE value END
         FROM (SELECT {default} AS value)"
    );
    connection.query_row(&statement, [], |row| {
        seen.add(row.get_ref(0)?);
        Ok(())
    })
}

/// A name in quotes, so that no character of it is read as SQL.
fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

#[cfg(test)]
mod tests {
    use rusqlite::Connection;

    use super::{Class, Rows};

    #[test]
    fn names_are_never_read_as_sql() {
        for name in [
            "a\"b",
            "x\"; DROP TABLE y; --",
            "'",
            "[x]",
            "`",
            "sélect",
            "\"\"",
            "a.b",
            "%s {}",
        ] {
            let connection = Connection::open_in_memory().unwrap();
            let quoted = name.replace('"', "\"\"");
            let table = format!(
                "CREATE TABLE \"{quoted}\" (\"{quoted}\"); INSERT INTO \"{quoted}\" VALUES (7)"
            );
            connection.execute_batch(&table).unwrap();
            let seen = Rows(Some(connection)).see(name, &[name]).unwrap().unwrap();
            assert!(
                seen.iter()
                    .all(|it| it.is_of(&[Class::Integer]) && !it.is_empty()),
                "{name}"
            );
        }
    }
}
