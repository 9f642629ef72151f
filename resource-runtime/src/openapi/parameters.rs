//! The parameters of operations: the id in the path, and those of the query string.

use resource_model::query::{PageLimits, QueryLimits, has_cursors};
use resource_model::schema::{Attribute, Column, ResourceDefinition};

use super::json::{Json, Object, object};
use super::schemas::values;
use super::spec_version::OpenApiVersion;
use super::{examples, query_docs};

/// The parameter in the path of an item.
pub(super) fn id(spec: OpenApiVersion, definition: &ResourceDefinition) -> Object {
    let parts: Vec<&str> = definition.key_attributes().map(Attribute::name).collect();
    let (description, schema, example) = match definition.only_key() {
        Some(key) => {
            let schema = values::schema(spec, &Column::of(key));
            ("Which item: the value of its key.".to_owned(), schema, None)
        }
        None => (
            format!(
                "Which item: the values of its key, `{}`, in this order, separated by commas. In texts, all but ASCII letters, \
                 digits, `-`, `.` and `_` is written as `~` with two hexadecimal digits for each octet: `~2C` for a comma.",
                parts.join("`, `")
            ),
            Object::of_type("string"),
            Some(examples::key(definition)),
        ),
    };
    // OpenAPI prescribes `required` for parameters in the path.
    object! {
        "name": "id",
        "in": "path",
        "required": true,
        "description": description,
        "schema": schema,
        "example": example,
    }
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
    let default = i64::try_from(pages.default).unwrap_or(i64::MAX);
    let limit = integer(most).with("default", default);
    let (words, limit) = if pages.allows_all {
        let all = object! { "type": "string", "enum": vec!["all"] };
        (LIMIT_OR_ALL, object! { "anyOf": vec![limit, all] })
    } else {
        (LIMIT, limit)
    };
    // Without a default, which generated clients would send with every cursor.
    let offset = integer(i64::try_from(pages.max_offset).unwrap_or(i64::MAX));
    let offset = in_query("offset", "How many items to skip.", offset);
    let second = object! { "second page": object! { "value": default } };
    // The order is that of a reader: which part of the list, what it holds, and how it is shown.
    let mut parameters = vec![
        offset.with("examples", second),
        in_query("limit", words, limit),
        filter.with("examples", query_docs::filter_examples(definition)),
        order.with("examples", query_docs::order_examples(definition)),
    ];
    if has_cursors(definition) {
        let start = object! { "first page": object! { "value": "start" } };
        let cursor = in_query("cursor", CURSOR, Object::of_type("string"));
        parameters.push(cursor.with("examples", start));
    }
    if pages.may_be_uncounted {
        let modes = vec!["exact", "none"];
        let modes = object! { "type": "string", "enum": modes, "default": "exact" };
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
    expression("fields", query_docs::fields(definition, limits), limits).with("examples", examples)
}

/// An example of an entity tag.
pub(super) const TAG: &str = "\"d0c1f4d0a8e1b2c3d4e5f60718293a4b5.93b2e1c00f6d4a04\"";

/// An example of an idempotency key.
pub(super) const KEY: &str = "\"8e03978e-40d5-43dd-bc93-6894a57f9324\"";

pub(super) const IF_NONE_MATCH: &str = "Answers 304 without a body where the item is as one of these entity tags says, which earlier answers had.";

pub(super) const IF_MATCH: &str = "Refuses the write unless the item is as one of these entity tags says, or `*`, which stands for all.";

pub(super) const IF_MISSING: &str =
    "`*` refuses the write where the item is there already, so that it only creates.";

pub(super) const PREFER: &str =
    "`return=representation` asks for the item in the response, with `Content-Location`.";

pub(super) const IDEMPOTENT: &str = "\
A key of the client's choice, such as a UUID: the request creates nothing when it is sent again with it, and gets the \
answer of the first.";

/// The parameter for a header: its name, meaning and an example.
pub(super) fn in_header(header: [&'static str; 3], is_required: bool) -> Object {
    let [name, description, example] = header;
    object! {
        "name": name,
        "in": "header",
        "required": is_required.then_some(true),
        "description": description,
        "schema": Object::of_type("string"),
        // Swagger UI fills in a single `example`, and would send it.
        "examples": object! { "one": object! { "value": example } },
    }
}

fn integer(most: i64) -> Object {
    // The format tells generators to use integers of 64 bits, where the usual ones have 32.
    object! {
        "type": "integer",
        "format": "int64",
        "minimum": Json::Integer(0),
        "maximum": most,
    }
}

fn expression(name: &'static str, description: String, limits: QueryLimits) -> Object {
    // A longer expression is refused before it is parsed, so clients should know the limit.
    let most = i64::try_from(limits.length).unwrap_or(i64::MAX);
    let schema = object! { "type": "string", "maxLength": most };
    in_query(name, description, schema)
}

fn in_query(name: &'static str, description: impl Into<Json>, schema: Object) -> Object {
    // Parameters in a query are optional unless a member says otherwise.
    object! { "name": name, "in": "query", "description": description, "schema": schema }
}
