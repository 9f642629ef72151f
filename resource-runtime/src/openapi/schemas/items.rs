//! The schemas of items, pages and bodies.

use resource_model::query::{PageLimits, has_cursors};
use resource_model::schema::{Attribute, Operation, ResourceDefinition};

use super::attribute::{self, Place};
use super::{Names, strict};
use crate::openapi::document::ApiDescription;
use crate::openapi::json::{Json, Object};
use crate::openapi::spec_version::{OpenApiVersion, reference};

/// An item in a response. No member is required, because `fields` selects them.
pub(super) fn item(definition: &ResourceDefinition, api: &ApiDescription<'_>) -> Object {
    // The limits of responses are those of the table, because another version may have written the item.
    let (attributes, place) = (
        definition.readable_attributes(),
        Place::Response(api.tables),
    );
    let plain = properties(api.spec, definition, attributes, place);
    let subresources = definition.all_subresources().iter();
    let properties = subresources.fold(plain, |properties, it| {
        let target = shown(it.target(), api);
        // Every subresource may be null: an item may have none, whatever its key is.
        let reference = api.spec.reference(&target, "object", true, Object::new());
        properties.with(it.name(), reference)
    });
    let collections = definition.all_collections().iter();
    let properties = collections.fold(properties, |properties, it| {
        properties.with(it.name(), collection(it.target(), api))
    });
    described(definition, properties)
}

/// The first items of a collection, beside the item that they refer to.
fn collection(target: &ResourceDefinition, api: &ApiDescription<'_>) -> Object {
    let items = Object::of_type("array").with("items", reference(&shown(target, api)));
    let meaning = "The URL of the items behind these; null where these are all.";
    let next = api.spec.typed("string", true);
    let next = next
        .with("format", "uri-reference")
        .with("description", meaning);
    let properties = Object::new().with("items", items).with("next", next);
    strict(properties, &["items", "next"])
}

/// An item within another, whose own subresources are not expanded.
pub(super) fn expanded(target: &ResourceDefinition, api: &ApiDescription<'_>) -> Object {
    let place = Place::Expansion(api.tables);
    described(
        target,
        properties(api.spec, target, target.readable_attributes(), place),
    )
}

/// The schema name of a subresource: that of the items of the version, where the version serves exactly the target.
pub(super) fn shown(target: &ResourceDefinition, api: &ApiDescription<'_>) -> String {
    // A schema with subresources would promise expansions that an expanded item does not have.
    let expands = !target.all_subresources().is_empty() || !target.all_collections().is_empty();
    if !expands && api.serves(target) {
        Names::of(target).item()
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
    attributes.fold(Object::new(), |properties, it| {
        let schema = attribute::schema(spec, definition, it, place);
        properties.with(it.name(), schema)
    })
}

fn described(definition: &ResourceDefinition, properties: Object) -> Object {
    // An empty description says nothing, so it is left out.
    let description = Some(definition.meaning()).filter(|text| !text.is_empty());
    Object::of_type("object")
        .with_some("description", description)
        .with("properties", properties)
        .with("additionalProperties", false)
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
    let items = Object::of_type("array")
        .with("maxItems", most)
        .with("items", reference(&Names::of(definition).item()));
    let meaning = "How many items match, on all pages together.";
    let total = Object::of_type("integer")
        .with("format", "int64")
        .with("minimum", Json::Integer(0))
        .with("description", meaning);
    let next = spec.typed("string", true).with("description", NEXT);
    let next = has_cursors(definition).then_some(next);
    let properties = Object::new().with("items", items).with("totalItems", total);
    let properties = properties.with_some("next", next);
    strict(
        properties,
        if pages.may_be_uncounted {
            &["items"]
        } else {
            &["items", "totalItems"]
        },
    )
}

/// The body of a new item, where there can be one.
pub(super) fn create(spec: OpenApiVersion, definition: &ResourceDefinition) -> Option<Object> {
    let body = body(spec, definition, Operation::Create)?;
    let required = definition.all_attributes().iter();
    let required: Vec<&str> = required
        .filter(|it| it.is_accepted_by(Operation::Create) && is_required(definition, it))
        .map(Attribute::name)
        .collect();
    // An empty list is invalid in 3.0, whose schemas follow an older draft of JSON Schema.
    let required = Some(required).filter(|names| !names.is_empty());
    Some(body.with_some("required", required))
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
    let properties = properties(spec, definition, taken, Place::Body);
    let body = Object::of_type("object")
        .with_some("description", unique_together(definition))
        .with("properties", properties)
        .with("additionalProperties", false);
    Some(body)
}

/// The sets of attributes that are unique together, which no schema can express.
fn unique_together(definition: &ResourceDefinition) -> Option<String> {
    let sets = definition.unique_sets().iter();
    let sentences: Vec<String> = sets
        .map(|names| format!("No two items share `{}` together.", names.join("` and `")))
        .collect();
    (!sentences.is_empty()).then(|| sentences.join(" "))
}

/// True where a new item must name the attribute. An owner may be left out: by default, it is the caller.
fn is_required(definition: &ResourceDefinition, attribute: &Attribute) -> bool {
    let is_owned = definition.ownership().is_some() && attribute.is_owner();
    attribute.is_required() && !is_owned
}
