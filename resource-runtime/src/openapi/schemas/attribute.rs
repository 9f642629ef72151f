//! The schema of an attribute, in items and in bodies.

use resource_model::registry;
use resource_model::schema::{
    Attribute, AttributeReference, Column, Kind, Operation, Requirement, ResourceDefinition,
    Subresource,
};

use super::{Names, told, values};
use crate::openapi::examples;
use crate::openapi::json::{Json, Object, object};
use crate::openapi::spec_version::OpenApiVersion;

/// The place of an attribute in the document, on which its schema depends.
#[derive(Debug, Clone, Copy)]
pub(super) enum Place<'api> {
    /// An item in a response, which another one of these versions may have stored in the same table.
    Response(&'api [&'static ResourceDefinition]),
    /// An item that is expanded within another one.
    Expansion(&'api [&'static ResourceDefinition]),
    /// The body of an operation.
    Body(Operation),
}

/// The schema of an attribute.
pub(super) fn schema(
    spec: OpenApiVersion,
    definition: &ResourceDefinition,
    attribute: &Attribute,
    place: Place<'_>,
) -> Object {
    // The stored column may be wider than this version's attribute, so the place decides which of both
    // counts.
    let column = place.column(definition, attribute);
    // A column that another version reads as other names does not have the schema of these names.
    let is_choice = !attribute.names().is_empty() && column.names == attribute.names();
    // The description holds the rules in words, of which a schema knows nothing.
    let description = description(definition, attribute, &column, place);
    // Bodies leave such attributes out, so only responses have to mark them.
    let is_given = attribute.is_read_only() || attribute.is_assigned_by_database();
    let is_given = is_given && matches!(place, Place::Response(_));
    let is_hidden = attribute.is_write_only() && matches!(place, Place::Body(_));
    let annotations = object! {
        "description": description,
        "deprecated": attribute.deprecation().map(|_| true),
        "readOnly": is_given.then_some(true),
        "writeOnly": is_hidden.then_some(true),
        "x-references": matches!(place, Place::Response(_)).then(|| references(definition, attribute)).flatten(),
    };
    let example = examples::given(attribute).map(|value| spec.example(value));
    let annotations = annotations.and(example.unwrap_or_default());
    // The target of an expansion may not be served, and then has no choices among the schemas.
    if is_choice && !matches!(place, Place::Expansion(_)) {
        let name = Names::of(definition).choice(attribute);
        return spec.reference(&name, "string", column.nullable, annotations);
    }
    values::schema(spec, &column).and(annotations)
}

impl Place<'_> {
    fn column(self, definition: &ResourceDefinition, attribute: &Attribute) -> Column {
        // A definition knows its own limits, and the others what else is stored.
        let (column, (min, max)) = match self {
            // A body has to satisfy the rules of this version alone.
            Self::Body(_) => (Column::of(attribute), attribute.value_limits()),
            Self::Response(all) | Self::Expansion(all) => {
                let mut column = registry::answered(definition, attribute, all);
                // A later version may add names, and clients have to expect that from the first.
                if attribute.is_open() {
                    column.names.clear();
                }
                // A single is written shorter than the double that bounds it, and may seem to exceed it.
                let limits = (column.kind != Kind::Real).then_some((column.min, column.max));
                (column, limits.unwrap_or_default())
            }
        };
        Column { min, max, ..column }
    }
}

/// The schema of the values of an enum; `None` for any other attribute.
pub(super) fn choice(attribute: &Attribute) -> Option<Object> {
    let names = attribute.names();
    let description = told(attribute.meaning());
    (!names.is_empty())
        .then(|| object! { "type": "string", "enum": names.to_vec(), "description": description })
}

/// The description of an attribute: the words of its developer, and the rules that a schema cannot express.
fn description(
    definition: &ResourceDefinition,
    attribute: &Attribute,
    column: &Column,
    place: Place<'_>,
) -> Option<String> {
    // Each text is a paragraph of the description.
    let texts = [
        told(attribute.meaning()).map(str::to_owned),
        values::in_words(column),
        reference(definition, attribute),
        attribute
            .is_unique()
            .then(|| "No two items share it.".to_owned()),
        owner(definition, attribute),
        scope(attribute, place),
        open_names(attribute, place),
        default(attribute, place),
        attribute.deprecation().map(|it| it.in_words(None)),
    ];
    let texts: Vec<String> = texts.into_iter().flatten().collect();
    (!texts.is_empty()).then(|| texts.join("\n\n"))
}

fn reference(definition: &ResourceDefinition, attribute: &Attribute) -> Option<String> {
    let sentences = attribute.all_references().map(|(reference, _)| {
        let target = (reference.target)().name();
        match expansion(definition, attribute, reference) {
            Some(name) => format!("Refers to `{target}`; `fields` expands it as `{name}(…)`."),
            None => format!("Refers to `{target}`."),
        }
    });
    let sentences: Vec<String> = sentences.collect();
    (!sentences.is_empty()).then(|| sentences.join(" "))
}

/// The name by which `fields` expands a reference, which only those of subresources have.
fn expansion(
    definition: &ResourceDefinition,
    attribute: &Attribute,
    reference: AttributeReference,
) -> Option<&'static str> {
    let mut subresources = definition.all_subresources().iter();
    let subresource = subresources.find(|it| {
        it.keys().contains(&attribute.name()) && it.target_type() == reference.target_type
    });
    subresource.map(Subresource::name)
}

/// The items that an attribute refers to, for programs that follow references.
fn references(definition: &ResourceDefinition, attribute: &Attribute) -> Option<Json> {
    let mut references = attribute.all_references().peekable();
    references.peek()?;
    let references = references.map(|(reference, property)| {
        let target = (reference.target)();
        object! {
            "schema": target.name(),
            "version": target.version().to_string(),
            "property": property.map(Attribute::name),
            "subresource": expansion(definition, attribute, reference),
        }
    });
    Some(references.collect())
}

/// The names of an open enum, of which the schema of an answer knows nothing.
fn open_names(attribute: &Attribute, place: Place<'_>) -> Option<String> {
    let is_told = attribute.is_open() && !matches!(place, Place::Body(_));
    let names = attribute.names().join("`, `");
    is_told.then(|| format!("`{names}`, or another text that is added later."))
}

/// The value of a write that names none. It matters to whoever sends a body, and to nobody who reads an item.
fn default(attribute: &Attribute, place: Place<'_>) -> Option<String> {
    let same = match place {
        // A value that clients may not read is not told here, either.
        Place::Body(Operation::Create) if attribute.has_default() => {
            registry::same_default(attribute).filter(|_| !attribute.is_write_only())
        }
        Place::Body(Operation::Update) if attribute.has_default_on_update() => None,
        _ => return None,
    };
    Some(match same {
        Some(json) => format!("Where none is sent, it is `{json}`."),
        None => "The service chooses a value where none is sent.".to_owned(),
    })
}

/// The rule about items of others, at the attribute that names the owner.
fn owner(definition: &ResourceDefinition, attribute: &Attribute) -> Option<String> {
    let ownership = definition.ownership().filter(|_| attribute.is_owner())?;
    let bypass = ownership
        .bypass()
        .map(|it| format!(" without the scope {}", scopes(it)));
    let (claim, bypass) = (ownership.claim(), bypass.unwrap_or_default());
    Some(format!(
        "The claim `{claim}` of the token names the owner: callers{bypass} use items of their own alone."
    ))
}

fn scope(attribute: &Attribute, place: Place<'_>) -> Option<String> {
    // Reading and writing have scopes of their own, so the place decides which are told.
    let (requirement, guarded) = match place {
        Place::Response(_) | Place::Expansion(_) => (attribute.scopes_to_read()?, "there"),
        Place::Body(_) => (attribute.scopes_to_write()?, "set"),
    };
    Some(format!(
        "Only {guarded} with the scope {}.",
        scopes(requirement)
    ))
}

fn scopes(requirement: Requirement) -> String {
    // One of several scopes is enough, or all of them are needed.
    let joint = match requirement {
        Requirement::Any(_) => "` or `",
        Requirement::All(_) => "` and `",
    };
    format!("`{}`", requirement.scopes().join(joint))
}
