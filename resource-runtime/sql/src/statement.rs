//! Statements: text of typed fragments, and values.

use std::hash::{Hash, Hasher};

use resource_model::schema::{Kind, StorageForm};
use resource_model::value::Value;

/// Text for the database with the values bound to its placeholders.
///
/// Only the writer of this package makes one, so the text holds nothing of a request.
#[derive(Debug, Clone)]
pub struct Statement {
    pub(super) text: String,
    pub(super) binds: Vec<Bind>,
    /// A statement that belongs to it, for a database that takes them one by one.
    pub(super) next: Option<Box<Statement>>,
}

/// A value bound by the kind of its attribute, never by the form in which a client wrote it:
/// drivers keep prepared statements by text, and one text must always be bound alike.
#[derive(Debug, Clone, PartialEq)]
pub struct Bind {
    /// The kind of the attribute, which decides the form.
    pub kind: Kind,
    /// The form of the column.
    pub form: StorageForm,
    /// The value, in the form of our own tables.
    pub value: Value,
}

impl Bind {
    /// The value in the form of its column; none where it is bound as it is.
    pub fn stored(&self) -> Option<Value> {
        self.form.stored(self.kind, &self.value)
    }
}

/// Compares the last values first: the statements that a cache compares often share a long text and differ in
/// their last values.
impl PartialEq for Statement {
    fn eq(&self, other: &Self) -> bool {
        self.binds.len() == other.binds.len()
            && self.binds.iter().rev().eq(other.binds.iter().rev())
            && self.text == other.text
    }
}

// No value is a number that differs from itself.
impl Eq for Statement {}

impl Hash for Statement {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.text.hash(state);
        for bind in &self.binds {
            bind.value.hash(state);
        }
    }
}

impl Statement {
    /// The text, with a placeholder for each value.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The values, in the order of their placeholders.
    pub fn binds(&self) -> &[Bind] {
        &self.binds
    }

    /// The text and the values.
    pub fn into_parts(self) -> (String, Vec<Bind>) {
        (self.text, self.binds)
    }

    /// Both statements, to be executed together or not at all.
    pub(super) fn followed_by(mut self, next: Self) -> Self {
        self.next = Some(Box::new(next));
        self
    }

    /// Takes out the statement to execute behind this one, as part of the same write, once this one has stored a row.
    pub fn take_next(&mut self) -> Option<Self> {
        self.next.take().map(|next| *next)
    }
}

#[cfg(test)]
mod tests {
    use resource_model::schema::Kind;
    use resource_model::value::Value;

    use super::Statement;
    use crate::Dialect;
    use crate::writer::SqlWriter;

    fn statement(text: &'static str, values: &[i64]) -> Statement {
        let mut writer = SqlWriter::new(Dialect::Sqlite);
        writer.sql(text);
        for value in values {
            writer.bind(Kind::BigInteger, Value::Integer(*value));
        }
        writer.finish()
    }

    #[test]
    fn statements_are_equal_whose_texts_and_values_all_are() {
        let known = statement("SELECT ", &[1, 2, 3]);
        assert_eq!(known, statement("SELECT ", &[1, 2, 3]));
        let others = [
            statement("UPDATE ", &[1, 2, 3]),
            statement("SELECT ", &[0, 2, 3]),
            statement("SELECT ", &[1, 2, 0]),
            statement("SELECT ", &[2, 3]),
            statement("SELECT ", &[]),
        ];
        assert!(others.iter().all(|other| known != *other));
    }
}
