//! The operations of a resource: what each takes and answers.

use resource_model::error::ErrorCode;
use resource_model::schema::{Access, Operation};

use super::document::Described;
use super::form::{Form, reference};
use super::json::{Json, Object};
use super::responses::{Errors, empty, json, location};
use super::schemas::Names;
use super::{examples, parameters, security};
use crate::operation::Service;

/// What stands at the paths of a resource.
pub(super) fn paths(form: Form, resource: &Described<'_>) -> Object {
    let of_collection = path_item(form, resource, false, Object::new());
    let key = resource.service.definition.primary_key();
    let id = key.map(|key| vec![parameters::id(form, key)]);
    let shared = Object::new().with_some("parameters", id);
    let of_item = path_item(form, resource, true, shared);
    let path = resource.path();
    Object::new()
        .with_some(path.clone(), of_collection)
        .with_some(format!("{path}/{{id}}"), of_item)
}

fn path_item(
    form: Form,
    resource: &Described<'_>,
    of_item: bool,
    shared: Object,
) -> Option<Object> {
    let offered = resource.service.definition.offered_operations();
    let mut offered = Operation::ALL
        .into_iter()
        .filter(|it| it.is_of_item() == of_item && offered.contains(it))
        .peekable();
    offered.peek()?;
    Some(offered.fold(shared, |item, operation| {
        let method = operation.method().to_ascii_lowercase();
        item.with(method, describe(form, resource, operation))
    }))
}

fn describe(form: Form, resource: &Described<'_>, operation: Operation) -> Object {
    let service = resource.service;
    let definition = service.definition;
    let names = Names::of(definition);
    let name = definition.name();
    let said = Object::new()
        .with("operationId", names.operation(operation.name()))
        .with("tags", vec![name])
        .with("summary", summary(operation, name))
        .with("description", description(operation))
        .with_some(
            "security",
            security::of(form, definition, operation, resource.schemes),
        );
    let taken = said
        .with_some("parameters", taken(service, operation))
        .with_some("requestBody", body(service, operation));
    let succeeded = succeeded(resource, operation);
    let errors = errors(resource, operation).responses(form);
    taken.with("responses", succeeded.and(errors))
}

fn summary(operation: Operation, name: &str) -> String {
    match operation {
        Operation::List => format!("A page of items: {name}"),
        Operation::Retrieve => format!("One {name}"),
        Operation::Create => format!("A new {name}"),
        Operation::Update => format!("Changes what the body names of one {name}"),
        Operation::Delete => format!("Removes one {name}, to which nothing refers"),
    }
}

/// What its parameters and answers do not say by themselves.
const fn description(operation: Operation) -> &'static str {
    match operation {
        Operation::List => {
            "Items that match `filter`, as `order` says: at most `limit` of them, after the first \
             `offset`. `totalItems` counts all that match."
        }
        Operation::Retrieve => "All attributes of the item, or those that `fields` names.",
        Operation::Create => "The header `Location` of the answer tells where the new item is.",
        Operation::Update => "Attributes that the body does not name stay as they are.",
        Operation::Delete => "An item that others refer to stays, and the answer says so.",
    }
}

fn taken(service: &Service, operation: Operation) -> Option<Vec<Object>> {
    let definition = service.definition;
    let limits = service.query_limits;
    match operation {
        Operation::List => Some(parameters::of_list(definition, service.page_limits, limits)),
        Operation::Retrieve => Some(vec![parameters::fields(definition, limits)]),
        Operation::Create | Operation::Update | Operation::Delete => None,
    }
}

fn body(service: &Service, operation: Operation) -> Option<Object> {
    let definition = service.definition;
    let names = Names::of(definition);
    let attributes = definition.all_attributes().iter();
    let sent = attributes.filter(|it| it.is_taken_by(operation) && !it.is_owner());
    let (schema, example) = match operation {
        Operation::Create => (names.create(), examples::object(sent)),
        Operation::Update => (names.update(), examples::object(sent.take(1))),
        Operation::List | Operation::Retrieve | Operation::Delete => return None,
    };
    let media = Object::new()
        .with("schema", reference(&schema))
        .with("example", example);
    let content = Object::new().with("application/json", media);
    Some(
        Object::new()
            .with("required", true)
            .with("content", content),
    )
}

fn succeeded(resource: &Described<'_>, operation: Operation) -> Object {
    let definition = resource.service.definition;
    let names = Names::of(definition);
    let none = Object::new;
    match operation {
        Operation::List => {
            let example = examples::page(definition);
            none().with("200", json("The page.", none(), &names.page(), example))
        }
        Operation::Retrieve => {
            let example = examples::object(definition.readable_attributes());
            none().with("200", json("The item.", none(), &names.item(), example))
        }
        Operation::Create => {
            let key = definition.primary_key().map(examples::value);
            let key = match key {
                Some(Json::Text(text)) => text.into_owned(),
                Some(Json::Integer(integer)) => integer.to_string(),
                _ => String::new(),
            };
            let header = location(format!("{}/{key}", resource.path()));
            none().with("201", empty("The item is stored.", header))
        }
        Operation::Update => none().with("204", empty("The item is as the body says.", none())),
        Operation::Delete => none().with("204", empty("The item is gone.", none())),
    }
}

fn errors(resource: &Described<'_>, operation: Operation) -> Errors {
    let asked = of_authorization(Errors::default(), resource, operation);
    let all = asked.with(&[ErrorCode::Unavailable]);
    let service = resource.service;
    let is_referred_to = !service.referrers.is_empty();
    let mut attributes = service.definition.all_attributes().iter();
    let moves_away =
        attributes.any(|it| it.is_taken_by(Operation::Update) && service.is_referred_to_by(it));
    match operation {
        Operation::List => all.with(&[
            ErrorCode::MalformedFilter,
            ErrorCode::MalformedOrder,
            ErrorCode::MalformedFields,
            ErrorCode::MalformedPaging,
            ErrorCode::MalformedQuery,
            ErrorCode::NotAcceptable,
        ]),
        Operation::Retrieve => all.with(&[
            ErrorCode::NoSuchItem,
            ErrorCode::MalformedFields,
            ErrorCode::MalformedQuery,
            ErrorCode::NotAcceptable,
        ]),
        Operation::Create => of_body(all, service),
        Operation::Update => of_body(all, service)
            .with(&[ErrorCode::NoSuchItem])
            .with_if(moves_away, ErrorCode::StillInUse),
        Operation::Delete => all
            // A validator or a trigger may have its reasons.
            .with(&[ErrorCode::NoSuchItem, ErrorCode::InvalidItem])
            .with_if(is_referred_to, ErrorCode::StillInUse),
    }
}

fn of_body(errors: Errors, service: &Service) -> Errors {
    errors
        .with(&[
            ErrorCode::InvalidItem,
            ErrorCode::MalformedBody,
            ErrorCode::BodyTooLarge,
            ErrorCode::UnsupportedMediaType,
        ])
        .with_if(!service.unique.is_empty(), ErrorCode::NotUnique)
        .with_if(!service.references.is_empty(), ErrorCode::MissingReference)
}

fn of_authorization(errors: Errors, resource: &Described<'_>, operation: Operation) -> Errors {
    if resource.schemes.is_none() {
        return errors;
    }
    let definition = resource.service.definition;
    let scoped = matches!(definition.access(operation), Access::Scopes(_));
    let writes = matches!(operation, Operation::Create | Operation::Update);
    let mut attributes = definition.all_attributes().iter();
    let of_fields = writes && attributes.any(|it| it.scopes_to_write().is_some());
    errors
        .with(&[ErrorCode::MalformedAuthorization, ErrorCode::NoValidToken])
        .with_if(scoped || of_fields, ErrorCode::InsufficientScope)
}
