use super::super::form::Form;
use super::super::json::Object;
use super::Names;
use super::values::{self, Values};
use crate::schema::{Attribute, Requirement, ResourceDefinition};

/// Where an attribute stands: what is said of it differs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    Answer,
    Body,
}

/// The schema of an attribute.
pub(super) fn schema(
    form: Form,
    definition: &ResourceDefinition,
    attribute: &Attribute,
    place: Place,
) -> Object {
    if !attribute.names().is_empty() {
        let name = Names::of(definition).choice(attribute);
        return form.reference(&name, attribute.is_nullable());
    }
    let values = match place {
        Place::Answer => Values::Stored,
        Place::Body => Values::Taken,
    };
    let schema = values::schema(form, attribute, values);
    let description = description(definition, attribute, place);
    let schema = schema.with_some("description", description);
    match place {
        Place::Answer if is_given_by_the_service(attribute) => schema.with("readOnly", true),
        Place::Body if attribute.is_write_only() => schema.with("writeOnly", true),
        Place::Answer | Place::Body => schema,
    }
}

/// The words that an attribute takes, where it does not take any.
pub(super) fn choice(definition: &ResourceDefinition, attribute: &Attribute) -> Option<Object> {
    let names = attribute.names();
    let description = description(definition, attribute, Place::Body);
    (!names.is_empty()).then(|| {
        Object::new()
            .with("type", "string")
            .with("enum", names.to_vec())
            .with_some("description", description)
    })
}

const fn is_given_by_the_service(attribute: &Attribute) -> bool {
    attribute.is_read_only() || attribute.is_assigned_by_database()
}

/// What its developer said of it, and what holds of it that a schema cannot say.
fn description(
    definition: &ResourceDefinition,
    attribute: &Attribute,
    place: Place,
) -> Option<String> {
    let said = Some(attribute.meaning().to_owned()).filter(|text| !text.is_empty());
    let rules = [
        reference(definition, attribute),
        attribute
            .is_unique()
            .then(|| "No two items share it.".to_owned()),
        scope(attribute, place),
        default(attribute, place),
    ];
    let texts: Vec<String> = said
        .into_iter()
        .chain(rules.into_iter().flatten())
        .collect();
    (!texts.is_empty()).then(|| texts.join("\n\n"))
}

fn reference(definition: &ResourceDefinition, attribute: &Attribute) -> Option<String> {
    let mut subresources = definition.all_subresources().iter();
    let subresource = subresources.find(|it| it.keys().contains(&attribute.name()));
    let target = attribute.reference()?.target;
    let target = target().name();
    Some(match subresource {
        Some(it) => format!(
            "Refers to `{target}`; `fields` expands it as `{}(…)`.",
            it.name()
        ),
        None => format!("Refers to `{target}`."),
    })
}

fn scope(attribute: &Attribute, place: Place) -> Option<String> {
    match place {
        Place::Answer => {
            let scopes = attribute.scopes_to_read()?;
            Some(format!("Only there with {}.", listed(scopes)))
        }
        Place::Body => {
            let scopes = attribute.scopes_to_write()?;
            Some(format!("Only set with {}.", listed(scopes)))
        }
    }
}

fn default(attribute: &Attribute, place: Place) -> Option<String> {
    let given = place == Place::Body && attribute.has_default();
    given.then(|| "The service chooses a value where none is sent.".to_owned())
}

fn listed(requirement: Requirement) -> String {
    let joint = match requirement {
        Requirement::Any(_) => "` or `",
        Requirement::All(_) => "` and `",
    };
    format!("the scope `{}`", requirement.scopes().join(joint))
}
