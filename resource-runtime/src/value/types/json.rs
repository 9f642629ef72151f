use serde_json::Value as Json;

use crate::schema::Kind;
use crate::{FieldValue, RecordError, Value};

/// Stored without white space. Numbers are those of `serde_json`: integers of 64 bits, else doubles.
impl FieldValue for Json {
    const KIND: Kind = Kind::Json;

    fn from_value(value: Value) -> Result<Self, RecordError> {
        let Value::Text(text) = value else {
            return Err(RecordError::mismatch(Self::KIND));
        };
        let json: Self = serde_json::from_str(&text).map_err(|error| unreadable(&error))?;
        if holds_null_character(&json) {
            // PostgreSQL cannot store it.
            return Err(RecordError::new("must not hold the character U+0000"));
        }
        Ok(json)
    }

    fn to_value(&self) -> Value {
        Value::Text(self.to_string())
    }
}

/// The body was read as JSON before, so what is left are the limits of reading a value.
fn unreadable(error: &serde_json::Error) -> RecordError {
    let text = error.to_string();
    RecordError::new(if text.starts_with("recursion limit") {
        "must not nest deeper than 127 levels"
    } else if text.starts_with("number out of range") {
        "must not hold numbers beyond the range of a double"
    } else {
        "must be JSON"
    })
}

fn holds_null_character(json: &Json) -> bool {
    match json {
        Json::String(text) => text.contains('\0'),
        Json::Array(members) => members.iter().any(holds_null_character),
        Json::Object(members) => members
            .iter()
            .any(|(name, member)| name.contains('\0') || holds_null_character(member)),
        Json::Null | Json::Bool(_) | Json::Number(_) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::{FieldValue, Json, Value};

    fn refused(text: &str) -> String {
        let value = Value::Text(text.into());
        Json::normalise(value).unwrap_err().to_string()
    }

    #[test]
    fn json_is_stored_without_white_space() {
        let value = Value::Text(String::from(r#"{ "b": [1, 2.50], "a": null }"#));
        let Value::Text(normal) = Json::normalise(value).unwrap() else {
            panic!("JSON is stored as text");
        };
        let same: Json = serde_json::from_str(&normal).unwrap();
        assert_eq!(same, serde_json::json!({"a": null, "b": [1, 2.5]}));
        assert!(!normal.contains(' '));
    }

    #[test]
    fn what_a_database_cannot_keep_is_refused() {
        assert!(refused("{\"a\": \"\\u0000\"}").contains("U+0000"));
        assert!(refused("{\"\\u0000\": 1}").contains("U+0000"));
        assert!(refused("[1e999]").contains("range of a double"));
        let deep = format!("{}{}", "[".repeat(128), "]".repeat(128));
        assert!(refused(&deep).contains("127 levels"));
        let just_fits = format!("{}{}", "[".repeat(127), "]".repeat(127));
        assert!(Json::normalise(Value::Text(just_fits)).is_ok());
    }
}
