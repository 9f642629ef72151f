//! The resolution of a parsed query: names become the attributes of a definition that the caller may use.

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD as BASE64;

use super::ast::{self, FieldItem, Filter, Literal, LiteralValue, Name, Path};
use super::predicate::{Elements, Expansion, Has, Predicate, Selection};
use super::token_stream::QueryError;
use super::{AttributePath, Criterion, Cursors, QueryLimits, elsewhere};
use crate::authorization::View;
use crate::error::{did_you_mean, truncate_for_display};
use crate::schema::{Attribute, Collection, Kind, ResourceDefinition, Subresource};
use crate::value::{Integer, RecordError, Value, integer, real, single};

/// The attributes and expansions of a response, in declaration order, each once.
pub(super) fn fields(
    view: View<'_>,
    items: &[FieldItem],
    limits: QueryLimits,
) -> Result<Selection, QueryError> {
    let definition = view.definition();
    // The names are resolved in the order of the client, so that an error is about the first wrong one.
    let mut selected: Vec<&str> = Vec::new();
    let mut expanded: Vec<(usize, Vec<&str>)> = Vec::new();
    let mut collected = None;
    for item in items {
        if let Some(found) = definition.find_collection(&item.name.text) {
            let elements = elements(view, found, item, limits)?;
            // Each would multiply the rows that are read.
            if collected.replace(Box::new(elements)).is_some() {
                let message = "a response holds one collection; request the other one by itself";
                return Err(QueryError::new(item.name.position.0, message));
            }
            continue;
        }
        require_no_options(item)?;
        // The derive gives no subresource the name of an attribute, so the name tells which is meant.
        match (
            definition.find_subresource(&item.name.text),
            &item.attributes,
        ) {
            (Some((index, found)), attributes) => {
                // The caller's rights to the related resource decide, not those to this one.
                let target = view.of(found.target());
                let names = expansion(target, attributes.as_deref())?;
                // The same subresource may be named several times; its attributes are merged below.
                expanded.push((index, names));
            }
            // Only a subresource has a list in parentheses.
            (None, Some(_)) => return Err(no_subresource(definition, &item.name)),
            (None, None) => {
                let found = readable(view, &item.name).map_err(|error| {
                    let form = |[first, second]: [&str; 2]| format!("{first}({second})");
                    joined_names(view, &item.name, form).unwrap_or(error)
                });
                selected.push(found?.name());
            }
        }
    }
    // The response has its members in declaration order, whatever the order in `fields`.
    let expansions = definition.all_subresources().iter().enumerate();
    let expansions = expansions.filter_map(|(index, subresource)| {
        // A subresource that the client names is expanded even where the caller may read none of its
        // attributes.
        let mut names = expanded.iter().filter(|(it, _)| *it == index).peekable();
        names.peek()?;
        let names: Vec<&str> = names.flat_map(|(_, names)| names.iter().copied()).collect();
        let attributes = in_declaration_order(view.of(subresource.target()), &names);
        Some(Expansion::new(index, attributes))
    });
    let expansions = expansions.collect();
    Ok(Selection {
        elements: collected,
        ..Selection::new(in_declaration_order(view, &selected), expansions)
    })
}

/// The items of a collection beside each item.
fn elements(
    view: View<'_>,
    (index, collection): (usize, &'static Collection),
    item: &FieldItem,
    limits: QueryLimits,
) -> Result<Elements, QueryError> {
    let target = view.of(collection.target());
    let names = expansion(target, item.attributes.as_deref())?;
    let attributes = in_declaration_order(target, &names);
    let (default, max) = limits.of_collection(target.definition().limits().1);
    let limit = item.limit.as_ref().map_or(Ok(default), |written| {
        let number = written.to_string().parse().ok();
        number.filter(|it| (1..=max).contains(it)).ok_or_else(|| {
            let message = format!("`limit` is a number from 1 to {max}, not {written}");
            QueryError::new(written.position.0, message)
        })
    })?;
    let order = order(target, item.order.as_deref().unwrap_or_default())?;
    let cursors = Cursors::of(target, &order).ok();
    if cursors.is_none() && limit > limits.max_offset {
        let (name, max) = (collection.name(), limits.max_offset);
        let message = format!(
            "`{name}` goes on by `offset`, at most {max}, as no cursor holds its order; lower its `limit`, or take \
             another order"
        );
        return Err(QueryError::new(item.name.position.0, message));
    }
    let fields = item.attributes.as_deref().map(ast::listed);
    let fields = fields.map(|it| format!("&fields={it}"));
    let written = item.order.as_deref().map(ast::listed);
    let written = written.map(|it| format!("&order={it}"));
    Ok(Elements {
        index,
        collection,
        keys: collection.keys(view.definition()),
        columns: attributes.clone(),
        attributes,
        cursors,
        order,
        written: fields.into_iter().chain(written).collect(),
        limit,
    })
}

/// Refuses the options of a collection behind any other name.
fn require_no_options(item: &FieldItem) -> Result<(), QueryError> {
    if item.order.is_none() && item.limit.is_none() {
        return Ok(());
    }
    let name = truncate_for_display(&item.name.text);
    let message = format!("`{name}` is not a collection; only those have `order=` and `limit=`");
    Err(QueryError::new(item.name.position.0, message))
}

/// The attributes of an expanded subresource: all, or the named ones.
fn expansion(target: View<'_>, names: Option<&[Name]>) -> Result<Vec<&'static str>, QueryError> {
    match names {
        // A subresource without a list shows all that the caller may read of it.
        None => Ok(target.readable_attributes().map(Attribute::name).collect()),
        Some(names) => names
            .iter()
            // A name that the caller may not read is refused like one that does not exist.
            .map(|name| {
                let found = readable(target, name).map(Attribute::name);
                found.map_err(|error| second_level(target.definition(), name).unwrap_or(error))
            })
            .collect(),
    }
}

/// The error of a name that would expand within an expansion.
fn second_level(target: &ResourceDefinition, name: &Name) -> Option<QueryError> {
    let is_subresource = target.find_subresource(&name.text).is_some();
    if !is_subresource && target.find_collection(&name.text).is_none() {
        return None;
    }
    let (collection, name_of) = (target.collection(), &name.text);
    let message = format!(
        "only the first level expands; list `{collection}` by itself, with `fields={name_of}` and a `filter`"
    );
    Some(QueryError::new(name.position.0, message))
}

/// The named attributes in declaration order.
fn in_declaration_order(view: View<'_>, names: &[&str]) -> Vec<&'static Attribute> {
    // Only readable attributes are candidates; the names were found among them before.
    view.readable_attributes()
        .filter(|attribute| names.contains(&attribute.name()))
        .collect()
}

/// The predicate of a filter.
pub(super) fn filter(view: View<'_>, tree: &Filter) -> Result<Predicate, QueryError> {
    let members = |filters: &[Filter]| -> Result<Vec<_>, QueryError> {
        filters.iter().map(|tree| filter(view, tree)).collect()
    };
    // The parser has limited the depth of the tree, so that this recursion is bounded, too.
    match tree {
        // The result has no negation of its own, so that SQL never negates an unknown truth value.
        Filter::Not(tree) => filter(view, tree).map(Predicate::negated),
        Filter::And(filters) => members(filters).map(Predicate::All),
        Filter::Or(filters) => members(filters).map(Predicate::Any),
        Filter::Test(function, path, literals) => {
            function.resolve(named_attribute(view, path)?, literals)
        }
        Filter::Has(name, inner) => {
            let (collection, found) = collection(view.definition(), name)?;
            // The caller's rights to the other resource decide which of its names there are.
            let target = view.of(found.target());
            let inner = inner.as_deref().map(|inner| filter(target, inner));
            Ok(Predicate::Has(Has {
                collection,
                filter: inner.transpose()?.map(Box::new),
                negated: false,
            }))
        }
    }
}

/// The criteria of an order, each attribute once, because a later criterion on the same attribute decides
/// nothing. The primary key is the last one, so that pages have a stable order.
pub(super) fn order(
    view: View<'_>,
    criteria: &[ast::Criterion],
) -> Result<Vec<Criterion>, QueryError> {
    let mut order: Vec<Criterion> = Vec::with_capacity(criteria.len() + 1);
    // The criteria of the client come first, as they are the more significant ones.
    for criterion in criteria {
        let path = named_attribute(view, &criterion.path)?;
        require_order(path, &criterion.path)?;
        add(&mut order, path, criterion.descending);
    }
    // A client who orders by the key keeps the direction that they gave to it.
    for criterion in default_order(view) {
        add(&mut order, criterion.path, false);
    }
    // No two items are equal in the whole key, so that nothing behind it decides.
    let is_key =
        |it: &Criterion| it.path.subresource.is_none() && it.path.attribute.is_primary_key();
    let end = order.iter().rposition(is_key);
    order.truncate(end.map_or(order.len(), |end| end + 1));
    Ok(order)
}

/// The order of the primary key.
pub(super) fn default_order(view: View<'_>) -> impl Iterator<Item = Criterion> {
    let keys = view.definition().key_attributes();
    keys.map(|attribute| Criterion {
        path: AttributePath::own(attribute),
        descending: false,
    })
}

fn require_order(path: AttributePath, written: &ast::Path) -> Result<(), QueryError> {
    if path.attribute.kind().is_ordered() {
        return Ok(());
    }
    let name = path.attribute.name();
    Err(QueryError::new(
        written.first.position.0,
        format!("`{name}` is JSON, which has no order"),
    ))
}

fn add(order: &mut Vec<Criterion>, path: AttributePath, descending: bool) {
    // The list is short, so that it is searched from the front for each criterion.
    if !order.iter().any(|known| known.path.is(path)) {
        order.push(Criterion { path, descending });
    }
}

/// The attribute that a path of a filter or an order names.
fn named_attribute(view: View<'_>, path: &Path) -> Result<AttributePath, QueryError> {
    // Without a dot, the path is an attribute of the item itself.
    let definition = view.definition();
    require_no_collection(definition, path)?;
    let Some(second) = &path.second else {
        return plain(view, &path.first);
    };
    // With a dot, the first name must be a subresource: attributes have no parts.
    let Some((index, subresource)) = definition.find_subresource(&path.first.text) else {
        return Err(no_subresource(definition, &path.first));
    };
    Ok(AttributePath {
        subresource: Some(index),
        attribute: queryable(view.of(subresource.target()), second)?,
    })
}

fn plain(view: View<'_>, name: &Name) -> Result<AttributePath, QueryError> {
    // A subresource without an attribute gets its own explanation, since clients know its name.
    if let Some((_, subresource)) = view.definition().find_subresource(&name.text) {
        let mut attributes = view.of(subresource.target()).queryable_attributes();
        let example = attributes.next();
        // Where the caller may read no attribute of it, any name shows the form.
        let example = example.map_or("id", Attribute::name);
        let text = subresource.name();
        return Err(QueryError::new(
            name.position.0,
            format!("`{text}` is a subresource; name one of its attributes: `{text}.{example}`"),
        ));
    }
    let found = queryable(view, name);
    let found = found.map_err(|error| joined_names(view, name, |it| it.join(".")).unwrap_or(error));
    found.map(AttributePath::own)
}

/// The error of a path that is written as one name, with the form that it has here.
fn joined_names(
    view: View<'_>,
    name: &Name,
    form: impl Fn([&str; 2]) -> String,
) -> Option<QueryError> {
    let path = elsewhere::path_of_name(view, &name.text)?;
    let (name_of, resource) = (&name.text, view.definition().name());
    let message = format!("`{name_of}` is not an attribute of {resource}");
    Some(QueryError::new(name.position.0, message).with_instead(form(path)))
}

/// The attribute `name` that the caller may read.
fn readable(view: View<'_>, name: &Name) -> Result<&'static Attribute, QueryError> {
    find(view, view.readable_attributes(), name)
}

/// The attribute `name` that the caller may filter and order by.
fn queryable(view: View<'_>, name: &Name) -> Result<&'static Attribute, QueryError> {
    find(view, view.queryable_attributes(), name)
}

fn find(
    view: View<'_>,
    attributes: impl Iterator<Item = &'static Attribute> + Clone,
    name: &Name,
) -> Result<&'static Attribute, QueryError> {
    // The iterator is cloned, as the search uses it up and the suggestion needs all of it.
    let mut named = attributes.clone();
    // Names are compared with their case, as the members of a body are.
    if let Some(attribute) = named.find(|attribute| attribute.name() == name.text) {
        return Ok(attribute);
    }
    // Only visible names are suggested, so that no error betrays a hidden attribute.
    let visible = attributes.map(Attribute::name);
    let resource = view.definition().name();
    // A related resource may have another version than the path names, or than `latest` stands for.
    let resource = if view.is_related() {
        format!("{resource} {}", view.definition().version())
    } else {
        resource.to_owned()
    };
    Err(unknown("an attribute", &resource, name, visible))
}

fn collection(
    definition: &ResourceDefinition,
    name: &Name,
) -> Result<(usize, &'static Collection), QueryError> {
    definition.find_collection(&name.text).ok_or_else(|| {
        let names = definition.all_collections().iter().map(Collection::name);
        unknown("a collection", definition.name(), name, names)
    })
}

/// Refuses the name of a collection where an attribute is expected.
fn require_no_collection(definition: &ResourceDefinition, path: &Path) -> Result<(), QueryError> {
    let Some((_, found)) = definition.find_collection(&path.first.text) else {
        return Ok(());
    };
    let name = found.name();
    let example = match &path.second {
        Some(attribute) => format!(
            "has({name},eq({},…))",
            truncate_for_display(&attribute.text)
        ),
        None => format!("has({name})"),
    };
    Err(QueryError::new(
        path.first.position.0,
        format!("`{name}` is a collection; only a filter tests its items: `{example}`"),
    ))
}

fn no_subresource(definition: &ResourceDefinition, name: &Name) -> QueryError {
    let collections = definition.all_collections().iter().map(Collection::name);
    let names = definition.all_subresources().iter().map(Subresource::name);
    unknown(
        "a subresource",
        definition.name(),
        name,
        names.chain(collections),
    )
}

/// The error of a name that is none of `names`, which are listed if none is near and they are few.
fn unknown<'a>(
    what: &str,
    resource: &str,
    name: &Name,
    names: impl Iterator<Item = &'a str>,
) -> QueryError {
    let names: Vec<&str> = names.collect();
    let mut suggestion = did_you_mean(&name.text, names.iter().copied());
    if suggestion.is_empty() && (1..=8).contains(&names.len()) {
        suggestion = format!("; it has `{}`", names.join("`, `"));
    }
    let found = truncate_for_display(&name.text);
    let message = format!("`{found}` is not {what} of {resource}{suggestion}");
    QueryError::new(name.position.0, message)
}

/// The value of a literal, of the kind of the attribute that it is compared with. Null is refused here:
/// functions that take null handle it before.
pub(super) fn value(path: AttributePath, literal: &Literal) -> Result<Value, QueryError> {
    let attribute = path.attribute;
    let kind = attribute.kind();
    let value = match (kind, &literal.value) {
        // No literal suits JSON: null, which is the only one, is handled before.
        (Kind::Json, _) => {
            let name = attribute.name();
            let message = format!("`{name}` is JSON, which is compared with null alone");
            return Err(QueryError::new(literal.position.0, message));
        }
        // Most kinds are strings in JSON, so the kind of the attribute judges a string.
        (_, LiteralValue::String(text)) => text_value(attribute, text),
        (Kind::Boolean, LiteralValue::Boolean(boolean)) => Ok(Value::Boolean(*boolean)),
        (_, LiteralValue::Number(text)) => number(attribute, text),
        _ => Err(unsuited(kind)),
    };
    value.map_err(|error| query_error(path, literal, &error))
}

/// Checks that a pattern can be bound like a text of the attribute; it need not be one of its names.
pub(super) fn require_pattern(
    path: AttributePath,
    text: &str,
    literal: &Literal,
) -> Result<(), QueryError> {
    // The value is built only for the check; the pattern is parsed from the text itself.
    let stored = storable(text).map(drop);
    stored.map_err(|error| query_error(path, literal, &error))
}

fn text_value(attribute: &Attribute, text: &str) -> Result<Value, RecordError> {
    match attribute.kind() {
        // A type of the user's own may refuse some texts, which a filter may compare with all the same.
        Kind::Text if attribute.names().is_empty() => storable(text),
        // An enum holds no other names, so a filter on one is a mistake.
        Kind::Text => attribute.normalise(storable(text)?),
        Kind::Bytes => {
            // The alphabet and the padding are those of bodies, so that a value of a response can be sent
            // back.
            let bytes = BASE64.decode(text);
            bytes.map(Value::Bytes).map_err(|_| unsuited(Kind::Bytes))
        }
        // Equal values are equal texts only in the normal form, in which they are stored.
        kind if kind.is_written_as_string() => attribute.normalise(Value::Text(text.to_owned())),
        kind => Err(unsuited(kind)),
    }
}

fn storable(text: &str) -> Result<Value, RecordError> {
    // PostgreSQL takes no U+0000 in a text, and on SQLite it separates the pieces of a pattern.
    if text.contains('\0') {
        return Err(RecordError::new("must be a string without U+0000"));
    }
    Ok(Value::Text(text.to_owned()))
}

fn number(attribute: &Attribute, text: &str) -> Result<Value, RecordError> {
    match attribute.kind() {
        // The digits are kept: a double in between would lose some of them.
        Kind::Decimal => attribute.normalise(Value::Text(text.to_owned())),
        // A real is narrowed as it was when it was stored, so that equal numbers are found.
        Kind::Real => single(text).map(Value::Real),
        Kind::Double => real(text).map(Value::Real),
        kind => exact(kind, text).ok_or_else(|| unsuited(kind)),
    }
}

/// An integer in the kind's range; a fraction is never rounded to an integer.
fn exact(kind: Kind, text: &str) -> Option<Value> {
    // A kind without a range is no integer, and takes no number at all.
    let (least, greatest) = kind.integer_range()?;
    match integer(text) {
        // Values are bound by the kind of the column, which holds no integer beyond this range.
        Integer::Exact(integer) if (least..=greatest).contains(&integer) => {
            Some(Value::Integer(integer))
        }
        _ => None,
    }
}

fn unsuited(kind: Kind) -> RecordError {
    // A client who is told the range knows the type as well.
    match kind.integer_range() {
        Some((least, greatest)) => {
            RecordError::new(format!("must be an integer from {least} to {greatest}"))
        }
        None => RecordError::mismatch(kind),
    }
}

/// Rewords the error of a value in a body for a filter: "is compared with …" instead of "must be …".
fn query_error(path: AttributePath, literal: &Literal, error: &RecordError) -> QueryError {
    let name = path.attribute.name();
    // Clients cannot query secret attributes; the developer's code can, whose log should not hold their values.
    let found = if path.attribute.is_secret() {
        "this value".to_owned()
    } else {
        truncate_for_display(&literal.to_string())
    };
    let error = error.to_string();
    // Messages of types of the user's own may have any other form, and are quoted as a clause.
    let message = match error.strip_prefix("must be ") {
        Some(expected) => format!("`{name}` is compared with {expected}, not {found}"),
        None => format!("`{name}` is compared with {found}, which {error}"),
    };
    QueryError::new(literal.position.0, message)
}
