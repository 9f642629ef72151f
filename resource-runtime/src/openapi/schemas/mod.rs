//! The schemas of a document: items, bodies, pages and errors.

mod attribute;
mod errors;
mod items;
mod names;
pub(super) mod values;

use resource_model::schema::{Collection, Operation, Subresource};

use super::document::ApiDescription;
use super::json::{Json, Object, object};
use crate::operation::Service;
pub(super) use names::Names;

/// The schemas that describe a resource, each by its name.
pub(super) fn of_resource(service: &Service, api: &ApiDescription<'_>) -> Object {
    // Names of schemas are those of types in generated code, with the resource in front.
    let definition = service.definition;
    let names = Names::of(definition);
    let choices = definition.all_attributes().iter();
    // The names of an enum have a schema of their own, so that generated code has one type for them.
    let choices = choices.filter_map(|it| Some((names.choice(it), attribute::choice(it)?)));
    let choices: Object = choices.collect();
    // Schemas of writes exist only where the resource has the operation.
    let update = items::body(api.spec, definition, Operation::Update);
    let schemas = Object::new()
        .with(names.item, items::item(definition, api))
        .with(names.create, items::create(api.spec, definition))
        .with(names.update, update)
        .with(
            names.page,
            items::page(api.spec, definition, service.page_limits),
        );
    // Enums come last, and operations refer to them through the schemas above.
    schemas.and(choices)
}

pub(super) use errors::schemas as of_errors;

/// The schemas of items that are expanded within others and that the version does not serve in the same form.
pub(super) fn of_targets(api: &ApiDescription<'_>) -> Object {
    let definitions = api.services.iter().map(|service| service.definition);
    let targets = definitions.flat_map(|it| {
        let subresources = it.all_subresources().iter().map(Subresource::target);
        subresources.chain(it.all_collections().iter().map(Collection::target))
    });
    let mut known: Vec<String> = Vec::new();
    targets.fold(Object::new(), |schemas, target| {
        let name = Names::expanded(target);
        // Several resources may expand the same target, and a target that is served has its schema already.
        if known.contains(&name) || items::shown(target, api) != name {
            return schemas;
        }
        known.push(name.clone());
        schemas.with(name, items::expanded(target, api))
    })
}

/// An object that has all of these members, and no others.
pub(super) fn strict(properties: Object) -> Object {
    lenient(properties, &[])
}

/// An object that has no other members than these, of which it may lack some.
fn lenient(properties: Object, optional: &[&str]) -> Object {
    let names = properties.members().map(|(name, _)| name.clone());
    let required: Json = names.filter(|name| !optional.contains(&&**name)).collect();
    object! {
        "type": "object",
        "properties": properties,
        "required": required,
        "additionalProperties": false,
    }
}

/// A description, where there is one.
pub(super) fn told(text: &'static str) -> Option<&'static str> {
    Some(text).filter(|text| !text.is_empty())
}

/// A text with this meaning.
pub(super) fn text(description: &'static str) -> Object {
    object! { "type": "string", "description": description }
}
