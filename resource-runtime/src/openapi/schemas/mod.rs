//! The schemas of a document: items, bodies, pages and errors.

mod attribute;
mod errors;
mod items;
mod names;
pub(super) mod values;

use resource_model::schema::Operation;

use super::document::Subject;
use super::json::Object;
use super::spec_version::Form;
use crate::operation::Service;
pub(super) use names::Names;

/// The schemas that describe a resource, each by its name.
pub(super) fn of_resource(form: Form, service: &Service, subject: &Subject<'_>) -> Object {
    let definition = service.definition;
    let names = Names::of(definition);
    let choices = definition.all_attributes().iter();
    let choices = choices.filter_map(|it| Some((names.choice(it), attribute::choice(it)?)));
    let schemas = Object::new()
        .with(names.item(), items::item(form, definition, subject))
        .with_some(names.create(), items::create(form, definition))
        .with_some(
            names.update(),
            items::body(form, definition, Operation::Update),
        )
        .with(
            names.page(),
            items::page(definition, service.page_limits.max),
        );
    choices.fold(schemas, |schemas, (name, choice)| {
        schemas.with(name, choice)
    })
}

pub(super) use errors::schemas as of_errors;

/// The schemas of items that others show and that are not, to the letter, what the version serves.
pub(super) fn of_targets(form: Form, subject: &Subject<'_>) -> Object {
    let definitions = subject.services.iter().map(|service| service.definition);
    let targets = definitions.flat_map(|it| it.all_subresources().iter());
    let mut known: Vec<String> = Vec::new();
    targets.fold(Object::new(), |schemas, subresource| {
        let target = subresource.target();
        let name = Names::expanded(target);
        if known.contains(&name) || items::shown(target, subject) != name {
            return schemas;
        }
        known.push(name.clone());
        schemas.with(name, items::expanded(form, target, subject.tables))
    })
}

/// An object that has no other members than these.
pub(super) fn strict(properties: Object, required: &[&'static str]) -> Object {
    Object::of_type("object")
        .with("properties", properties)
        .with("required", required.to_vec())
        .with("additionalProperties", false)
}

/// A text with this meaning.
pub(super) fn text(description: &'static str) -> Object {
    Object::of_type("string").with("description", description)
}
