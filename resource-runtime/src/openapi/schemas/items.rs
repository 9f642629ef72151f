use resource_model::schema::{ResourceDefinition, Table};

use super::super::document::Subject;
use super::super::form::{Form, reference};
use super::super::json::{Json, Object};
use super::attribute::{self, Place};
use super::{Names, strict};

/// An item as it is answered. Nothing of it is required: `fields` picks what is there.
pub(super) fn item(form: Form, definition: &ResourceDefinition, subject: &Subject<'_>) -> Object {
    let plain = attributes(form, definition, Place::Answer(subject.tables));
    let subresources = definition.all_subresources().iter();
    let properties = subresources.fold(plain, |properties, it| {
        let target = shown(it.target(), subject);
        properties.with(it.name(), form.reference(&target, "object", true))
    });
    described(definition, properties)
}

/// An item within another, whose own subresources are not expanded.
pub(super) fn expanded(form: Form, target: &ResourceDefinition, tables: &[Table]) -> Object {
    described(target, attributes(form, target, Place::Expansion(tables)))
}

/// What a subresource is called: as the items of the version, where it is one of them to the letter.
pub(super) fn shown(target: &ResourceDefinition, subject: &Subject<'_>) -> String {
    if target.all_subresources().is_empty() && subject.serves(target) {
        Names::of(target).item()
    } else {
        Names::expanded(target)
    }
}

fn attributes(form: Form, definition: &ResourceDefinition, place: Place<'_>) -> Object {
    let attributes = definition.readable_attributes();
    attributes.fold(Object::new(), |properties, it| {
        let schema = attribute::schema(form, definition, it, place);
        properties.with(it.name(), schema)
    })
}

fn described(definition: &ResourceDefinition, properties: Object) -> Object {
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
    strict(properties, &["items", "totalItems"])
}
