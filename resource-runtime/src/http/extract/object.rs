//! The JSON object of a body: its members, and the positions of its syntax errors.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::fmt;

use resource_model::error::{ApiError, ErrorCode, truncate_for_display};
use serde::Deserialize;
use serde::de::{Deserializer as _, Error as _, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;

/// A member of the body's object: its name, and its value as the client wrote it, so that a number loses
/// no digit before its attribute's kind is known.
#[derive(Debug)]
pub(crate) struct Member<'body> {
    pub(crate) name: Cow<'body, str>,
    pub(crate) value: &'body str,
}

/// Reads a body that is one JSON object in UTF-8, each member named once.
pub(crate) fn object(body: &[u8]) -> Result<Vec<Member<'_>>, ApiError> {
    let text = std::str::from_utf8(body).map_err(|error| {
        if let [0xff, 0xfe, ..] | [0xfe, 0xff, ..] = body {
            let reason = "the body is UTF-16, as its byte order mark says, but must be UTF-8";
            return refused(reason, (1, 1));
        }
        let valid = body.get(..error.valid_up_to()).unwrap_or_default();
        refused("the body is not UTF-8", position_after(valid))
    })?;
    if text.trim_start().is_empty() {
        return Err(refused(
            "the body is empty, but must be one JSON object",
            (1, 1),
        ));
    }
    // `deserialize_any` calls the visitor for each type of value; `deserialize_map` would report a
    // wrong one in its own words.
    let mut deserializer = serde_json::Deserializer::from_str(text);
    let members = deserializer
        .deserialize_any(ObjectVisitor)
        .and_then(|members| deserializer.end().map(|()| members));
    members.map_err(|error| {
        // Checked only after a failure, as a text with this mark never parses.
        if text.starts_with('\u{feff}') {
            let reason =
                "the body begins with a byte order mark, which JSON has none of; leave it out";
            return refused(reason, (1, 1));
        }
        // A column is 0 where nothing of its line is read yet, but positions are counted from 1.
        let position = (error.line().max(1), error.column().max(1));
        refused(&reason(&error), position)
    })
}

/// The text of a JSON string that stands at `value` within `body`.
pub(super) fn string(body: &[u8], value: &str) -> Result<String, ApiError> {
    serde_json::from_str(value).map_err(|error| {
        // `value` is a slice of `body`, so their addresses tell its offset.
        let start = value.as_ptr().addr() - body.as_ptr().addr();
        // The value is one line, since JSON strings hold no raw line breaks: its column is an offset.
        let inside = start.saturating_add(error.column());
        let before = body.get(..inside.saturating_sub(1)).unwrap_or(body);
        refused(&reason(&error), position_after(before))
    })
}

/// The name of a member, borrowed from the body unless it holds escapes.
#[derive(Deserialize)]
#[serde(transparent)]
struct Name<'body>(#[serde(borrow)] Cow<'body, str>);

struct ObjectVisitor;

impl<'body> Visitor<'body> for ObjectVisitor {
    type Value = Vec<Member<'body>>;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("one JSON object")
    }

    fn visit_map<A: MapAccess<'body>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut members = Vec::with_capacity(16);
        // JSON leaves open which of two members with one name holds (RFC 8259, section 4), so neither does. Of the few
        // names that bodies have, a tree compares some faster than a table hashes all.
        let mut names = BTreeSet::new();
        while let Some(Name(name)) = map.next_key()? {
            if !names.insert(name.clone()) {
                let shown = truncate_for_display(&name);
                return Err(A::Error::custom(format!("`{shown}` is named twice")));
            }
            // A raw value is skipped without recursion, so that deep nesting cannot overflow the stack.
            let value: &RawValue = map.next_value()?;
            members.push(Member {
                name,
                value: value.get(),
            });
        }
        Ok(members)
    }

    /// Overrides a default whose error would repeat the whole text.
    fn visit_str<E: serde::de::Error>(self, _: &str) -> Result<Self::Value, E> {
        Err(E::custom("expected one JSON object, found a string"))
    }

    fn visit_seq<A: SeqAccess<'body>>(self, _: A) -> Result<Self::Value, A::Error> {
        Err(A::Error::custom(
            "expected one JSON object, found an array: bulk writes are not offered, \
             send each item in a request of its own",
        ))
    }
}

fn reason(error: &serde_json::Error) -> String {
    let reason = without_position(error);
    format!("the body is not one JSON object: {reason}")
}

/// The message of `serde_json`, without the position that it appends.
pub(crate) fn without_position(error: &serde_json::Error) -> String {
    let text = error.to_string();
    let message = text.rsplit_once(" at line ").map_or(&*text, |(it, _)| it);
    match message {
        // Words of its parser that say nothing to the author of a body.
        "expected ident" => "expected `true`, `false` or `null`".to_owned(),
        _ => message.replace("EOF while parsing", "it ends within"),
    }
}

fn refused(reason: &str, (line, column): (usize, usize)) -> ApiError {
    ApiError::new(
        ErrorCode::MalformedBody,
        format!("{reason} (line {line}, column {column})"),
    )
}

/// The line and column, from 1, of the byte after `text`.
fn position_after(text: &[u8]) -> (usize, usize) {
    let mut lines = text.split(|byte| *byte == b'\n');
    let column = lines.next_back().unwrap_or_default().len() + 1;
    (lines.count() + 1, column)
}

#[cfg(test)]
mod tests {
    use super::{object, string};

    fn message(body: impl AsRef<[u8]>) -> String {
        let error = object(body.as_ref()).unwrap_err();
        error.description().to_owned()
    }

    #[test]
    fn members_keep_their_order_and_their_text() {
        let members = object(br#" {"b": 1.50, "a\u0062": {"x": [1]}} "#).unwrap();
        let pairs: Vec<(&str, &str)> = members
            .iter()
            .map(|member| (&*member.name, member.value))
            .collect();
        assert_eq!(pairs, [("b", "1.50"), ("ab", r#"{"x": [1]}"#)]);
    }

    #[test]
    fn everything_but_one_object_is_refused_where_it_goes_wrong() {
        for (body, end) in [
            (
                "",
                "the body is empty, but must be one JSON object (line 1, column 1)",
            ),
            ("{", "it ends within an object (line 1, column 1)"),
            ("{\n \"a\": 1,\n}", "trailing comma (line 3, column 1)"),
            (
                "{\"a\": 1,\n \"a\": 2}",
                "`a` is named twice (line 2, column 4)",
            ),
            (
                "{\"a\": 1, \"\\u0061\": 2}",
                "`a` is named twice (line 1, column 17)",
            ),
            ("{} {}", "trailing characters (line 1, column 4)"),
            ("{\"a\": NaN}", "expected value (line 1, column 7)"),
            (
                "title=Emma",
                "expected `true`, `false` or `null` (line 1, column 2)",
            ),
            (
                "\u{feff}{}",
                "which JSON has none of; leave it out (line 1, column 1)",
            ),
        ] {
            assert!(message(body).ends_with(end), "{body}: {}", message(body));
        }
        assert!(message("[{}]").contains("bulk writes are not offered"));
        assert!(message("\"x\"").contains("found a string"));
        assert!(message("7").contains("expected one JSON object"));
        assert_eq!(
            message(b"{\n\"\xff\": 1}"),
            "the body is not UTF-8 (line 2, column 2)"
        );
    }

    #[test]
    fn a_name_that_is_repeated_is_found_among_few_and_many() {
        for count in [2, 11, 12, 50] {
            let members: Vec<String> = (0..count).map(|it| format!("\"m{it}\": 0")).collect();
            let members = members.join(", ");
            assert!(object(format!("{{{members}}}").as_bytes()).is_ok());
            for repeated in [0, count / 2, count - 1] {
                let message = message(format!("{{{members}, \"m{repeated}\": 0}}"));
                assert!(
                    message.contains(&format!("`m{repeated}` is named twice")),
                    "{message}"
                );
            }
        }
    }

    #[test]
    fn half_a_surrogate_pair_is_refused_where_it_stands() {
        let body = br#"{"a": "x\ud800"}"#;
        let members = object(body).unwrap();
        let error = string(body, members[0].value).unwrap_err();
        assert!(error.description().contains("(line 1, column 1"));
    }

    #[test]
    fn deep_nesting_and_many_escapes_crash_nothing() {
        let deep = format!("{{\"a\": {}{}}}", "[".repeat(100_000), "]".repeat(100_000));
        assert!(object(deep.as_bytes()).is_ok());
        let escapes = format!("{{\"a\": \"{}\"}}", "\\n".repeat(100_000));
        let members = object(escapes.as_bytes()).unwrap();
        let text = string(escapes.as_bytes(), members[0].value).unwrap();
        assert_eq!(text.len(), 100_000);
    }
}
