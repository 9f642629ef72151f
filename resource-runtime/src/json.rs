//! Stored values as JSON, written by kind.

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD as BASE64;
use resource_model::error::{DatabaseFailure, DatabaseResult};
use resource_model::schema::Kind;
use resource_model::value::{ValueRef, narrowed};
use serde::Serialize;

/// Appends a stored value of `kind` as JSON.
pub(crate) fn write(value: ValueRef<'_>, kind: Kind, bytes: &mut Vec<u8>) -> DatabaseResult<()> {
    match (kind, value) {
        #[cfg(feature = "postgres")]
        (_, ValueRef::Short(text)) => write(ValueRef::Text(text.as_str()), kind, bytes)?,
        (_, ValueRef::Null) => bytes.extend_from_slice(b"null"),
        // SQLite has no boolean: it stores 0 and 1, and any other number is a failure.
        (Kind::Boolean, ValueRef::Integer(0)) => bytes.extend_from_slice(b"false"),
        (Kind::Boolean, ValueRef::Integer(1)) => bytes.extend_from_slice(b"true"),
        (Kind::SmallInteger | Kind::Integer | Kind::BigInteger, ValueRef::Integer(integer)) => {
            serialize(&integer, bytes)?;
        }
        // NaN and infinity, which JSON lacks, are failures, too: `null` would be another value.
        (Kind::Double, ValueRef::Real(real)) if real.is_finite() => serialize(&real, bytes)?,
        // The double into which the single was widened would have more digits.
        (Kind::Real, ValueRef::Real(real)) if real.is_finite() => {
            serialize(&narrowed(real), bytes)?;
        }
        (Kind::Timestamp, ValueRef::Text(text)) => write_timestamp(text, bytes)?,
        (Kind::Json, ValueRef::Text(text)) => serialize(&json(text)?, bytes)?,
        (Kind::Bytes, ValueRef::Bytes(stored)) => write_base64(stored, bytes)?,
        // Bytes are no text that is stored, whatever another program wrote.
        (kind, ValueRef::Text(text)) if kind.is_written_as_string() && kind != Kind::Bytes => {
            write_text(text, bytes);
        }
        // A value that does not fit its kind, which another program wrote into the table.
        (kind, value) => {
            let class = value.class();
            return Err(DatabaseFailure::internal(format!(
                "a column of kind {kind:?} holds {class}"
            )));
        }
    }
    Ok(())
}

/// Appends a timestamp.
fn write_timestamp(text: &str, bytes: &mut Vec<u8>) -> DatabaseResult<()> {
    match shown_timestamp(text) {
        (text, "") => {
            write_text(text, bytes);
            Ok(())
        }
        // `serialize` escapes the text, since what another program wrote may hold quotes.
        (shown, end) => serialize(&format_args!("{shown}{end}"), bytes),
    }
}

/// A timestamp, which is stored with six digits behind the second, without trailing zeros: its beginning and its end.
pub(super) fn shown_timestamp(text: &str) -> (&str, &str) {
    // A text in another form, from another program, is shown as it is.
    let instant = text.strip_suffix('Z').filter(|text| text.contains('.'));
    let shown = instant.map(|text| text.trim_end_matches('0').trim_end_matches('.'));
    shown.map_or((text, ""), |shown| (shown, "Z"))
}

/// Appends a string (RFC 8259 §7). Most texts have nothing to escape, and are copied in one go.
fn write_text(text: &str, bytes: &mut Vec<u8>) {
    // Room for a text without escapes and its quotes, so that the buffer grows at most once.
    bytes.reserve(text.len() + 2);
    bytes.push(b'"');
    let mut rest = text.as_bytes();
    loop {
        let (plain, others) = rest.split_at(plain_length(rest));
        bytes.extend_from_slice(plain);
        let Some((&first, others)) = others.split_first() else {
            break;
        };
        write_escaped(first, bytes);
        rest = others;
    }
    bytes.push(b'"');
}

fn write_escaped(byte: u8, bytes: &mut Vec<u8>) {
    let letter = match byte {
        b'"' | b'\\' => byte,
        0x08 => b'b',
        b'\t' => b't',
        b'\n' => b'n',
        0x0c => b'f',
        b'\r' => b'r',
        _ => {
            // Only bytes below 0x20 come here, for which JSON has no letter; they have two digits.
            bytes.extend_from_slice(b"\\u00");
            push_hex(&[byte], bytes);
            return;
        }
    };
    bytes.extend([b'\\', letter]);
}

/// Appends bytes as hexadecimal digits.
pub(crate) fn push_hex(bytes: &[u8], text: &mut Vec<u8>) {
    let digit = |number: u8| number + if number < 10 { b'0' } else { b'a' - 10 };
    let start = text.len();
    text.resize(start + bytes.len() * 2, 0);
    let reserved = text.get_mut(start..).unwrap_or_default();
    let (pairs, _) = reserved.as_chunks_mut::<2>();
    for (pair, byte) in pairs.iter_mut().zip(bytes) {
        *pair = [digit(byte >> 4), digit(byte & 15)];
    }
}

/// Number of bytes before the first one that has to be escaped. Eight are examined together (SWAR), as
/// a text of a megabyte blocks the other requests of its thread meanwhile.
fn plain_length(bytes: &[u8]) -> usize {
    let (words, rest) = bytes.as_chunks::<8>();
    let mut length = 0;
    for word in words {
        // Little-endian, so that the trailing zeros lead to the first of the bytes.
        let escaped = escaped_in(u64::from_le_bytes(*word));
        if escaped != 0 {
            return length + escaped.trailing_zeros() as usize / 8;
        }
        length += 8;
    }
    // The last eight overlap with those before, which is quicker than to look at one by one.
    if let Some(last) = bytes.last_chunk::<8>()
        && escaped_in(u64::from_le_bytes(*last)) == 0
    {
        return bytes.len();
    }
    let is_escaped = |byte: &u8| matches!(byte, ..0x20 | b'"' | b'\\');
    length + rest.iter().position(is_escaped).unwrap_or(rest.len())
}

/// The highest bit of each byte that has to be escaped, exact for the first of them: a borrow may mark bytes
/// behind it.
const fn escaped_in(word: u64) -> u64 {
    const EACH: u64 = u64::MAX / 0xff;
    // A byte below the limit borrows, which sets its highest bit; `!word` leaves out bytes that had it set.
    const fn below(word: u64, byte: u8) -> u64 {
        word.wrapping_sub(EACH * byte as u64) & !word
    }
    let quote = below(word ^ (EACH * b'"' as u64), 1);
    let backslash = below(word ^ (EACH * b'\\' as u64), 1);
    (below(word, 0x20) | quote | backslash) & (EACH * 0x80)
}

/// Appends bytes as base64, of whose characters JSON escapes none.
fn write_base64(stored: &[u8], bytes: &mut Vec<u8>) -> DatabaseResult<()> {
    bytes.push(b'"');
    let start = bytes.len();
    // Three bytes become four characters, the last group padded.
    bytes.resize(start + stored.len().div_ceil(3) * 4, 0);
    let reserved = bytes.get_mut(start..).unwrap_or_default();
    let encoded = BASE64.encode_slice(stored, reserved);
    encoded.map_err(DatabaseFailure::internal)?;
    bytes.push(b'"');
    Ok(())
}

/// Parses stored JSON: text that another program wrote into the table may be invalid and would break the
/// response, and PostgreSQL writes JSON in a form of its own.
fn json(text: &str) -> DatabaseResult<serde_json::Value> {
    serde_json::from_str(text).map_err(DatabaseFailure::internal)
}

fn serialize<T: Serialize + ?Sized>(value: &T, bytes: &mut Vec<u8>) -> DatabaseResult<()> {
    serde_json::to_writer(bytes, value).map_err(DatabaseFailure::internal)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::{prop_assert_eq, proptest};
    use resource_model::schema::Kind;
    use resource_model::value::ValueRef;

    use super::write;

    fn written(kind: Kind, value: ValueRef<'_>) -> String {
        let mut bytes = Vec::from(b":");
        write(value, kind, &mut bytes).unwrap();
        String::from_utf8(bytes).unwrap()
    }

    #[test]
    fn timestamps_end_where_they_mean_something() {
        for (stored, expected) in [
            ("2024-02-29T07:08:09.000000Z", r#":"2024-02-29T07:08:09Z""#),
            (
                "2024-02-29T07:08:10.500000Z",
                r#":"2024-02-29T07:08:10.5Z""#,
            ),
            (
                "2024-02-29T07:08:09.000001Z",
                r#":"2024-02-29T07:08:09.000001Z""#,
            ),
            ("2024-02-29T07:08:00Z", r#":"2024-02-29T07:08:00Z""#),
            // Texts that another program wrote into the table.
            (r#"of "no" time.50Z"#, r#":"of \"no\" time.5Z""#),
            (r#""00""#, r#":"\"00\"""#),
        ] {
            assert_eq!(written(Kind::Timestamp, ValueRef::Text(stored)), expected);
        }
    }

    proptest! {
        #[test]
        fn texts_are_escaped_as_serde_does(text in "([ -~]|[\\x00-\\x1f\"\\\\\x7f]|\\PC){0,40}") {
            let expected = format!(":{}", serde_json::to_string(&text).unwrap());
            prop_assert_eq!(written(Kind::Text, ValueRef::Text(&text)), expected);
        }
    }

    #[test]
    fn each_character_is_escaped_wherever_it_stands() {
        for character in ('\0'..='\u{ff}').chain(['\u{2028}', '\u{ffff}', '\u{1f600}']) {
            for before in 0..10 {
                let text = format!("{}{character}{character}\"b", "a".repeat(before));
                let expected = format!(":{}", serde_json::to_string(&text).unwrap());
                assert_eq!(written(Kind::Text, ValueRef::Text(&text)), expected);
            }
        }
    }

    #[test]
    fn bytes_are_padded_to_groups_of_four() {
        for (stored, expected) in [
            (&b""[..], r#":"""#),
            (b"\xff", r#":"/w==""#),
            (b"\xff\xfe", r#":"//4=""#),
            (b"\xff\xfe\xfd", r#":"//79""#),
            (b"\xff\xfe\xfd\0", r#":"//79AA==""#),
        ] {
            assert_eq!(written(Kind::Bytes, ValueRef::Bytes(stored)), expected);
        }
    }
}
