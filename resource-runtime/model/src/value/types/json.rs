//! JSON values as a field: their checks, and the form in which every database keeps them.

use std::collections::HashSet;
use std::fmt;
use std::io::{self, Write};

use serde::Serialize as _;
use serde::de::{
    Deserialize, DeserializeOwned, Deserializer, Error, MapAccess, SeqAccess, Visitor,
};
use serde_json::Value as Json;
use serde_json::ser::{CompactFormatter, Formatter, Serializer};

use crate::value::Kind;
use crate::{FieldValue, RecordError, Value};

/// Stores JSON without white space, the members of an object in the order of their names. Numbers are
/// those of `serde_json`: integers of 64 bits, else doubles, of which minus zero becomes zero.
impl FieldValue for Json {
    const KIND: Kind = Kind::Json;

    fn from_value(value: Value) -> Result<Self, RecordError> {
        read(value).map(|(json, _)| json)
    }

    /// Stores the null of JSON as no value, so that there is only one null.
    fn to_value(&self) -> Value {
        match self {
            Self::Null => Value::Null,
            json => Value::Text(text(json)),
        }
    }

    fn normalise(value: Value) -> Result<Value, RecordError> {
        // The text is read twice: first to judge what a parsed value no longer shows, then to write its
        // normal form.
        let (Storable, text) = read(value)?;
        let (json, _): (Self, String) = read(Value::Text(text))?;
        Ok(json.to_value())
    }
}

/// The JSON that a text holds, and the text.
fn read<T: DeserializeOwned>(value: Value) -> Result<(T, String), RecordError> {
    let text = value.into_text(Kind::Json)?;
    let read = serde_json::from_str(&text).map_err(|error| unstorable(&error))?;
    Ok((read, text))
}

/// The error for a client. The body was read as JSON before, so the remaining errors are about content
/// that a value must not hold, with its position.
fn unstorable(error: &serde_json::Error) -> RecordError {
    let text = error.to_string();
    // These are the errors of `Storable`, whose texts are written for clients.
    let reason = if error.is_data() {
        text.rsplit_once(" at line ")
            .map_or("", |(reason, _)| reason)
    // `serde_json` tells its errors of syntax apart in their texts alone.
    } else if text.starts_with("recursion limit") {
        "must not nest deeper than 127 levels"
    } else if text.starts_with("number out of range") {
        "must not hold numbers beyond the range of a double"
    } else if text.contains("hex escape") {
        "must not hold half a surrogate pair"
    } else {
        "must be JSON"
    };
    // The value may be a large document, so that the error tells the place within it.
    let (line, column) = (error.line(), error.column());
    RecordError::new(format!(
        "{reason} (line {line}, column {column} of the value)"
    ))
}

/// A name with which `serde_json` reads an object of one member as JSON that is written in a string.
const RAW_VALUE: &str = "$serde_json::private::RawValue";

/// JSON that survives parsing unchanged and that every database keeps. Checked before the value is
/// parsed, because a parsed value no longer shows that a member was named twice.
struct Storable;

impl<'de> Deserialize<'de> for Storable {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Self)
    }
}

impl<'de> Visitor<'de> for Storable {
    type Value = Self;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("JSON")
    }

    fn visit_unit<E: Error>(self) -> Result<Self, E> {
        Ok(self)
    }

    fn visit_bool<E: Error>(self, _: bool) -> Result<Self, E> {
        Ok(self)
    }

    fn visit_i64<E: Error>(self, _: i64) -> Result<Self, E> {
        Ok(self)
    }

    fn visit_u64<E: Error>(self, _: u64) -> Result<Self, E> {
        Ok(self)
    }

    fn visit_f64<E: Error>(self, _: f64) -> Result<Self, E> {
        Ok(self)
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Self, E> {
        // PostgreSQL cannot store U+0000.
        if text.contains('\0') {
            return Err(E::custom("must not hold the character U+0000"));
        }
        Ok(self)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut members: A) -> Result<Self, A::Error> {
        // Each element is checked as it is read, and none is kept.
        while let Some(Self) = members.next_element()? {}
        Ok(self)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Self, A::Error> {
        // Of two members with one name, the parser would keep the last one and say nothing.
        let mut names = HashSet::new();
        while let Some(name) = members.next_key::<String>()? {
            // Names of members are texts as well, with the same characters.
            Self.visit_str(&name)?;
            if name == RAW_VALUE {
                let message = format!("must not hold the name `{RAW_VALUE}`, which is reserved");
                return Err(A::Error::custom(message));
            }
            if !names.insert(name) {
                return Err(A::Error::custom(
                    "must not name a member of an object twice",
                ));
            }
            let Self = members.next_value()?;
        }
        Ok(self)
    }
}

/// JSON as it is stored. PostgreSQL returns numbers as digits, without an exponent and without a minus
/// before zero: numbers are written so that a double which comes back is still read as a double.
pub(super) fn text(json: &Json) -> String {
    let mut bytes = Vec::new();
    let written = json.serialize(&mut Serializer::with_formatter(&mut bytes, Digits));
    // Writing to memory does not fail, and JSON is UTF-8, so that the other text is never needed.
    let text = written.ok().and_then(|()| String::from_utf8(bytes).ok());
    text.unwrap_or_else(|| json.to_string())
}

/// The stored JSON with a patch merged into it, both as their texts (RFC 7396).
pub fn merge_patch(stored: Value, patch: Value) -> Result<Value, RecordError> {
    let mut merged = match stored {
        Value::Null => Json::Null,
        stored => Json::from_value(stored)?,
    };
    merge(&mut merged, Json::from_value(patch)?);
    Ok(merged.to_value())
}

/// Merges as RFC 7396, section 2 defines it. The depth is limited, as both values were parsed.
fn merge(target: &mut Json, patch: Json) {
    let Json::Object(patch) = patch else {
        *target = patch;
        return;
    };
    // A patch makes an object of whatever is there.
    if !target.is_object() {
        *target = Json::Object(serde_json::Map::new());
    }
    let Some(members) = target.as_object_mut() else {
        return;
    };
    for (name, value) in patch {
        if value.is_null() {
            members.remove(&name);
        } else {
            merge(members.entry(name).or_insert(Json::Null), value);
        }
    }
}

struct Digits;

impl Formatter for Digits {
    fn write_f64<W: ?Sized + Write>(&mut self, writer: &mut W, value: f64) -> io::Result<()> {
        // The sum turns minus zero into zero.
        let value = value + 0.0;
        // A point behind the digits keeps a whole double a double when it is read again.
        if is_among_integers(value) {
            write!(writer, "{value:.1}")
        } else {
            // Any other double has a point or an exponent in its usual form.
            CompactFormatter.write_f64(writer, value)
        }
    }
}

/// Tests whether its digits alone would be read as an integer of 64 bits: a double that great is whole.
fn is_among_integers(value: f64) -> bool {
    // `serde_json` reads digits as an `i64` or a `u64`, hence these ends.
    const LEAST: f64 = -9_223_372_036_854_775_808.0;
    const BEYOND: f64 = 18_446_744_073_709_551_616.0;
    // Below 1e15, the usual form has a point already.
    value.abs() >= 1e15 && (LEAST..BEYOND).contains(&value)
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
    fn numbers_have_a_form_that_every_database_reads_alike() {
        for (sent, stored) in [
            ("-0", "0.0"),
            ("[-0.0,-1e-400]", "[0.0,0.0]"),
            ("1E2", "100.0"),
            ("1.10", "1.1"),
            ("0.1e-6", "1e-7"),
            ("9007199254740993", "9007199254740993"),
            ("1e15", "1000000000000000.0"),
            ("1e16", "10000000000000000.0"),
            ("-7.2057594037927933e+16", "-72057594037927936.0"),
            ("18446744073709549568.0", "18446744073709549568.0"),
            ("18446744073709551616", "1.8446744073709552e+19"),
            ("100000000000000000000", "1e+20"),
            ("1.7976931348623157e308", "1.7976931348623157e+308"),
        ] {
            let normal = Json::normalise(Value::Text(sent.into())).unwrap();
            assert_eq!(normal, Value::Text(stored.into()), "{sent}");
            let read = |text: &str| -> Json { serde_json::from_str(text).unwrap() };
            let (sent, stored) = (read(sent), read(stored));
            assert!(sent == stored || sent.as_f64() == Some(0.0), "{sent}");
        }
    }

    #[test]
    fn json_that_a_database_cannot_store_is_refused() {
        assert!(refused("{\"a\": \"\\u0000\"}").contains("U+0000"));
        assert!(refused("{\"\\u0000\": 1}").contains("U+0000"));
        assert!(refused("[1e999]").contains("range of a double"));
        assert!(refused("\"\\ud800\"").contains("surrogate"));
        let deep = format!("{}{}", "[".repeat(128), "]".repeat(128));
        assert!(refused(&deep).contains("127 levels"));
        let just_fits = format!("{}{}", "[".repeat(127), "]".repeat(127));
        assert!(Json::normalise(Value::Text(just_fits)).is_ok());
    }

    /// The table of RFC 7396, appendix A: what is stored, the patch, and the result.
    const APPENDIX: [(&str, &str, &str); 15] = [
        (r#"{"a":"b"}"#, r#"{"a":"c"}"#, r#"{"a":"c"}"#),
        (r#"{"a":"b"}"#, r#"{"b":"c"}"#, r#"{"a":"b","b":"c"}"#),
        (r#"{"a":"b"}"#, r#"{"a":null}"#, "{}"),
        (r#"{"a":"b","b":"c"}"#, r#"{"a":null}"#, r#"{"b":"c"}"#),
        (r#"{"a":["b"]}"#, r#"{"a":"c"}"#, r#"{"a":"c"}"#),
        (r#"{"a":"c"}"#, r#"{"a":["b"]}"#, r#"{"a":["b"]}"#),
        (
            r#"{"a":{"b":"c"}}"#,
            r#"{"a":{"b":"d","c":null}}"#,
            r#"{"a":{"b":"d"}}"#,
        ),
        (r#"{"a":[{"b":"c"}]}"#, r#"{"a":[1]}"#, r#"{"a":[1]}"#),
        (r#"["a","b"]"#, r#"["c","d"]"#, r#"["c","d"]"#),
        (r#"{"a":"b"}"#, r#"["c"]"#, r#"["c"]"#),
        (r#"{"a":"foo"}"#, r#""bar""#, r#""bar""#),
        (r#"{"e":null}"#, r#"{"a":1}"#, r#"{"a":1,"e":null}"#),
        ("[1,2]", r#"{"a":"b","c":null}"#, r#"{"a":"b"}"#),
        ("{}", r#"{"a":{"bb":{"ccc":null}}}"#, r#"{"a":{"bb":{}}}"#),
        ("7", "{}", "{}"),
    ];

    #[test]
    fn patches_merge_as_the_rfc_says() {
        let text = |text: &str| Value::Text(text.into());
        for (stored, patch, merged) in APPENDIX {
            let result = super::merge_patch(text(stored), text(patch)).unwrap();
            assert_eq!(result, text(merged), "{stored} {patch}");
        }
        let of_nothing = super::merge_patch(Value::Null, text(r#"{"a":null,"b":{}}"#)).unwrap();
        assert_eq!(of_nothing, text(r#"{"b":{}}"#));
        assert!(super::merge_patch(text("{"), text("{}")).is_err());
    }

    #[test]
    fn refusal_names_the_position() {
        assert_eq!(
            refused("[\n{\"a\": 1, \"a\": 2}]"),
            "must not name a member of an object twice (line 2, column 12 of the value)"
        );
    }
}
