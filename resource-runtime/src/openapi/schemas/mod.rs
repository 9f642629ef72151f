//! What goes over the wire: items, bodies, pages and errors.

mod attribute;
mod bodies;
mod errors;
mod items;
mod names;
pub(super) mod values;

pub(super) use names::Names;

use super::form::Form;
use super::json::Object;
use crate::schema::{ResourceDefinition, Table};

/// The schemas that describe a resource, each by its name.
pub(super) fn of_resource(
    form: Form,
    definition: &ResourceDefinition,
    tables: &[Table],
    most: u64,
) -> Object {
    let names = Names::of(definition);
    let choices = definition.all_attributes().iter();
    let choices =
        choices.filter_map(|it| Some((names.choice(it), attribute::choice(definition, it)?)));
    let schemas = Object::new()
        .with(names.item(), items::item(form, definition, tables))
        .with_some(names.create(), bodies::create(form, definition))
        .with_some(names.update(), bodies::update(form, definition))
        .with(names.page(), items::page(definition, most));
    choices.fold(schemas, |schemas, (name, choice)| {
        schemas.with(name, choice)
    })
}

pub(super) use errors::schemas as of_errors;

/// The schema of items that another resource shows and the version does not serve.
pub(super) fn of_target(form: Form, definition: &ResourceDefinition, tables: &[Table]) -> Object {
    let names = Names::of(definition);
    let choices = definition.readable_attributes();
    let choices =
        choices.filter_map(|it| Some((names.choice(it), attribute::choice(definition, it)?)));
    let item = Object::new().with(names.item(), items::item(form, definition, tables));
    choices.fold(item, |schemas, (name, choice)| schemas.with(name, choice))
}

/// An object that has no other members than these.
pub(super) fn strict(properties: Object, required: &[&'static str]) -> Object {
    Object::new()
        .with("type", "object")
        .with("properties", properties)
        .with("required", required.to_vec())
        .with("additionalProperties", false)
}
