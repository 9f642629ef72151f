//! The parameters of operations: the id in the path, and those of the query string.

use resource_model::query::{PageLimits, QueryLimits, has_cursors};
use resource_model::schema::{Attribute, Column, Operation, ResourceDefinition};

use super::json::{Json, Object};
use super::query_docs;
use super::schemas::values;
use super::spec_version::OpenApiVersion;

/// The parameter in the path of an item.
pub(super) fn id(spec: OpenApiVersion, key: &Attribute) -> Object {
    // OpenAPI prescribes `required` for parameters in the path.
    Object::new()
        .with("name", "id")
        .with("in", "path")
        .with("required", true)
        .with("description", "Which item: the value of its key.")
        .with("schema", values::schema(spec, &Column::of(key)))
}

/// The parameters of a list.
pub(super) fn of_list(
    definition: &ResourceDefinition,
    pages: PageLimits,
    limits: QueryLimits,
) -> Vec<Object> {
    // JSON integers of a document are `i64` here; a greater limit is as good as none.
    let most = i64::try_from(pages.max).unwrap_or(i64::MAX);
    // The descriptions name the attributes of the resource, so that a reader need not look them up.
    let filter = expression("filter", query_docs::filter(definition, limits), limits);
    let order = expression("order", query_docs::order(definition), limits);
    let limit = integer(pages.default, most);
    let (words, limit) = if pages.allows_all {
        let all = Object::of_type("string").with("enum", vec!["all"]);
        (LIMIT_OR_ALL, Object::new().with("anyOf", vec![limit, all]))
    } else {
        (LIMIT, limit)
    };
    // The order is that of a reader: which part of the list, what it holds, and how it is shown.
    let max_offset = i64::try_from(pages.max_offset).unwrap_or(i64::MAX);
    let mut parameters = vec![
        in_query("offset", "How many items to skip.", integer(0, max_offset)),
        in_query("limit", words, limit),
        filter.with("examples", query_docs::filter_examples(definition)),
        order.with("examples", query_docs::order_examples(definition)),
        fields(definition, limits),
    ];
    if has_cursors(definition) {
        let start = Object::new().with("first page", Object::new().with("value", "start"));
        let cursor = in_query("cursor", CURSOR, Object::of_type("string"));
        parameters.push(cursor.with("examples", start));
    }
    if pages.may_be_uncounted {
        let modes = Object::of_type("string").with("enum", vec!["exact", "none"]);
        let modes = modes.with("default", "exact");
        parameters.push(in_query("count", COUNT, modes));
    }
    parameters
}

const CURSOR: &str = "\
`start`, then `next` of each page: reads the whole list, with the same `filter` and `order`, in pages that cost the same \
wherever they are, and miss no item because others come or go.";

const COUNT: &str = "`none` leaves out `totalItems`, which costs the database more than a page.";

const LIMIT: &str = "How many items to return at most.";

const LIMIT_OR_ALL: &str = "How many items to return at most; with the format `ndjson` or `csv`, `all` returns all of them \
                            in the order of their key, and goes without `offset` and `order`.";

/// The parameter `fields`, which picks the attributes of an item.
pub(super) fn fields(definition: &ResourceDefinition, limits: QueryLimits) -> Object {
    let examples = query_docs::fields_examples(definition);
    expression("fields", query_docs::fields(definition), limits).with("examples", examples)
}

/// An example of an entity tag.
pub(super) const TAG: &str = "\"d0c1f4d0a8e1b2c3d4e5f60718293a4b5.93b2e1c00f6d4a04\"";

/// The header that makes an operation depend on the state of the item; none of one that takes no condition.
pub(super) fn condition(operation: Operation, is_required: bool) -> Option<Object> {
    let (name, description) = match operation {
        Operation::Retrieve => (
            "If-None-Match",
            "Answers 304 without a body where the item is as one of these entity tags says, which earlier answers had.",
        ),
        Operation::Update | Operation::Delete => (
            "If-Match",
            "Refuses the write unless the item is as one of these entity tags says, or `*`, which stands for all.",
        ),
        Operation::List | Operation::Create => return None,
    };
    let is_required = is_required && operation != Operation::Retrieve;
    Some(in_header(name, description, is_required, TAG))
}

/// The header by which the client of a write asks for the item.
pub(super) fn prefer() -> Object {
    let description =
        "`return=representation` asks for the item in the response, with `Content-Location`.";
    in_header("Prefer", description, false, "return=representation")
}

/// The header by which a request for a new item creates nothing when it is sent again.
pub(super) fn idempotency_key(is_required: bool) -> Object {
    let description = "A key of the client's choice, such as a UUID: the request creates nothing when it is sent again \
                       with it, and gets the answer of the first.";
    let example = "\"8e03978e-40d5-43dd-bc93-6894a57f9324\"";
    in_header("Idempotency-Key", description, is_required, example)
}

fn in_header(
    name: &'static str,
    description: &'static str,
    is_required: bool,
    example: &'static str,
) -> Object {
    Object::new()
        .with("name", name)
        .with("in", "header")
        .with_some("required", is_required.then_some(true))
        .with("description", description)
        .with("schema", Object::of_type("string"))
        .with("example", example)
}

fn integer(default: u64, most: i64) -> Object {
    let default = i64::try_from(default).unwrap_or(i64::MAX);
    // The format tells generators to use integers of 64 bits, where the usual ones have 32.
    Object::of_type("integer")
        .with("format", "int64")
        .with("minimum", Json::Integer(0))
        .with("maximum", most)
        .with("default", default)
}

fn expression(name: &'static str, description: String, limits: QueryLimits) -> Object {
    // A longer expression is refused before it is parsed, so clients should know the limit.
    let most = i64::try_from(limits.length).unwrap_or(i64::MAX);
    let schema = Object::of_type("string").with("maxLength", most);
    in_query(name, description, schema)
}

fn in_query(name: &'static str, description: impl Into<Json>, schema: Object) -> Object {
    // Parameters in a query are optional unless a member says otherwise.
    Object::new()
        .with("name", name)
        .with("in", "query")
        .with("description", description)
        .with("schema", schema)
}
