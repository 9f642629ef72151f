//! The operations of a resource, with their parameters, bodies and responses.

use resource_model::error::ErrorCode;
use resource_model::query::has_cursors;
use resource_model::schema::{
    Access, Body, Content, Operation, Parameters, ResourceDefinition, Success,
};

use super::document::ResourceContext;
use super::json::{Json, Object};
use super::parameters::{condition, fields, id, idempotency_key, of_list, prefer};
use super::responses::{
    Errors, content, empty, json, links, location, preferred, replayed, shared_header,
};
use super::schemas::Names;
use super::spec_version::OpenApiVersion;
use super::{examples, security};
use crate::http::extract::MERGE_PATCH;
use crate::operation::Service;

/// The path items of a resource.
pub(super) fn paths(resource: &ResourceContext<'_>) -> Object {
    // The collection and the item have a path each, and each path the operations of its own.
    let of_collection = path_item(resource, false, Object::new());
    let key = resource.service.definition.primary_key();
    // The id stands once in the path item, and not in each of its operations.
    let id = key.map(|key| vec![id(resource.api.spec, key)]);
    let shared = Object::new().with_some("parameters", id);
    let of_item = path_item(resource, true, shared);
    let path = resource.path();
    Object::new()
        .with_some(path.clone(), of_collection)
        .with_some(format!("{path}/{{id}}"), of_item)
}

fn path_item(resource: &ResourceContext<'_>, of_item: bool, shared: Object) -> Option<Object> {
    let offered = resource.service.definition.offered_operations();
    // The order is that of all operations, so that documents of two resources read alike.
    let mut offered = Operation::ALL
        .into_iter()
        .filter(|it| it.is_of_item() == of_item && offered.contains(it))
        .peekable();
    // A path without any operation is left out of the document.
    offered.peek()?;
    let upserts = resource.service.definition.upserts();
    let methods = offered.flat_map(|it| it.methods().iter().map(move |method| (it, *method)));
    // Tools for 3.0 refuse a document with media types that they do not know, and `PUT` does most of it.
    let is_described = |method: &str| method != "PATCH" || resource.api.spec == OpenApiVersion::V31;
    let methods = methods.filter(|(_, method)| is_described(method));
    Some(methods.fold(shared, |item, (operation, method)| {
        let described = describe(resource, operation, &Words::of(operation, method, upserts));
        item.with(method.to_ascii_lowercase(), described)
    }))
}

/// The words about an operation, by its method.
struct Words {
    verb: &'static str,
    summary: &'static str,
    description: &'static str,
    /// The media type of its body.
    media: &'static str,
}

impl Words {
    const PATCH: Self = Self {
        verb: "patch",
        summary: "Patch {an item}",
        description: "Attributes that the body does not name stay as they are. An object for a JSON attribute is \
                      merged into the stored one, of which null removes a member (RFC 7396).",
        media: MERGE_PATCH,
    };

    fn of(operation: Operation, method: &str, upserts: bool) -> Self {
        if method == "PATCH" {
            return Self::PATCH;
        }
        let entry = operation.entry();
        let description = if upserts && operation == Operation::Update {
            "Attributes that the body does not name stay as they are. An item that is missing is created, and \
             with `If-None-Match: *` only that."
        } else {
            entry.description
        };
        Self {
            verb: operation.name(),
            summary: entry.summary,
            description,
            media: "application/json",
        }
    }
}

fn describe(resource: &ResourceContext<'_>, operation: Operation, words: &Words) -> Object {
    // The table of operations gives the parts that are the same for every resource.
    let spec = resource.api.spec;
    let service = resource.service;
    let definition = service.definition;
    let names = Names::of(definition);
    let entry = operation.entry();
    let body = entry
        .body
        .map(|it| body(service, operation, it, words.media));
    let errors = errors(resource, operation).responses(spec);
    let created = Operation::Create;
    let created = (definition.upserts() && words.verb == "update")
        .then(|| self::succeeded(resource, created, created.entry().success));
    let shown = (entry.body == Some(Body::Part) && represents(resource))
        .then(|| represented(definition, tag(service)));
    let succeeded = succeeded(resource, operation, entry.success);
    let succeeded = shown
        .unwrap_or_default()
        .and(created.unwrap_or_default())
        .and(succeeded);
    Object::new()
        // Operation ids must be unique in a document, and become names of functions in generated code.
        .with("operationId", names.operation(words.verb))
        // The tag is the resource, by which tools group operations.
        .with("tags", vec![definition.name()])
        .with("summary", summary(words.summary, definition))
        .with("description", words.description)
        // Without authorization, the document tells once for all operations that none needs credentials.
        .with_some("security", security::of(resource, operation))
        .with_some("parameters", parameters(resource, operation))
        .with_some("requestBody", body)
        .with("responses", succeeded.and(errors))
}

/// The summary of an operation, with its resource: `List bill addresses`, `Get a bill address`.
fn summary(words: &str, definition: &ResourceDefinition) -> String {
    let items = definition.collection().replace(['-', '_'], " ");
    words
        .replace("{items}", &items)
        .replace("{an item}", &with_article(&in_words(definition.name())))
}

/// `an address`, `an API`, `a user`, `a URL`: nearly every word with a `u` that names a resource is spoken with a
/// consonant.
fn with_article(item: &str) -> String {
    let has_vowel = item.starts_with(|first: char| "aeio".contains(first.to_ascii_lowercase()));
    let article = if has_vowel { "an" } else { "a" };
    format!("{article} {item}")
}

/// `BillAddress` as `bill address`; words that are in capitals stay so.
fn in_words(name: &str) -> String {
    let is_capital = |at: Option<char>| at.is_some_and(char::is_uppercase);
    let mut words = String::new();
    let mut characters = name.chars().peekable();
    let mut before = None;
    while let Some(character) = characters.next() {
        // A run of capitals is one word, so only its first letter can begin a word.
        let begins = character.is_uppercase() && !is_capital(before);
        // After `_` and `-`, the space is there already.
        if begins && before.is_some_and(char::is_alphanumeric) {
            words.push(' ');
        }
        // A capital with another one beside it belongs to an acronym, and stays.
        let within_capitals = is_capital(before) || is_capital(characters.peek().copied());
        match character {
            '_' | '-' => words.push(' '),
            _ if within_capitals => words.push(character),
            _ => words.extend(character.to_lowercase()),
        }
        before = Some(character);
    }
    words
}

fn parameters(resource: &ResourceContext<'_>, operation: Operation) -> Option<Vec<Object>> {
    let service = resource.service;
    let definition = service.definition;
    let limits = service.query_limits;
    // Lists have the parameters of pages and filters, items only the choice of fields.
    let mut parameters = match operation.entry().parameters {
        Parameters::None => Vec::new(),
        Parameters::OfItem => vec![fields(definition, limits)],
        Parameters::OfList => of_list(definition, service.page_limits, limits),
    };
    if service.tags.is_some() {
        parameters.extend(condition(operation, service.requires_if_match));
    }
    let shows_item = operation.entry().body.is_some() && represents(resource);
    parameters.extend(shows_item.then(prefer));
    if operation == Operation::Create && service.idempotency.is_some() {
        parameters.push(idempotency_key(definition.requires_idempotency_key()));
    }
    Some(parameters).filter(|parameters| !parameters.is_empty())
}

fn body(service: &Service, operation: Operation, body: Body, media: &'static str) -> Object {
    let definition = service.definition;
    let names = Names::of(definition);
    let attributes = definition.all_attributes().iter();
    // The owner is left out of examples: few callers may set it.
    let sent = attributes.filter(|it| it.is_accepted_by(operation) && !it.is_owner());
    let (schema, example) = match body {
        Body::Whole => (names.create(), examples::object(sent)),
        // A change may name any of the attributes; a single one shows that.
        Body::Part => (names.update(), examples::object(sent.take(1))),
    };
    Object::new()
        // OpenAPI takes a body as optional unless it is told otherwise.
        .with("required", true)
        .with("content", content(media, &schema, example))
}

/// Tests whether the response to a write holds the item, where the client prefers that. Tools for 3.0 expect one type of all
/// responses that succeed.
fn represents(resource: &ResourceContext<'_>) -> bool {
    let offered = resource.service.definition.offered_operations();
    resource.api.spec == OpenApiVersion::V31 && offered.contains(&Operation::Retrieve)
}

fn succeeded(resource: &ResourceContext<'_>, operation: Operation, success: Success) -> Object {
    let definition = resource.service.definition;
    let names = Names::of(definition);
    // Each form of content has an example of its own.
    let tagged = operation != Operation::Delete && resource.service.tags.is_some();
    let tag = if tagged {
        tag(resource.service)
    } else {
        Object::new()
    };
    let (description, no_header) = (success.description, Object::new());
    let response = match success.content {
        Content::Page => {
            let headers = if has_cursors(definition) {
                links()
            } else {
                no_header
            };
            // The other formats are told in words: with their media types here, the page would be a union with a text in
            // generated clients.
            let example = examples::page(definition);
            json(description, headers, &names.page(), example)
        }
        Content::Item => {
            let example = examples::object(definition.readable_attributes());
            json(description, tag, &names.item(), example)
        }
        Content::Location => {
            // The key is that of the example item.
            let key = match definition.primary_key().map(examples::value) {
                Some(Json::Text(text)) => text.into_owned(),
                Some(Json::Integer(integer)) => integer.to_string(),
                // Keys of other JSON forms do not exist.
                _ => String::new(),
            };
            let headers = location(format!("{}/{key}", resource.path())).and(tag);
            let is_keyed = operation == Operation::Create && resource.service.idempotency.is_some();
            let headers = headers.and(is_keyed.then(replayed).unwrap_or_default());
            // With a body here, generated clients would expect one where none was asked for.
            let preferred = represents(resource).then(preferred).unwrap_or_default();
            empty(description, headers.and(preferred))
        }
        Content::Nothing => empty(description, tag),
    };
    // The members of `responses` are named by the status as text, as OpenAPI prescribes.
    let known = (operation == Operation::Retrieve && tagged).then(|| {
        let tag = Object::new().with("ETag", shared_header("ETag"));
        empty("The item is as `If-None-Match` names it.", tag)
    });
    Object::new()
        .with(success.status.to_string(), response)
        .with_some("304", known)
}

/// The header of a response with the tag of an item, where items have one.
fn tag(service: &Service) -> Object {
    let tagged = service.tags.map(|_| shared_header("ETag"));
    Object::new().with_some("ETag", tagged)
}

/// The response to an update whose client prefers the item.
fn represented(definition: &ResourceDefinition, tag: Object) -> Object {
    let example = examples::object(definition.readable_attributes());
    let description = "The item as it is now, where `Prefer: return=representation` was sent.";
    let response = json(
        description,
        preferred().and(tag),
        &Names::of(definition).item(),
        example,
    );
    Object::new().with("200", response)
}

/// The error codes of an operation, without those that cannot occur with this resource.
fn errors(resource: &ResourceContext<'_>, operation: Operation) -> Errors {
    let service = resource.service;
    let mut attributes = service.definition.all_attributes().iter();
    let occurs = |code: &ErrorCode| match code {
        ErrorCode::NotUnique => !service.unique.is_empty(),
        ErrorCode::IdempotencyKeyReused | ErrorCode::MalformedIdempotencyKey => {
            service.idempotency.is_some()
        }
        ErrorCode::MissingReference => !service.references.is_empty(),
        ErrorCode::IfMatchRequired => service.requires_if_match,
        // An update breaks a reference only by changing the attribute to which other items refer.
        ErrorCode::StillInUse if operation == Operation::Update => {
            attributes.any(|it| it.is_accepted_by(operation) && service.is_referred_to_by(it))
        }
        // A deletion breaks every reference to the item.
        ErrorCode::StillInUse => !service.referrers.is_empty(),
        _ => true,
    };
    let codes = operation.entry().errors.iter().copied().filter(occurs);
    let reads = matches!(operation, Operation::List | Operation::Retrieve);
    // A hook of a write may answer with any custom error. Statuses of the server have responses of their own.
    let of_server = ErrorCode::OF_THE_SERVER.map(ErrorCode::status);
    let of_hooks =
        resource.api.codes.iter().copied().filter(|code| {
            matches!(code, ErrorCode::Custom(_)) && !of_server.contains(&code.status())
        });
    of_authorization(resource, operation)
        // The database may be unavailable to every operation.
        .with([ErrorCode::Unavailable])
        .with(resource.api.has_quota.then_some(ErrorCode::QuotaUsedUp))
        .with(codes)
        .with(of_hooks.filter(|_| service.hooks.is_some() && !reads))
}

fn of_authorization(resource: &ResourceContext<'_>, operation: Operation) -> Errors {
    // Without authentication no request is refused for its credentials.
    if resource.api.schemes.is_none() {
        return Errors::default();
    }
    let definition = resource.service.definition;
    let scoped = matches!(definition.access(operation), Access::Scopes(_));
    let writes = operation.entry().body.is_some();
    let mut attributes = definition.all_attributes().iter();
    // A missing scope of a field is an error only in a body; responses leave the field out.
    let of_fields = writes && attributes.any(|it| it.scopes_to_write().is_some());
    let lacking = (scoped || of_fields).then_some(ErrorCode::InsufficientScope);
    Errors::default()
        .with([ErrorCode::MalformedAuthorization, ErrorCode::NoValidToken])
        .with(lacking)
}

#[cfg(test)]
mod tests {
    use super::{in_words, with_article};

    #[test]
    fn names_become_words() {
        for (name, words) in [
            ("Setting", "setting"),
            ("BillAddress", "bill address"),
            ("LineItem2", "line item2"),
            ("postal_address", "postal address"),
            ("URL", "URL"),
        ] {
            assert_eq!(in_words(name), words);
        }
    }

    #[test]
    fn an_article_suits_its_word() {
        for expected in [
            "an address",
            "an API",
            "an order item",
            "a user",
            "a URL",
            "a setting",
        ] {
            let (_, item) = expected.split_once(' ').unwrap();
            assert_eq!(with_article(item), expected);
        }
    }
}
