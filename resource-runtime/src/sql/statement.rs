use std::sync::Arc;

use crate::schema::Kind;
use crate::value::Value;

/// Text for the database with the values bound to its placeholders.
///
/// Only the writer of this stage makes one, so the text holds nothing of a request.
#[derive(Debug, Clone)]
pub(crate) struct Statement {
    pub(super) text: Text,
    pub(super) binds: Vec<Bind>,
}

/// A value bound by the kind of its attribute, never by the form in which a client wrote it:
/// drivers keep prepared statements by text, and one text must always be bound alike.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Bind {
    pub(crate) kind: Kind,
    pub(crate) value: Value,
}

/// Remembered statements are compared one by one: those of one form have the same long text, and
/// differ in their last values, so that these come first.
impl PartialEq for Statement {
    fn eq(&self, other: &Self) -> bool {
        self.binds.len() == other.binds.len()
            && self.binds.iter().rev().eq(other.binds.iter().rev())
            && self.text == other.text
    }
}

/// What a writer has written, shared with whoever repeats it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Text(pub(super) Arc<str>);

impl Text {
    pub(super) fn as_str(&self) -> &str {
        &self.0
    }

    pub(super) fn shared(&self) -> Arc<str> {
        self.0.clone()
    }
}

impl Statement {
    pub(crate) fn text(&self) -> &str {
        self.text.as_str()
    }

    pub(crate) fn binds(&self) -> &[Bind] {
        &self.binds
    }

    #[cfg(feature = "postgres")]
    pub(crate) fn shared_text(&self) -> Arc<str> {
        self.text.shared()
    }

    #[cfg(feature = "sqlite")]
    pub(crate) fn into_parts(self) -> (Arc<str>, Vec<Bind>) {
        (self.text.shared(), self.binds)
    }
}

#[cfg(test)]
mod tests {
    use super::Statement;
    use crate::schema::Kind;
    use crate::sql::Dialect;
    use crate::sql::writer::Writer;
    use crate::value::Value;

    fn statement(text: &'static str, values: &[i64]) -> Statement {
        let mut writer = Writer::new(Dialect::Sqlite);
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
