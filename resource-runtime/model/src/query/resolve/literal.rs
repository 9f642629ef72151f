use base64::Engine as _;
use base64::prelude::BASE64_STANDARD as BASE64;

use super::super::AttributePath;
use super::super::mistake::Mistake;
use super::super::tree::{Literal, LiteralValue};
use crate::error::excerpt;
use crate::schema::{Attribute, Kind};
use crate::value::{Integer, RecordError, Value, integer, real, single};

/// The value of a literal for the attribute that it is compared with. Null is no value: the
/// functions that take it look for it first.
pub(in crate::query) fn value(path: AttributePath, literal: &Literal) -> Result<Value, Mistake> {
    let attribute = path.attribute;
    let kind = attribute.kind();
    let value = match (kind, &literal.value) {
        (Kind::Json, _) => {
            let name = attribute.name();
            let message = format!("`{name}` is JSON, which is compared with null alone");
            return Err(Mistake::new(literal.position.0, message));
        }
        (_, LiteralValue::String(text)) => text_value(attribute, text),
        (Kind::Boolean, LiteralValue::Boolean(boolean)) => Ok(Value::Boolean(*boolean)),
        (_, LiteralValue::Number(text)) => number(attribute, text),
        _ => Err(unsuited(kind)),
    };
    value.map_err(|error| mistake(path, literal, &error))
}

/// A pattern is bound like a text of the attribute, though it need not be one of its names.
pub(in crate::query) fn require_pattern(
    path: AttributePath,
    text: &str,
    literal: &Literal,
) -> Result<(), Mistake> {
    let stored = storable(text).map(drop);
    stored.map_err(|error| mistake(path, literal, &error))
}

fn text_value(attribute: &Attribute, text: &str) -> Result<Value, RecordError> {
    match attribute.kind() {
        Kind::Text if attribute.names().is_empty() => storable(text),
        Kind::Text => attribute.normalise(storable(text)?),
        Kind::Bytes => {
            let bytes = BASE64.decode(text);
            bytes.map(Value::Bytes).map_err(|_| unsuited(Kind::Bytes))
        }
        kind if kind.is_written_as_string() => attribute.normalise(Value::Text(text.to_owned())),
        kind => Err(unsuited(kind)),
    }
}

fn storable(text: &str) -> Result<Value, RecordError> {
    if text.contains('\0') {
        return Err(RecordError::new("must be a string without U+0000"));
    }
    Ok(Value::Text(text.to_owned()))
}

fn number(attribute: &Attribute, text: &str) -> Result<Value, RecordError> {
    match attribute.kind() {
        Kind::Decimal => attribute.normalise(Value::Text(text.to_owned())),
        Kind::Real => single(text).map(Value::Real),
        Kind::Double => real(text).map(Value::Real),
        kind => exact(kind, text).ok_or_else(|| unsuited(kind)),
    }
}

/// An integer of the kind's range; a fraction is never rounded to one.
fn exact(kind: Kind, text: &str) -> Option<Value> {
    let (least, greatest) = kind.integer_range()?;
    match integer(text) {
        Integer::Exact(integer) if (least..=greatest).contains(&integer) => {
            Some(Value::Integer(integer))
        }
        _ => None,
    }
}

fn unsuited(kind: Kind) -> RecordError {
    match kind.integer_range() {
        Some((least, greatest)) => {
            RecordError::new(format!("must be an integer from {least} to {greatest}"))
        }
        None => RecordError::mismatch(kind),
    }
}

/// The words of a body's error, as a filter says them: "is compared with …" for "must be …", and
/// of the literal what a body's error says of a value.
fn mistake(path: AttributePath, literal: &Literal, error: &RecordError) -> Mistake {
    let name = path.attribute.name();
    let found = excerpt(&literal.to_string());
    let error = error.to_string();
    let message = match error.strip_prefix("must be ") {
        Some(expected) => format!("`{name}` is compared with {expected}, not {found}"),
        None => format!("`{name}` is compared with {found}, which {error}"),
    };
    Mistake::new(literal.position.0, message)
}
