//! Example values that the API would accept.

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD as BASE64;
use resource_model::schema::{Attribute, Bound, Example, Kind, ResourceDefinition};
use resource_model::value::{JsonForm, Value, write_escaped};

use super::json::{Json, Object, object};

/// A body of a request or a response with these attributes.
pub(super) fn object<'attribute>(
    attributes: impl Iterator<Item = &'attribute Attribute>,
) -> Object {
    attributes.map(|it| (it.name(), value(it))).collect()
}

/// A page of one item.
pub(super) fn page(definition: &ResourceDefinition) -> Object {
    // The page has one item, and its total says the same.
    let item = object(definition.readable_attributes());
    object! { "items": vec![item], "totalItems": Json::Integer(1) }
}

/// The key of the example item in a path.
pub(super) fn key(definition: &ResourceDefinition) -> String {
    let is_composite = definition.has_composite_key();
    let parts = definition.key_attributes().map(|attribute| {
        // A text stands without its quotes.
        let written = value(attribute).written();
        let text = written.trim_matches('"');
        let mut part = String::new();
        match attribute.kind() {
            Kind::Text if is_composite => write_escaped(text, &mut part),
            _ => part.push_str(text),
        }
        part
    });
    parts.collect::<Vec<_>>().join(",")
}

/// The value of an attribute that its developer gives as an example.
pub(super) fn given(attribute: &Attribute) -> Option<Json> {
    Some(match attribute.given_example()? {
        Example::Boolean(boolean) => boolean.into(),
        Example::Integer(integer) => Json::Integer(integer),
        Example::Real(real) => Json::Real(real),
        // The text of a JSON attribute is a value of any type.
        Example::Text(text) if attribute.kind() == Kind::Json => {
            serde_json::from_str(text).map_or(Json::Absent, Json::Parsed)
        }
        Example::Text(text) => text.into(),
        Example::Bytes(bytes) => BASE64.encode(bytes).into(),
    })
}

/// A value of an attribute: the given one, or one that fits its type and limits.
pub(super) fn value(attribute: &Attribute) -> Json {
    given(attribute).unwrap_or_else(|| made(attribute))
}

fn made(attribute: &Attribute) -> Json {
    // The values of an enum are its names alone, whatever its kind allows.
    if let Some(name) = attribute.names().first() {
        return Json::from(*name);
    }
    // The kind decides the form of a value; limits and names of the attribute narrow it.
    let entry = attribute.kind().entry();
    match entry.json {
        JsonForm::Boolean => Json::from(true),
        JsonForm::Integer(_) => integer(attribute),
        JsonForm::Number(_) => real(attribute),
        JsonForm::Text => Json::from(text(attribute)),
        // Of all formats, only decimals can have limits, which the usual example may exceed.
        JsonForm::Format(_) if attribute.kind() == Kind::Decimal => Json::from(decimal(attribute)),
        JsonForm::Base64 | JsonForm::Format(_) | JsonForm::Pattern(_) => Json::from(entry.example),
        JsonForm::Any => object! { "any": "JSON" }.into(),
    }
}

/// The name of the attribute in words, brought within its length limits.
fn text(attribute: &Attribute) -> String {
    // The name makes an example that readers recognise, where a constant text would not.
    let (min, max) = attribute.length_limits();
    let mut text = attribute.name().replace('_', " ");
    // Names of attributes are ASCII, so bytes are characters, and the cut below is within none.
    while text.len() < length(min.unwrap_or(0)) {
        text.push('.');
    }
    text.truncate(max.map_or(usize::MAX, length));
    text
}

fn length(characters: u32) -> usize {
    usize::try_from(characters).unwrap_or(usize::MAX)
}

fn integer(attribute: &Attribute) -> Json {
    match attribute.value_limits() {
        // The usual example is 1; where a limit excludes it, the limit itself is the nearest value.
        (Some(Bound::Integer(min)), _) if min > 1 => Json::Integer(min),
        (_, Some(Bound::Integer(max))) if max < 1 => Json::Integer(max),
        _ => Json::Integer(1),
    }
}

fn decimal(attribute: &Attribute) -> String {
    let usual = Bound::Real(12.5);
    let example = match attribute.value_limits() {
        (Some(min), _) if min.exceeds(usual) => min.to_string(),
        (_, Some(max)) if usual.exceeds(max) => max.to_string(),
        _ => attribute.kind().entry().example.to_owned(),
    };
    // A decimal of few digits may hold no such number.
    let exact = |text: &str| attribute.normalise(Value::Text(text.to_owned())).ok();
    match exact(&example).or_else(|| exact("0")) {
        Some(Value::Text(exact)) => exact,
        _ => example,
    }
}

fn real(attribute: &Attribute) -> Json {
    let (min, max) = attribute.value_limits();
    let min = min.map_or(f64::NEG_INFINITY, Bound::as_real);
    let max = max.map_or(f64::INFINITY, Bound::as_real);
    // A fraction that is exact in binary is printed as it is, and shows that values need not be whole.
    Json::Real(1.5_f64.max(min).min(max))
}
