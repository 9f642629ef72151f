use super::super::form::{Form, reference};
use super::super::json::{Json, Object};
use super::Names;
use super::attribute::{self, Place};
use crate::schema::{ResourceDefinition, Table};

/// An item as it is answered. Nothing of it is required: `fields` picks what is there.
pub(super) fn item(form: Form, definition: &ResourceDefinition, tables: &[Table]) -> Object {
    let attributes = definition.readable_attributes();
    let plain = attributes.fold(Object::new(), |properties, it| {
        let schema = attribute::schema(form, definition, it, Place::Answer(tables));
        properties.with(it.name(), schema)
    });
    let subresources = definition.all_subresources().iter();
    let properties = subresources.fold(plain, |properties, it| {
        let target = Names::of(it.target()).item();
        properties.with(it.name(), form.reference(&target, true))
    });
    let said = Some(definition.meaning()).filter(|text| !text.is_empty());
    Object::new()
        .with("type", "object")
        .with_some("description", said)
        .with("properties", properties)
        .with("additionalProperties", false)
}

/// A page of a collection.
pub(super) fn page(definition: &ResourceDefinition, most: u64) -> Object {
    let most = i64::try_from(most).unwrap_or(i64::MAX);
    let items = Object::new()
        .with("type", "array")
        .with("maxItems", most)
        .with("items", reference(&Names::of(definition).item()));
    let total = Object::new()
        .with("type", "integer")
        .with("format", "int64")
        .with("minimum", Json::Integer(0))
        .with(
            "description",
            "How many items match, on all pages together.",
        );
    let properties = Object::new().with("items", items).with("totalItems", total);
    Object::new()
        .with("type", "object")
        .with("properties", properties)
        .with("required", vec!["items", "totalItems"])
        .with("additionalProperties", false)
}
