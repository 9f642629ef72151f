//! The table of kinds of values, from which columns, JSON schemas, examples and messages are made.

use std::fmt;

/// An entry of the table.
#[derive(Debug)]
pub struct KindEntry {
    /// The name in `api.lock`.
    pub name: &'static str,
    words: &'static str,
    /// Its values in JSON.
    pub json: JsonForm,
    /// A value, as the texts of JSON hold it; empty where JSON has no text.
    pub example: &'static str,
    /// The type of its columns on SQLite.
    pub sqlite: &'static str,
    /// The type of its columns on PostgreSQL.
    pub postgres: &'static str,
    /// The cast behind a placeholder on PostgreSQL, of values that travel as text.
    pub cast: &'static str,
}

/// The values of a kind in JSON.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum JsonForm {
    /// True or false.
    Boolean,
    /// An integer of this format of OpenAPI.
    Integer(&'static str),
    /// A number of this format of OpenAPI.
    Number(&'static str),
    /// Any string.
    Text,
    /// A string in base64.
    Base64,
    /// A string of this format of JSON Schema.
    Format(&'static str),
    /// A string of this regular expression, as JSON Schema has no format for it.
    Pattern(&'static str),
    /// Anything.
    Any,
}

/// Makes the enum [`Kind`] from the table: its variants and their entries.
macro_rules! kinds {
    ($($(#[$doc:meta])* $variant:ident {
        $name:literal, $words:literal, $json:expr, $example:literal, $sqlite:literal, $postgres:literal $(, $cast:literal)?
    })*) => {
        /// The closed set of kinds in which attribute values are stored.
        ///
        /// A Rust type maps to its kind through [`FieldValue`](crate::FieldValue).
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum Kind {
            $($(#[$doc])* $variant,)*
        }

        impl Kind {
            /// The entry of the kind in the table.
            #[doc(hidden)]
            pub const fn entry(self) -> &'static KindEntry {
                match self {
                    $(Self::$variant => &KindEntry {
                        name: $name,
                        words: $words,
                        json: $json,
                        example: $example,
                        sqlite: $sqlite,
                        postgres: $postgres,
                        // Without a cast in the table this is the empty text.
                        cast: concat!($($cast)?),
                    },)*
                }
            }

            /// The kind of this name in `api.lock`.
            #[must_use]
            pub fn named(name: &str) -> Option<Self> {
                match name {
                    $($name => Some(Self::$variant),)*
                    _ => None,
                }
            }
        }
    };
}

kinds! {
    /// `bool`
    Boolean { "bool", "true or false", JsonForm::Boolean, "", "INTEGER", "boolean" }
    /// `i16`
    SmallInteger { "i16", "an integer", JsonForm::Integer("int32"), "", "INTEGER", "smallint" }
    /// `i32`
    Integer { "i32", "an integer", JsonForm::Integer("int32"), "", "INTEGER", "integer" }
    /// `i64`
    BigInteger { "i64", "an integer", JsonForm::Integer("int64"), "", "INTEGER", "bigint" }
    /// `f32`, finite
    Real { "f32", "a number", JsonForm::Number("float"), "", "REAL", "real" }
    /// `f64`, finite
    Double { "f64", "a number", JsonForm::Number("double"), "", "REAL", "double precision" }
    // SQLite turns the values of a column of type NUMERIC into doubles, so decimals are texts there.
    /// A decimal number, exact and ordered as one: `12.50`.
    Decimal { "decimal", "a decimal number", JsonForm::Format("decimal"), "12.50", "TEXT", "numeric", "::numeric" }
    /// `String`: Unicode text without U+0000
    Text { "text", "a string", JsonForm::Text, "", "TEXT", "text" }
    /// `Vec<u8>`; in JSON a string in base64 with padding (RFC 4648, section 4).
    Bytes { "bytes", "a string in base64 with padding", JsonForm::Base64, "AP8=", "BLOB", "bytea" }
    /// A UUID; in JSON a string of lower-case letters with hyphens.
    Uuid { "uuid", "a UUID", JsonForm::Format("uuid"), "01890a5d-ac96-774b-bcce-b302099a8057", "TEXT", "uuid", "::uuid" }
    /// A day of the calendar: `2024-02-29`.
    Date { "date", "a date", JsonForm::Format("date"), "2024-02-29", "TEXT", "date", "::date" }
    /// A time of day: `07:08:09.5`.
    Time {
        "time",
        "a time",
        // The format `time` of JSON Schema demands an offset.
        JsonForm::Pattern(r"^([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d{1,6})?$"),
        "07:08:09",
        "TEXT",
        "time",
        "::time"
    }
    /// A day and a time without an offset: `2024-02-29T07:08:09`.
    LocalDateTime {
        "local_date_time",
        "a date and time",
        JsonForm::Pattern(r"^\d{4}-\d{2}-\d{2}T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d{1,6})?$"),
        "2024-02-29T07:08:09",
        "TEXT",
        "timestamp",
        "::timestamp"
    }
    /// An instant, in responses as UTC: `2024-02-29T07:08:09Z`.
    Timestamp {
        "timestamp",
        "a timestamp with an offset",
        JsonForm::Format("date-time"),
        "2024-02-29T07:08:09Z",
        "TEXT",
        "timestamptz",
        "::timestamptz"
    }
    /// Any JSON value.
    Json { "json", "JSON", JsonForm::Any, "", "TEXT", "jsonb", "::jsonb" }
}

impl Kind {
    /// The name in `api.lock`, and in findings about two versions.
    #[must_use]
    pub const fn name(self) -> &'static str {
        self.entry().name
    }

    /// The smallest and greatest integer of an integer kind.
    #[doc(hidden)]
    pub const fn integer_range(self) -> Option<(i64, i64)> {
        // The range is that of the Rust type, which the column of PostgreSQL has as well; SQLite gets it as a
        // check.
        match self {
            Self::SmallInteger => Some((i16::MIN as i64, i16::MAX as i64)),
            Self::Integer => Some((i32::MIN as i64, i32::MAX as i64)),
            Self::BigInteger => Some((i64::MIN, i64::MAX)),
            _ => None,
        }
    }

    /// Tests whether its values are strings in JSON.
    #[doc(hidden)]
    pub const fn is_written_as_string(self) -> bool {
        // Numbers and booleans have types of their own in JSON, and `Any` may be of every type.
        matches!(
            self.entry().json,
            JsonForm::Text | JsonForm::Base64 | JsonForm::Format(_) | JsonForm::Pattern(_)
        )
    }

    /// Tests whether its values have an order, by which filters compare and orders sort them.
    #[doc(hidden)]
    pub const fn is_ordered(self) -> bool {
        // PostgreSQL orders `jsonb` by type and size, SQLite would order its text: no order is common to
        // both.
        !matches!(self, Self::Json)
    }
}

/// Shows the kind for an error message: "an integer", "a string", "a date like \"2024-02-29\"".
impl fmt::Display for Kind {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let entry = self.entry();
        formatter.write_str(entry.words)?;
        // The example shows the form in a message, where the words alone would leave it open.
        match entry.example {
            "" => Ok(()),
            example => write!(formatter, " like \"{example}\""),
        }
    }
}
