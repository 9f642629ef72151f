//! The type `Uuid` as a field, stored as text in lower case.

use uuid::Uuid;

use crate::value::Kind;
use crate::{FieldValue, RecordError, Value};

/// Reads either case with hyphens, stores lower case (RFC 9562, section 4).
impl FieldValue for Uuid {
    const KIND: Kind = Kind::Uuid;

    fn from_value(value: Value) -> Result<Self, RecordError> {
        // UUIDs travel as text, also from PostgreSQL, which has a type for them.
        let text = value.into_text(Self::KIND)?;
        // `try_parse` also takes braces, URNs and digits without hyphens, which have other lengths.
        let hyphenated = text.len() == uuid::fmt::Hyphenated::LENGTH;
        let uuid = hyphenated.then(|| Self::try_parse(&text).ok()).flatten();
        uuid.ok_or_else(|| RecordError::mismatch(Self::KIND))
    }

    fn to_value(&self) -> Value {
        // One form for each UUID lets SQLite, which stores texts, find it by equality.
        Value::Text(self.hyphenated().to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::{FieldValue, Uuid, Value};

    #[test]
    fn uuid_is_stored_in_lower_case() {
        let upper = Value::Text("01890A5D-AC96-774B-BCCE-B302099A8057".into());
        let stored = Value::Text("01890a5d-ac96-774b-bcce-b302099a8057".into());
        assert_eq!(Uuid::normalise(upper).unwrap(), stored);
        assert_eq!(Uuid::normalise(stored.clone()).unwrap(), stored);
        for other in [
            "",
            "01890a5dac96774bbcceb302099a8057",
            "{01890a5d-ac96-774b-bcce-b302099a8057}",
            "01890a5d-ac96-774b-bcce-b302099a805g",
        ] {
            assert!(
                Uuid::normalise(Value::Text(other.into())).is_err(),
                "{other}"
            );
        }
    }
}
