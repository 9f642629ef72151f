//! The components to which a document refers, and names of schemas that collide.

use std::collections::{BTreeMap, BTreeSet};

use resource_model::schema::ResourceDefinition;

use super::json::{Json, Object};
use super::schemas::Names;

/// A kind of components by its name, like `schemas`.
type Section = (&'static str, Object);

/// The components of the sections to which `paths` refers, directly or through other components.
pub(super) fn referred(paths: &Object, sections: &[Section]) -> Object {
    // Components are found by their whole reference, since names repeat between sections.
    let all: BTreeMap<String, &Json> = sections.iter().flat_map(addressed).collect();
    let mut known = BTreeSet::new();
    // The paths are the roots; what they reach through components is added as it is found.
    let mut open = paths.references();
    while let Some(reference) = open.pop() {
        // Components may refer to each other in circles, so each is followed once.
        if known.insert(reference)
            && let Some(Json::Object(component)) = all.get(reference)
        {
            open.extend(component.references());
        }
    }
    // The selection keeps the order of the sections and of their members.
    sections.iter().fold(Object::new(), |kept, section| {
        let components = addressed(section).zip(section.1.members());
        let components = components.filter(|((address, _), _)| known.contains(&**address));
        let components = components.map(|(_, (name, component))| (name.clone(), component.clone()));
        kept.with(section.0, components.collect::<Object>())
    })
}

/// The components of a section, each with the `$ref` to it.
fn addressed((section, components): &Section) -> impl Iterator<Item = (String, &Json)> {
    let address = move |name: &str| format!("#/components/{section}/{name}");
    let components = components.members();
    components.map(move |(name, component)| (address(name), component))
}

/// The schemas of a document that are the same for every API.
const OF_EVERY_API: [&str; 5] = ["Error", "ErrorCode", "FieldError", "Index", "Problem"];

/// The problems for which resources cannot be described together: schemas of theirs that share a name.
pub(crate) fn collisions<'a>(
    definitions: impl IntoIterator<Item = &'a ResourceDefinition>,
) -> Vec<String> {
    // The names of the API itself are taken first, so that a resource of such a name is the one reported.
    let mut owners: BTreeMap<String, String> = OF_EVERY_API
        .map(|name| (name.to_owned(), "the API itself".to_owned()))
        .into();
    let mut problems = Vec::new();
    for (schema, owner) in definitions.into_iter().flat_map(schemas) {
        // Versions of a resource have the same owner in words: each version has a document of its own.
        let known = owners
            .entry(schema.clone())
            .or_insert_with(|| owner.clone());
        if *known != owner {
            problems.push(format!(
                "the description of the API would have two schemas `{schema}`, one for {owner} and \
                 one for {known}; give one of them another name"
            ));
        }
    }
    // Several versions may have the same collision, which is told once.
    problems.sort();
    problems.dedup();
    problems
}

/// The names of the schemas of a resource, each with its owner in words.
fn schemas(definition: &ResourceDefinition) -> Vec<(String, String)> {
    // The names must be those that the document will use, so both are of one type.
    let names = Names::of(definition);
    let name = definition.name();
    // An enum has a schema named after resource and attribute, which another resource may be called.
    let choices = definition.all_attributes().iter();
    let choices = choices.filter(|it| !it.names().is_empty());
    let choices = choices.map(|it| (names.choice(it), format!("`{name}.{}`", it.name())));
    let choices: Vec<_> = choices.collect();
    let of_resource = [names.item, names.create, names.update, names.page];
    let of_resource = of_resource.map(|schema| (schema, format!("`{name}`")));
    of_resource.into_iter().chain(choices).collect()
}

#[cfg(test)]
mod tests {
    use super::referred;
    use crate::openapi::json::Object;

    fn reference(to: &'static str) -> Object {
        Object::new().with("$ref", to)
    }

    #[test]
    fn a_component_stays_where_another_that_stays_refers_to_it() {
        let paths = Object::new().with("/a", vec![reference("#/components/schemas/A")]);
        let schemas = Object::new()
            .with(
                "A",
                Object::new().with("items", reference("#/components/schemas/B")),
            )
            .with("B", reference("#/components/schemas/A"))
            .with("C", reference("#/components/examples/D"));
        let examples = Object::new().with("D", Object::new());
        let kept = referred(&paths, &[("schemas", schemas), ("examples", examples)]);
        let names = |section: usize| {
            let (_, section) = kept.members().nth(section)?;
            serde_json::to_value(section).ok()
        };
        let schemas = names(0).unwrap();
        let schemas: Vec<_> = schemas.as_object().unwrap().keys().collect();
        assert_eq!(schemas, ["A", "B"]);
        assert_eq!(names(1), Some(serde_json::json!({})));
    }
}
