//! The schemas of items, pages and bodies.

use resource_model::query::{PageLimits, has_cursors};
use resource_model::schema::{Attribute, Operation, ResourceDefinition};

use super::attribute::{self, Place};
use super::{Names, lenient, strict, told};
use crate::openapi::document::ApiDescription;
use crate::openapi::json::{Json, Object, object};
use crate::openapi::spec_version::{OpenApiVersion, reference};

/// An item in a response. No member is required where `fields` selects them.
pub(super) fn item(definition: &ResourceDefinition, api: &ApiDescription<'_>) -> Object {
    if api.is_for_clients {
        return complete_item(definition, api);
    }
    // The limits of responses are those of the table, because another version may have written the item.
    let place = Place::Response(&api.definitions);
    let subresources = definition.all_subresources().iter().map(|it| {
        // Every subresource may be null: an item may have none, whatever its key is.
        let target = shown(it.target(), api);
        let reference = api.spec.reference(&target, "object", true, Object::new());
        (it.name(), reference)
    });
    let collections = definition.all_collections().iter();
    let collections = collections.map(|it| (it.name(), collection(it.target(), api)));
    let properties = properties(
        api.spec,
        definition,
        definition.readable_attributes(),
        place,
    );
    let properties = properties.and(subresources.chain(collections).collect());
    described(told(definition.meaning()), properties).with("x-key", key(definition))
}

/// The parts of the key in the order of the path, for programs that go from an item to its path.
fn key(definition: &ResourceDefinition) -> Json {
    definition.key_attributes().map(Attribute::name).collect()
}

/// An item in a response to a request without `fields`, which alone asks for subresources and collections.
fn complete_item(definition: &ResourceDefinition, api: &ApiDescription<'_>) -> Object {
    let place = Place::Response(&api.definitions);
    let attributes = definition.readable_attributes();
    let properties = properties(api.spec, definition, attributes, place);
    let attributes = definition.readable_attributes();
    // A format hook or a missing scope leaves the others out.
    let complete = attributes.filter(|it| !it.is_redacted() && it.scopes_to_read().is_none());
    described(told(definition.meaning()), properties)
        .with("required", names(complete))
        .with("x-key", key(definition))
}

/// The names of attributes as the list `required`; none for an empty list, which is invalid in 3.0, whose schemas follow
/// an older draft of JSON Schema.
fn names<'attribute>(
    attributes: impl Iterator<Item = &'attribute Attribute>,
) -> Option<Vec<&'static str>> {
    let names: Vec<_> = attributes.map(Attribute::name).collect();
    Some(names).filter(|names| !names.is_empty())
}

/// The first items of a collection, beside the item that they refer to.
fn collection(target: &ResourceDefinition, api: &ApiDescription<'_>) -> Object {
    let meaning = "The URL of the items behind these; null where these are all.";
    let next = api.spec.typed("string", true).and(object! {
        "format": "uri-reference",
        "description": meaning,
    });
    let items = object! { "type": "array", "items": reference(&shown(target, api)) };
    strict(object! { "items": items, "next": next })
}

/// An item within another, whose own subresources are not expanded.
pub(super) fn expanded(target: &ResourceDefinition, api: &ApiDescription<'_>) -> Object {
    let place = Place::Expansion(&api.definitions);
    let properties = properties(api.spec, target, target.readable_attributes(), place);
    described(told(target.meaning()), properties)
}

/// The schema name of a subresource: that of the items of the version, where the version serves exactly the target.
pub(super) fn shown(target: &ResourceDefinition, api: &ApiDescription<'_>) -> String {
    // A schema with subresources would promise expansions that an expanded item does not have.
    let expands = !target.all_subresources().is_empty() || !target.all_collections().is_empty();
    if !expands && api.serves(target) {
        Names::of(target).item
    } else {
        Names::expanded(target)
    }
}

fn properties<'attribute>(
    spec: OpenApiVersion,
    definition: &ResourceDefinition,
    attributes: impl Iterator<Item = &'attribute Attribute>,
    place: Place<'_>,
) -> Object {
    attributes
        .map(|it| (it.name(), attribute::schema(spec, definition, it, place)))
        .collect()
}

fn described(description: impl Into<Json>, properties: Object) -> Object {
    object! {
        "type": "object",
        "description": description,
        "properties": properties,
        "additionalProperties": false,
    }
}

const NEXT: &str = "The cursor of the next page; null on the last one. Only a page that is read by `cursor` has it.";

/// A page of a collection.
pub(super) fn page(
    spec: OpenApiVersion,
    definition: &ResourceDefinition,
    pages: PageLimits,
) -> Object {
    // A page holds at most as many items as the greatest `limit`.
    let most = i64::try_from(pages.max).unwrap_or(i64::MAX);
    let total = object! {
        "type": "integer",
        "format": "int64",
        "minimum": Json::Integer(0),
        "description": "How many items match, on all pages together.",
    };
    let item = reference(&Names::of(definition).item);
    let next = spec.typed("string", true).with("description", NEXT);
    let properties = object! {
        "items": object! { "type": "array", "maxItems": most, "items": item },
        "totalItems": total,
        "next": has_cursors(definition).then_some(next),
    };
    let uncounted = pages.may_be_uncounted.then_some("totalItems");
    let optional = ["next"].into_iter().chain(uncounted);
    lenient(properties, &optional.collect::<Vec<_>>())
}

/// The body of a new item, where there can be one.
pub(super) fn create(spec: OpenApiVersion, definition: &ResourceDefinition) -> Option<Object> {
    let body = body(spec, definition, Operation::Create)?;
    let required = definition.all_attributes().iter();
    let is_owned = definition.ownership().is_some();
    // The token names the owner.
    let required = required.filter(|it| it.is_required() && !(is_owned && it.is_owner()));
    let required = required.filter(|it| it.is_accepted_by(Operation::Create));
    Some(body.with("required", names(required)))
}

/// The body of a write of which no attribute is required, as in a change.
pub(super) fn body(
    spec: OpenApiVersion,
    definition: &ResourceDefinition,
    operation: Operation,
) -> Option<Object> {
    // A schema that no operation refers to would be removed again.
    if !definition.offered_operations().contains(&operation) {
        return None;
    }
    let attributes = definition.all_attributes().iter();
    let taken = attributes.filter(|it| it.is_accepted_by(operation));
    let properties = properties(spec, definition, taken, Place::Body(operation));
    let description = unique_together(definition, operation);
    Some(described(description, properties))
}

/// The sets of attributes that are unique together, which no schema can express.
fn unique_together(definition: &ResourceDefinition, operation: Operation) -> Option<String> {
    let key = definition.key_attributes();
    // A change of an item leaves its key as it is.
    let key = key.filter(|it| it.is_accepted_by(operation));
    let key: Vec<&str> = key.map(Attribute::name).collect();
    let key = Some(&*key).filter(|parts| parts.len() > 1);
    let sets = key
        .into_iter()
        .chain(definition.unique_sets().iter().copied());
    let sentences: Vec<String> = sets
        .map(|names| format!("No two items share `{}` together.", names.join("` and `")))
        .collect();
    (!sentences.is_empty()).then(|| sentences.join(" "))
}
