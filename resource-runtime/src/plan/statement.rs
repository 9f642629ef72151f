use std::sync::Arc;

use super::writer::Text;
use crate::schema::Kind;
use crate::value::Value;

/// Text for the database with the values bound to its placeholders.
///
/// Only the writer of this stage makes one, so the text holds nothing of a request.
#[derive(Debug, Clone, PartialEq)]
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
