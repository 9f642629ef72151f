//! Values that would be taken, for whoever reads and tries.

use resource_model::schema::{Attribute, Bound, Kind, ResourceDefinition};

use super::json::{Json, Object};

/// A body or an answer with these attributes.
pub(super) fn object<'attribute>(
    attributes: impl Iterator<Item = &'attribute Attribute>,
) -> Object {
    attributes.fold(Object::new(), |object, attribute| {
        object.with(attribute.name(), value(attribute))
    })
}

/// A page of one item.
pub(super) fn page(definition: &ResourceDefinition) -> Object {
    let item = object(definition.readable_attributes());
    Object::new()
        .with("items", vec![item])
        .with("totalItems", Json::Integer(1))
}

/// A value of an attribute.
pub(super) fn value(attribute: &Attribute) -> Json {
    if let Some(name) = attribute.names().first() {
        return Json::from(*name);
    }
    match attribute.kind() {
        Kind::Boolean => Json::from(true),
        Kind::SmallInteger | Kind::Integer | Kind::BigInteger => integer(attribute),
        Kind::Real | Kind::Double => real(attribute),
        Kind::Text => Json::from(text(attribute)),
        Kind::Decimal => Json::from(decimal(attribute)),
        Kind::Bytes => Json::from("AP8="),
        Kind::Uuid => Json::from("01890a5d-ac96-774b-bcce-b302099a8057"),
        Kind::Date => Json::from("2024-02-29"),
        Kind::Time => Json::from("07:08:09"),
        Kind::LocalDateTime => Json::from("2024-02-29T07:08:09"),
        Kind::Timestamp => Json::from("2024-02-29T07:08:09Z"),
        Kind::Json => Object::new().with("any", "JSON").into(),
    }
}

/// The name of the attribute in words, as long as it may be.
fn text(attribute: &Attribute) -> String {
    let (min, max) = attribute.length_limits();
    let mut text = attribute.name().replace('_', " ");
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
        (Some(Bound::Integer(min)), _) if min > 1 => Json::Integer(min),
        (_, Some(Bound::Integer(max))) if max < 1 => Json::Integer(max),
        _ => Json::Integer(1),
    }
}

fn decimal(attribute: &Attribute) -> String {
    let usual = Bound::Real(12.5);
    match attribute.value_limits() {
        (Some(min), _) if min.exceeds(usual) => min.to_string(),
        (_, Some(max)) if usual.exceeds(max) => max.to_string(),
        _ => "12.50".to_owned(),
    }
}

fn real(attribute: &Attribute) -> Json {
    let (min, max) = attribute.value_limits();
    let min = min.map_or(f64::NEG_INFINITY, Bound::as_real);
    let max = max.map_or(f64::INFINITY, Bound::as_real);
    Json::Real(1.5_f64.max(min).min(max))
}
