//! The type of a field for the type of a column.

mod postgres;
mod sqlite;

use resource_runtime::schema::StoredColumn;

use crate::rows::Seen;

pub(crate) use postgres::of_postgres;
pub(crate) use sqlite::{is_open, of_sqlite};

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
    /// The digits of a decimal, in all and behind the point.
    pub(crate) digits: Option<(u32, u32)>,
    /// The only values, where the type is an enum.
    pub(crate) choices: Vec<String>,
    /// The decision that was made, where another one was possible.
    pub(crate) comment: Option<String>,
    /// A question to decide, where rows would tell and were not read.
    pub(crate) question: Option<String>,
    /// True where the database rounds what is written, so that clients only read it.
    pub(crate) is_rounded: bool,
}

impl Mapped {
    fn to(name: &str, role: Role) -> Self {
        Self {
            rust: Rust::new(name, role),
            keys: Vec::new(),
            digits: None,
            choices: Vec::new(),
            comment: None,
            question: None,
            is_rounded: false,
        }
    }

    /// A field that clients only read, and that is no key.
    fn rounded(mut self) -> Self {
        self.rust.role = Role::Other;
        self.is_rounded = true;
        self
    }

    fn with(mut self, keys: impl IntoIterator<Item = String>) -> Self {
        self.keys.extend(keys);
        self
    }

    fn text(max_length: Option<u32>) -> Self {
        // No text would be short enough for 0, which SQLite does not heed.
        let max_length = max_length.filter(|most| *most > 0);
        Self::to("String", Role::Text).with(max_length.map(|most| format!("max_length = {most}")))
    }

    fn decimal((precision, scale): (u32, u32)) -> Self {
        let decimal = Self::to("Decimal", Role::Other);
        Self {
            digits: Some((precision, scale)),
            ..decimal.with([format!("digits({precision}, {scale})")])
        }
    }

    /// The field with the reason of a decision.
    fn because(self, comment: &str) -> Self {
        let comment = self.comment.unwrap_or_else(|| comment.to_owned());
        Self {
            comment: Some(comment),
            ..self
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

/// A text, or an enum where a check lists the values.
fn text_of(column: &StoredColumn, max_length: Option<u32>) -> Found {
    let max_length = max_length.into_iter().chain(column.max_length).min();
    match column.names.clone().filter(|names| !names.is_empty()) {
        None => Ok(Mapped::text(max_length)),
        Some(names) => of_choices(names).ok_or_else(|| {
            String::from(
                "its check allows an empty text, or one with control characters, and no variant of an enum is named so; \
                 allow NULL in its place, or let a view show it",
            )
        }),
    }
}

/// The enum of these values, if each can be the name of a variant.
fn of_choices(choices: Vec<String>) -> Option<Mapped> {
    let is_name = |it: &String| !it.is_empty() && !it.contains(char::is_control);
    choices.iter().all(is_name).then(|| Mapped {
        choices,
        ..Mapped::text(None)
    })
}
