//! Stored values as fields of CSV (RFC 4180), written by kind.

use resource_model::error::DatabaseResult;
use resource_model::schema::Kind;
use resource_model::value::ValueRef;

use crate::json;

/// The first characters of a text that spreadsheets take for a formula.
const FORMULA: [char; 6] = ['=', '+', '-', '@', '\t', '\r'];

/// Appends a stored value of `kind`. Texts stand in quotes, so that the empty text is none of the nulls, which are empty.
pub(super) fn write(value: ValueRef<'_>, kind: Kind, bytes: &mut Vec<u8>) -> DatabaseResult<()> {
    match (kind, value) {
        #[cfg(feature = "postgres")]
        (_, ValueRef::Short(text)) => write(ValueRef::Text(text.as_str()), kind, bytes)?,
        (_, ValueRef::Null) => {}
        // Of the kinds with quotes only texts are of a client's free choice; a decimal with its sign is no formula.
        (Kind::Text, ValueRef::Text(text)) if text.starts_with(FORMULA) => {
            quote(["'", text], bytes);
        }
        (Kind::Timestamp, ValueRef::Text(text)) => quote(json::shown_timestamp(text).into(), bytes),
        (Kind::Json, ValueRef::Text(_)) => {
            let mut written = Vec::new();
            json::write(value, kind, &mut written)?;
            quote([&String::from_utf8_lossy(&written), ""], bytes);
        }
        (kind, ValueRef::Text(text)) if kind.is_written_as_string() && kind != Kind::Bytes => {
            quote([text, ""], bytes);
        }
        // Numbers and booleans are the same in JSON, and base64 has nothing to escape.
        _ => json::write(value, kind, bytes)?,
    }
    Ok(())
}

/// Appends a text of two parts in quotes; those within are doubled.
fn quote(parts: [&str; 2], bytes: &mut Vec<u8>) {
    bytes.push(b'"');
    for part in parts {
        for (index, piece) in part.split('"').enumerate() {
            let escape: &[u8] = if index > 0 { b"\"\"" } else { b"" };
            bytes.extend_from_slice(escape);
            bytes.extend_from_slice(piece.as_bytes());
        }
    }
    bytes.push(b'"');
}

#[cfg(test)]
mod tests {
    use resource_model::schema::Kind;
    use resource_model::value::ValueRef;

    use super::write;

    #[test]
    fn values_are_written_by_kind() {
        for (kind, value, expected) in [
            (Kind::Text, ValueRef::Null, ""),
            (Kind::Text, ValueRef::Text(""), "\"\""),
            (
                Kind::Text,
                ValueRef::Text("a,\"b\"\r\n"),
                "\"a,\"\"b\"\"\r\n\"",
            ),
            (
                Kind::Text,
                ValueRef::Text("=HYPERLINK(1)"),
                "\"'=HYPERLINK(1)\"",
            ),
            (Kind::Text, ValueRef::Text("+1"), "\"'+1\""),
            (Kind::Text, ValueRef::Text("-1"), "\"'-1\""),
            (Kind::Text, ValueRef::Text("@a"), "\"'@a\""),
            (Kind::Text, ValueRef::Text("\ta"), "\"'\ta\""),
            (Kind::Text, ValueRef::Text("\ra"), "\"'\ra\""),
            (Kind::Text, ValueRef::Text("a=b"), "\"a=b\""),
            (Kind::Decimal, ValueRef::Text("-1.50"), "\"-1.50\""),
            (Kind::BigInteger, ValueRef::Integer(-1), "-1"),
            (Kind::Boolean, ValueRef::Integer(1), "true"),
            (Kind::Double, ValueRef::Real(1.0), "1.0"),
            (Kind::Bytes, ValueRef::Bytes(b"\xff"), "\"/w==\""),
            (
                Kind::Json,
                ValueRef::Text("{\"a\": [\"=\"]}"),
                "\"{\"\"a\"\":[\"\"=\"\"]}\"",
            ),
            (Kind::Json, ValueRef::Text("null"), "\"null\""),
            (
                Kind::Timestamp,
                ValueRef::Text("2024-02-29T07:08:09.500000Z"),
                "\"2024-02-29T07:08:09.5Z\"",
            ),
            (
                Kind::Timestamp,
                ValueRef::Text("2024-02-29T07:08:10.000000Z"),
                "\"2024-02-29T07:08:10Z\"",
            ),
            (
                Kind::Timestamp,
                ValueRef::Text("of \"no\" time"),
                "\"of \"\"no\"\" time\"",
            ),
        ] {
            let mut bytes = Vec::new();
            write(value, kind, &mut bytes).unwrap();
            assert_eq!(String::from_utf8(bytes).unwrap(), expected);
        }
        assert!(write(ValueRef::Text("yes"), Kind::Boolean, &mut Vec::new()).is_err());
    }
}
