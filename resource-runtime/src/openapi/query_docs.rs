//! Descriptions of the query language for one resource, with examples that would be accepted.

use resource_model::query::{Arguments, FUNCTIONS, QueryLimits};
use resource_model::schema::{Attribute, Collection, Kind, ResourceDefinition, Subresource};

use super::examples::value;
use super::json::{Object, object};

const LEXICAL: &str = "\
Strings stand in double quotes with the escapes of JSON; `%` in a pattern is any text, `\\%` a percent sign. \
`eq(a,null)` finds what has no value. Lower case, white space is free.";

const ORDER: &str = "\
A comma list of `asc(path)` and `desc(path)`. Null is the smallest value; items that are equal so far \
stand in the order of their keys.";

const FIELDS: &str = "\
A comma list of attributes, of subresources and of subresources with attributes: \
`subresource(attribute, …)`. Without it, all attributes are there and subresources only as their keys.";

const COLLECTIONS: &str = "\
Of the items that refer to an item, one collection: `collection(attribute, …; order=desc(path); limit=2)`, \
whose options may be left out.";

/// The description of `filter`.
pub(super) fn filter(definition: &ResourceDefinition, limits: QueryLimits) -> String {
    // The last sentence names the paths for programs, too: each stands in backticks.
    let (paths, depth, functions) = (paths(definition), limits.depth, functions());
    let collections = collections(definition);
    format!(
        "A filter is a call: {functions}, `and(filter, filter, …)`, `or(filter, filter, …)`, `not(filter)`. \
         {LEXICAL} Filters are nested up to {depth} deep.\n\nPaths: {paths}.{collections}"
    )
}

/// The sentence about collections; empty where there is none.
fn collections(definition: &ResourceDefinition) -> String {
    let collections = definition.all_collections().iter();
    let tests = listed(collections.map(|it| format!("`has({})`", it.name())));
    if tests.is_empty() {
        return tests;
    }
    format!(" Collections: {tests}, also with a filter on their items, `has(collection, filter)`.")
}

/// The functions that test an attribute, those with the same arguments together.
fn functions() -> String {
    // Functions alike are neighbours in the table, so they form one chunk.
    let alike = FUNCTIONS.chunk_by(|one, other| one.arguments == other.arguments);
    let calls = alike.map(|functions| {
        let names: Vec<&str> = functions.iter().map(|it| it.name).collect();
        let names = names.join(" ");
        // A chunk has one kind of arguments, which its first function shows.
        match functions.first().map(|it| it.arguments) {
            Some(Arguments::Pattern) => format!("`{names} (path, pattern)`"),
            Some(Arguments::Text) => format!("`{names} (path, text)`"),
            Some(Arguments::List) => format!("`{names} (path, [value, …])`"),
            Some(Arguments::Values(count)) => {
                format!("`{names} (path{})`", ", value".repeat(count))
            }
            None => names,
        }
    });
    listed(calls)
}

/// The description of `order`.
pub(super) fn order(definition: &ResourceDefinition) -> String {
    format!("{ORDER}\n\nPaths: {}.", paths(definition))
}

/// The description of `fields`.
pub(super) fn fields(definition: &ResourceDefinition, limits: QueryLimits) -> String {
    // Subresources stand behind the attributes, with parentheses that may hold attributes of theirs.
    let attributes = definition.readable_attributes();
    let attributes = attributes.map(|it| format!("`{}`", it.name()));
    let subresources = definition.all_subresources().iter().map(Subresource::name);
    let collections = definition.all_collections().iter().map(Collection::name);
    let related = subresources.chain(collections);
    let names = listed(attributes.chain(related.map(|it| format!("`{it}(…)`"))));
    let (usual, most) = limits.collection_sizes(u32::MAX);
    let collections = match definition.all_collections() {
        [] => String::new(),
        _ => format!(
            " {COLLECTIONS} It holds {usual} of them without a `limit`, and at most {most}."
        ),
    };
    format!("{FIELDS}{collections}\n\nNames: {names}.")
}

fn paths(definition: &ResourceDefinition) -> String {
    // Only attributes that filters and orders may use are paths.
    let own = definition.queryable_attributes();
    let own = own.map(|it| format!("`{}`", it.name()));
    let subresources = definition.all_subresources().iter();
    // Paths lead into subresources, but not on into those of subresources.
    let theirs = subresources.flat_map(|subresource| {
        let attributes = subresource.target().queryable_attributes();
        attributes.map(move |it| format!("`{}.{}`", subresource.name(), it.name()))
    });
    listed(own.chain(theirs))
}

fn listed(texts: impl Iterator<Item = String>) -> String {
    texts.collect::<Vec<_>>().join(", ")
}

/// Filters by name, for the `examples` of a parameter.
pub(super) fn filter_examples(definition: &ResourceDefinition) -> Object {
    // Each example is left out where no attribute suits it: JSON has no order, numbers have no patterns.
    let compared = ordered(definition).map(|it| ("equal", "eq", it));
    let after = ordered(definition).map(|it| ("greater", "gt", it));
    let compared = compared.into_iter().chain(after);
    let compared = compared.map(|(name, function, it)| (name, call(function, it)));
    let text = text(definition);
    let like = text.map(|it| ("starting with", format!("startswith({},\"a\")", it.name())));
    let both = text.zip(ordered(definition)).map(|(text, other)| {
        let like = format!("like({},\"a%\")", text.name());
        ("both", format!("and({like},{})", call("gt", other)))
    });
    named(compared.chain(like).chain(both))
}

/// Orders by name, for the `examples` of a parameter.
pub(super) fn order_examples(definition: &ResourceDefinition) -> Object {
    // The first attribute is mostly the key, whose ascending order holds without the parameter, too.
    let last = definition.queryable_attributes().last();
    let last = last.map(|it| ("descending", format!("desc({})", it.name())));
    let two = ordered(definition)
        .zip(text(definition))
        .map(|(one, other)| ("two", format!("asc({}),desc({})", other.name(), one.name())));
    named(last.into_iter().chain(two))
}

/// Fields by name, for the `examples` of a parameter.
pub(super) fn fields_examples(definition: &ResourceDefinition) -> Object {
    let two = definition.readable_attributes().take(2);
    let two: Vec<&str> = two.map(Attribute::name).collect();
    let expanded = definition.all_subresources().first().and_then(|it| {
        // The last attribute tells more than the first, mostly the key, which the item itself holds already.
        let attribute = it.target().readable_attributes().last()?;
        Some(("expanded", format!("{}({})", it.name(), attribute.name())))
    });
    named(std::iter::once(("some", two.join(","))).chain(expanded))
}

fn named(examples: impl Iterator<Item = (&'static str, String)>) -> Object {
    // Each example is an object with a `value`, the form that OpenAPI prescribes for `examples`.
    examples
        .map(|(name, text)| (name, object! { "value": text }))
        .collect()
}

fn ordered(definition: &ResourceDefinition) -> Option<&'static Attribute> {
    let mut attributes = definition.queryable_attributes();
    attributes.find(|it| it.kind().is_ordered())
}

fn text(definition: &ResourceDefinition) -> Option<&'static Attribute> {
    let mut attributes = definition.queryable_attributes();
    // An enum is a text as well, but nobody needs a pattern to find its few names.
    attributes.find(|it| it.kind() == Kind::Text && it.names().is_empty())
}

fn call(function: &str, attribute: &Attribute) -> String {
    // Literals of the filter language are those of JSON, with strings in double quotes.
    let (name, value) = (attribute.name(), value(attribute).written());
    format!("{function}({name},{value})")
}
