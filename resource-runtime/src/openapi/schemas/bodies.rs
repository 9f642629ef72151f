use resource_model::schema::{Attribute, Operation, ResourceDefinition};

use super::super::form::Form;
use super::super::json::Object;
use super::attribute::{self, Place};

/// The body of a new item, where there can be one.
pub(super) fn create(form: Form, definition: &ResourceDefinition) -> Option<Object> {
    let body = body(form, definition, Operation::Create)?;
    let required = definition.all_attributes().iter();
    let required: Vec<&str> = required
        .filter(|it| it.is_taken_by(Operation::Create) && is_required(definition, it))
        .map(Attribute::name)
        .collect();
    let required = Some(required).filter(|names| !names.is_empty());
    Some(body.with_some("required", required))
}

/// The body of a change: any part of it.
pub(super) fn update(form: Form, definition: &ResourceDefinition) -> Option<Object> {
    body(form, definition, Operation::Update)
}

fn body(form: Form, definition: &ResourceDefinition, operation: Operation) -> Option<Object> {
    if !definition.offered_operations().contains(&operation) {
        return None;
    }
    let attributes = definition.all_attributes().iter();
    let properties = attributes.filter(|it| it.is_taken_by(operation));
    let properties = properties.fold(Object::new(), |properties, it| {
        let schema = attribute::schema(form, definition, it, Place::Body);
        properties.with(it.name(), schema)
    });
    let body = Object::new()
        .with("type", "object")
        .with_some("description", unique_together(definition))
        .with("properties", properties)
        .with("additionalProperties", false);
    Some(body)
}

/// What no schema can say.
fn unique_together(definition: &ResourceDefinition) -> Option<String> {
    let sets = definition.unique_sets().iter();
    let sentences: Vec<String> = sets
        .map(|names| format!("No two items share `{}` together.", names.join("` and `")))
        .collect();
    (!sentences.is_empty()).then(|| sentences.join(" "))
}

/// A caller is the owner of what they create, unless they name another, which few may.
fn is_required(definition: &ResourceDefinition, attribute: &Attribute) -> bool {
    let is_owned = definition.ownership().is_some() && attribute.is_owner();
    attribute.is_required() && !is_owned
}
