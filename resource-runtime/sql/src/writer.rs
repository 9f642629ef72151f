//! The writer of statements, from typed fragments alone.

use std::fmt::{self, Write as _};

use resource_model::schema::{Identifier, Kind, StorageForm, StoredSequence};
use resource_model::value::Value;

use crate::table::short_name;
use crate::{Alias, Bind, Dialect, Statement};

/// Writes a statement from typed fragments: keywords known at compile time, identifiers of a definition,
/// its names as literals, numbers, and placeholders with their values. There is no way to write other text.
#[derive(Debug)]
pub(super) struct SqlWriter {
    dialect: Dialect,
    text: String,
    binds: Vec<Bind>,
    /// The number of times that the patterns of the current filter read each octet of a text.
    pub(super) readings: usize,
    /// True where the connection has the functions that stand for patterns on SQLite.
    pub(super) has_functions: bool,
    is_within_collection: bool,
}

impl SqlWriter {
    pub(super) fn new(dialect: Dialect) -> Self {
        Self {
            dialect,
            // Most statements fit, so that they are allocated once.
            text: String::with_capacity(1024),
            binds: Vec::with_capacity(8),
            readings: 0,
            has_functions: true,
            is_within_collection: false,
        }
    }

    /// The writer of a statement for a connection without the functions of the service.
    pub(super) fn without_functions(dialect: Dialect) -> Self {
        Self {
            has_functions: false,
            ..Self::new(dialect)
        }
    }

    /// The writer of a statement that repeats another one, with its values `binds` first, so that numbered
    /// placeholders keep their meaning. Where placeholders have no numbers, each part adds its own values.
    pub(super) fn beginning_with(dialect: Dialect, binds: &[Bind]) -> Self {
        let mut writer = Self::new(dialect);
        if dialect.has_numbered_placeholders() {
            writer.binds.extend_from_slice(binds);
        }
        writer
    }

    pub(super) const fn dialect(&self) -> Dialect {
        self.dialect
    }

    pub(super) fn sql(&mut self, keywords: &'static str) -> &mut Self {
        // The lifetime excludes text that is made at run time, so nothing of a request gets in here.
        self.push(keywords);
        self
    }

    pub(super) fn identifier(&mut self, identifier: Identifier) -> &mut Self {
        // SQLite has no schemas of its own.
        if let (Some(schema), Dialect::Postgres) = (identifier.schema(), self.dialect) {
            self.push_quoted(schema, '"');
            self.push(".");
        }
        self.push_quoted(identifier.as_str(), '"');
        self
    }

    pub(super) fn alias(&mut self, alias: Alias) -> &mut Self {
        let (name, index) = match alias {
            Alias::Item if self.is_within_collection => ("the.element", None),
            Alias::Item => ("the.item", None),
            Alias::Other => ("the.other", None),
            Alias::Page => ("the.page", None),
            Alias::Rows => ("the.rows", None),
            Alias::Target => ("the.target", None),
            Alias::Subresource(index) if self.is_within_collection => ("element.", Some(index)),
            Alias::Subresource(index) => ("subresource.", Some(index)),
        };
        // They hold nothing to escape.
        self.push("\"");
        self.push(name);
        if let Some(index) = index {
            self.push_digits(index);
        }
        self.push("\"");
        self
    }

    /// Writes a part in which the item and its subresources are those of a collection, under aliases of their own.
    pub(super) fn within_collection(&mut self, write: impl FnOnce(&mut Self)) {
        self.is_within_collection = true;
        write(self);
        self.is_within_collection = false;
    }

    pub(super) fn column(&mut self, alias: Alias, column: Identifier) -> &mut Self {
        self.alias(alias).sql(".").identifier(column)
    }

    /// The column of the table that a statement is about, under its alias where it has one.
    pub(super) fn own_column(&mut self, from: Option<Alias>, column: Identifier) -> &mut Self {
        match from {
            Some(alias) => self.column(alias, column),
            None => self.identifier(column),
        }
    }

    /// The name of a column that a page is ordered by; the point keeps it apart from all of a definition.
    pub(super) fn order_name(&mut self, index: usize) -> &mut Self {
        self.push_formatted(format_args!("\"order.{index}\""));
        self
    }

    pub(super) fn order_column(&mut self, alias: Alias, index: usize) -> &mut Self {
        self.alias(alias).sql(".").order_name(index)
    }

    /// A name made of several, joined by points, as generated indexes have. A name that is too long for the
    /// database is cut here, before the database cuts two to the same.
    pub(super) fn joined_identifier(
        &mut self,
        parts: impl IntoIterator<Item = Identifier>,
    ) -> &mut Self {
        let parts: Vec<&str> = parts.into_iter().map(Identifier::as_str).collect();
        // The parts are shortened together, since only the whole name has a limit.
        let name = short_name(parts.join("."), self.dialect.max_identifier_length());
        self.push_quoted(&name, '"');
        self
    }

    /// The name of a sequence, as read from the database.
    pub(super) fn sequence(&mut self, sequence: &StoredSequence) -> &mut Self {
        // The schema is named, as the sequence need not be in the search path.
        self.push_quoted(&sequence.schema, '"');
        self.push(".");
        self.push_quoted(&sequence.name, '"');
        self
    }

    /// The quoted name of a sequence, as a literal.
    pub(super) fn sequence_literal(&mut self, sequence: &StoredSequence) -> &mut Self {
        // A literal that holds a quoted name needs both quotes doubled, one after the other.
        let mut name = Self::new(self.dialect);
        name.sequence(sequence);
        self.push_quoted(&name.text, '\'');
        self
    }

    /// The name of a type, in its schema where that is named.
    pub(super) fn type_name(
        &mut self,
        schema: Option<&'static str>,
        name: &'static str,
    ) -> &mut Self {
        if let Some(schema) = schema {
            self.push_quoted(schema, '"');
            self.push(".");
        }
        self.push_quoted(name, '"');
        self
    }

    /// A name that a definition spells, as a literal.
    pub(super) fn string(&mut self, text: &'static str) -> &mut Self {
        self.push_quoted(text, '\'');
        self
    }

    pub(super) fn literal(&mut self, literal: Literal<'_>) -> &mut Self {
        match literal {
            // Both databases know the words.
            Literal::Boolean(boolean) => self.push_formatted(format_args!("{boolean}")),
            Literal::Integer(integer) => self.push_formatted(format_args!("{integer}")),
            Literal::Real(real) => return self.real(real),
            Literal::Text(text) => self.push_quoted(text, '\''),
        }
        self
    }

    /// An expression, or a type, as the database itself keeps it in its catalogue.
    pub(super) fn catalogued(&mut self, sql: &str) -> &mut Self {
        self.push(sql);
        self
    }

    pub(crate) fn integer(&mut self, integer: i64) -> &mut Self {
        self.push_formatted(format_args!("{integer}"));
        self
    }

    /// A finite double with a point or an exponent, so that it is read back as one.
    pub(crate) fn real(&mut self, real: f64) -> &mut Self {
        // `Debug` writes `1.0` where `Display` writes `1`, which the database would read as an integer.
        self.push_formatted(format_args!("{real:?}"));
        self
    }

    pub(super) fn bind(&mut self, kind: Kind, value: Value) -> &mut Self {
        self.placeholder(ours(kind, value));
        // PostgreSQL compares equal types only, so a value that is sent as text needs the type of its column.
        self.sql(self.dialect.cast(kind))
    }

    /// A placeholder for an array of values of `kind`; the array itself is bound later.
    pub(super) fn array(&mut self, kind: Kind) -> &mut Self {
        self.placeholder(ours(kind, Value::Null));
        let column_type = self.dialect.column_type(kind);
        self.sql("::").sql(column_type).sql("[]")
    }

    pub(super) fn placeholder(&mut self, bind: Bind) {
        self.binds.push(bind);
        // Values are counted as they are bound, so the placeholder after one more value has its number.
        if self.dialect.has_numbered_placeholders() {
            self.push("$");
            self.push_digits(self.binds.len());
        } else {
            self.push("?");
        }
    }

    pub(super) fn bind_text(&mut self, text: impl Into<String>) -> &mut Self {
        self.bind(Kind::Text, Value::Text(text.into()))
    }

    pub(super) fn bind_integer(&mut self, integer: i64) -> &mut Self {
        self.bind(Kind::BigInteger, Value::Integer(integer))
    }

    /// Repeats a statement, with whose values this one [begins](Self::beginning_with).
    pub(super) fn statement(&mut self, statement: &Statement) -> &mut Self {
        self.push(statement.text());
        if self.dialect.has_numbered_placeholders() {
            // The numbers in the text refer to the values with which this writer began.
            debug_assert!(self.binds.starts_with(statement.binds()));
        } else {
            self.binds.extend_from_slice(statement.binds());
        }
        self
    }

    /// Each item written by `write`, with `separator` between.
    pub(super) fn list<T>(
        &mut self,
        separator: &'static str,
        items: impl IntoIterator<Item = T>,
        mut write: impl FnMut(&mut Self, T),
    ) -> &mut Self {
        for (index, item) in items.into_iter().enumerate() {
            if index > 0 {
                self.push(separator);
            }
            write(self, item);
        }
        self
    }

    pub(super) fn identifiers(
        &mut self,
        identifiers: impl IntoIterator<Item = Identifier>,
    ) -> &mut Self {
        self.list(", ", identifiers, |writer, identifier| {
            writer.identifier(identifier);
        })
    }

    /// Writes a number. `write!` would cost more than the rest of a placeholder.
    fn push_digits(&mut self, number: usize) {
        // The higher digits stand first.
        if number >= 10 {
            self.push_digits(number / 10);
        }
        // A remainder below 10 always is a digit, so both conversions succeed.
        let digit = u32::try_from(number % 10).unwrap_or_default();
        self.text.extend(char::from_digit(digit, 10));
    }

    /// Writes a text in quotes, with each quote in it written twice.
    fn push_quoted(&mut self, text: &str, quote: char) {
        self.text.push(quote);
        // Most texts hold no quote and are copied as one piece.
        for piece in text.split_inclusive(quote) {
            self.text.push_str(piece);
            if piece.ends_with(quote) {
                self.text.push(quote);
            }
        }
        self.text.push(quote);
    }

    fn push(&mut self, text: &str) {
        self.text.push_str(text);
    }

    fn push_formatted(&mut self, text: fmt::Arguments<'_>) {
        // Writing to a `String` cannot fail.
        let _ = self.text.write_fmt(text);
    }

    pub(super) fn finish(self) -> Statement {
        Statement {
            text: self.text,
            binds: self.binds,
            next: None,
        }
    }
}

/// A constant of the developer's own code, in a statement that is shown and never sent.
#[derive(Debug, Clone, Copy)]
pub enum Literal<'value> {
    Boolean(bool),
    Integer(i64),
    Real(f64),
    Text(&'value str),
}

const fn ours(kind: Kind, value: Value) -> Bind {
    let form = StorageForm::Ours;
    Bind { kind, form, value }
}

#[cfg(test)]
mod tests {
    use super::{Dialect, Identifier, Kind, SqlWriter, Value};

    #[test]
    fn identifiers_are_quoted_and_values_only_bound() {
        let mut writer = SqlWriter::new(Dialect::Sqlite);
        writer.sql("SELECT ").identifier(Identifier::new("or\"der"));
        writer
            .sql(" = ")
            .bind(Kind::Text, Value::Text("'; --".into()));
        let statement = writer.finish();
        assert_eq!(statement.text(), r#"SELECT "or""der" = ?"#);
        assert_eq!(statement.binds().len(), 1);
    }

    #[test]
    fn strings_double_their_quotes() {
        let mut writer = SqlWriter::new(Dialect::Sqlite);
        writer.string("o'clock \"now\" \\").sql(", ").string("");
        assert_eq!(writer.finish().text(), r#"'o''clock "now" \', ''"#);
    }

    #[test]
    fn doubles_keep_their_point() {
        let mut writer = SqlWriter::new(Dialect::Sqlite);
        writer.real(1.0).sql(" ").real(-0.5).sql(" ").real(1e300);
        assert_eq!(writer.finish().text(), "1.0 -0.5 1e300");
    }
}
