use std::collections::BTreeMap;

use resource_model::schema::ResourceDefinition;

use super::schemas::Names;

/// Which schemas of a document are the same for every API.
const OF_EVERY_API: [&str; 3] = ["Error", "Index", "Problem"];

/// Why resources cannot be described side by side: generated types would have one name.
pub(crate) fn collisions<'a>(
    definitions: impl IntoIterator<Item = &'a ResourceDefinition>,
) -> Vec<String> {
    let mut owners: BTreeMap<String, String> = OF_EVERY_API
        .map(|name| (name.to_owned(), "the API itself".to_owned()))
        .into();
    let mut mistakes = Vec::new();
    for (schema, owner) in definitions.into_iter().flat_map(schemas) {
        let known = owners
            .entry(schema.clone())
            .or_insert_with(|| owner.clone());
        if *known != owner {
            mistakes.push(format!(
                "the description of the API would have two schemas `{schema}`, one for {owner} and \
                 one for {known}; give one of them another name"
            ));
        }
    }
    mistakes.sort();
    mistakes.dedup();
    mistakes
}

/// Each with what it is for.
fn schemas(definition: &ResourceDefinition) -> Vec<(String, String)> {
    let names = Names::of(definition);
    let name = definition.name();
    let of_resource = [names.item(), names.create(), names.update(), names.page()];
    let of_resource = of_resource.map(|schema| (schema, format!("`{name}`")));
    let choices = definition.all_attributes().iter();
    let choices = choices.filter(|it| !it.names().is_empty());
    let choices = choices.map(|it| (names.choice(it), format!("`{name}.{}`", it.name())));
    of_resource.into_iter().chain(choices).collect()
}
