//! The body of a write as a draft: the values of its attributes, and all problems with them.

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD as BASE64;
use resource_model::error::{ApiError, FieldError, did_you_mean, truncate_for_display};
use resource_model::schema::{Attribute, Kind};
use resource_model::value::{self, FieldValue as _, Integer, Record, RecordError, Value};

use super::object::{object, string};
use crate::authorization::View;
use crate::operation::Draft;

/// Number of unknown attributes for which a similar name is suggested: the search is the expensive part
/// of an error, and a body may hold many names.
const MAX_SUGGESTIONS: usize = 20;

/// Number of unknown attributes that are named one by one; a response should not outgrow its request.
const MAX_UNKNOWN: usize = 100;

/// Reads a body into the attributes of a resource, each value by its attribute's kind. Where the body `is_patch`, objects
/// of JSON attributes are patches of those that are stored.
pub(crate) fn draft(view: View<'_>, body: &[u8], is_patch: bool) -> Result<Draft, ApiError> {
    let definition = view.definition();
    let mut draft = Draft {
        record: Record::absent(definition.all_attributes().len()),
        patches: Vec::new(),
        invalid: Vec::new(),
        problems: Vec::new(),
    };
    let mut unknown = 0;
    for member in object(body)? {
        // A hidden attribute is as unknown as one that was never declared, so no response tells of it.
        if let Some((index, attribute)) = view.find(&member.name) {
            let is_merged =
                is_patch && attribute.kind() == Kind::Json && member.value.starts_with('{');
            let read = if is_merged {
                draft.patches.push(index);
                patch(member.value)
            } else {
                parse(body, attribute, member.value)?
            };
            match read {
                Ok(value) => draft.record.set(index, value),
                Err(message) => {
                    let name = attribute.name();
                    let problem = FieldError::new(name, format!("`{name}` {message}"));
                    // Noted, so that the model's checks do not report the attribute as missing, too.
                    draft.invalid.push(index);
                    draft.problems.push(problem);
                }
            }
            continue;
        }
        unknown += 1;
        // Further names are only counted.
        if unknown > MAX_UNKNOWN {
            continue;
        }
        let suggest = unknown <= MAX_SUGGESTIONS;
        let message = not_an_attribute(view, &member.name, suggest);
        // A long name is shortened in the pointer, too: no attribute could have it.
        let pointer = truncate_for_display(&member.name);
        draft.problems.push(FieldError::new(pointer, message));
    }
    if unknown > MAX_UNKNOWN {
        let further = unknown - MAX_UNKNOWN;
        let message = format!("and {further} further names are no attributes either");
        draft.problems.push(FieldError::new("", message));
    }
    Ok(draft)
}

/// The value that `text` spells in the attribute's kind, or the problem with it. The outer error refuses
/// the whole body.
fn parse(
    body: &[u8],
    attribute: &Attribute,
    text: &str,
) -> Result<Result<Value, String>, ApiError> {
    let kind = attribute.kind();
    let quoted = text.starts_with('"');
    // The text is valid JSON, so its first character tells the type.
    let numeric = text.starts_with(|first: char| first == '-' || first.is_ascii_digit());
    let value = match kind {
        _ if text == "null" => return Ok(Ok(Value::Null)),
        // Kept as the client wrote it; the attribute's own normal form follows below.
        Kind::Json => Some(Ok(Value::Text(text.to_owned()))),
        // Kept as text: a floating-point number would lose digits.
        Kind::Decimal if numeric => Some(Ok(Value::Text(text.to_owned()))),
        Kind::Bytes if quoted => Some(bytes(&string(body, text)?)),
        _ if quoted && kind.is_written_as_string() => Some(storable(string(body, text)?)),
        Kind::Boolean if text == "true" => Some(Ok(Value::Boolean(true))),
        Kind::Boolean if text == "false" => Some(Ok(Value::Boolean(false))),
        Kind::Real if numeric => Some(finite(value::single(text))),
        Kind::Double if numeric => Some(finite(value::real(text))),
        _ if numeric => integer(kind, text),
        _ => None,
    };
    let Some(value) = value else {
        let found = found(text, attribute.is_secret());
        return Ok(Err(format!("must be {kind}, not {found}")));
    };
    Ok(value.and_then(|value| {
        // Equal values get one form, so that unique sets, filters and orders take them as equal.
        let normal = attribute.normalise(value);
        normal.map_err(|error| error.to_string())
    }))
}

/// A patch of a JSON attribute, whose own type it need not fit: that is for the merged value.
fn patch(text: &str) -> Result<Value, String> {
    let patch = serde_json::Value::normalise(Value::Text(text.to_owned()));
    patch.map_err(|error| error.to_string())
}

/// A text without U+0000, which PostgreSQL cannot store: neither database gets it, so that both behave alike.
fn storable(text: String) -> Result<Value, String> {
    if text.contains('\0') {
        return Err(String::from("must not hold the character U+0000"));
    }
    Ok(Value::Text(text))
}

fn bytes(text: &str) -> Result<Value, String> {
    let bytes = BASE64.decode(text).map(Value::Bytes);
    bytes.map_err(|_| format!("must be {}", Kind::Bytes))
}

fn finite(number: Result<f64, RecordError>) -> Result<Value, String> {
    number.map(Value::Real).map_err(|error| error.to_string())
}

fn integer(kind: Kind, text: &str) -> Option<Result<Value, String>> {
    let (least, greatest) = kind.integer_range()?;
    match value::integer(text) {
        Integer::Exact(integer) if (least..=greatest).contains(&integer) => {
            Some(Ok(Value::Integer(integer)))
        }
        Integer::Exact(_) | Integer::TooLarge => Some(Err(format!(
            "must be an integer from {least} to {greatest}"
        ))),
        Integer::Fractional => None,
    }
}

/// A description of the value that the client wrote: numbers as they are, everything else by type, and
/// of a secret nothing but its type.
fn found(text: &str, secret: bool) -> String {
    String::from(match text.bytes().next() {
        Some(b'"') => "a string",
        Some(b'{') => "an object",
        Some(b'[') => "an array",
        // `null` is not among them: it is a value of every kind.
        Some(b't' | b'f') => "a boolean",
        _ if secret => "a number",
        _ => return truncate_for_display(text),
    })
}

fn not_an_attribute(view: View<'_>, name: &str, suggest: bool) -> String {
    let definition = view.definition();
    let shown = truncate_for_display(name);
    if let Some((_, subresource)) = definition.find_subresource(name) {
        let keys = subresource.keys().join("`, `");
        return format!("`{shown}` is a subresource; set `{keys}` instead");
    }
    if definition.find_collection(name).is_some() {
        return format!(
            "`{shown}` is a collection, whose items say themselves where they belong; leave it out"
        );
    }
    let resource = definition.name();
    let attributes = definition.all_attributes().iter();
    // Only attributes that a client may set are suggested, and none that is hidden from the caller.
    let suggested = attributes.filter(|it| suggest && !it.is_read_only() && view.can_read(it));
    let suggestion = did_you_mean(name, suggested.map(Attribute::name));
    format!("`{shown}` is not an attribute of {resource}{suggestion}")
}
