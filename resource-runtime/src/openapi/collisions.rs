use std::collections::BTreeMap;

use super::schemas::Names;
use crate::schema::ResourceDefinition;

/// Which schemas of a document are the same for every API.
const OF_EVERY_API: [&str; 3] = ["Error", "Index", "Problem"];

/// Why resources cannot be described side by side: generated types would have one name.
pub(crate) fn collisions<'a>(
    definitions: impl IntoIterator<Item = &'a ResourceDefinition>,
) -> Vec<String> {
    let mut owners: BTreeMap<String, &str> = OF_EVERY_API
        .map(|name| (name.to_owned(), "the API itself"))
        .into();
    let mut mistakes = Vec::new();
    for definition in definitions {
        let name = definition.name();
        for schema in schemas(definition) {
            let owner = *owners.entry(schema.clone()).or_insert(name);
            if owner != name {
                mistakes.push(format!(
                    "the description of the API would have two schemas `{schema}`, one for \
                     `{name}` and one for {}; give the resource another `name`",
                    said(owner)
                ));
            }
        }
    }
    mistakes.sort();
    mistakes.dedup();
    mistakes
}

fn said(owner: &str) -> String {
    if owner.starts_with("the ") {
        owner.to_owned()
    } else {
        format!("`{owner}`")
    }
}

fn schemas(definition: &ResourceDefinition) -> Vec<String> {
    let names = Names::of(definition);
    let choices = definition.all_attributes().iter();
    let choices = choices.filter(|it| !it.names().is_empty());
    [names.item(), names.create(), names.update(), names.page()]
        .into_iter()
        .chain(choices.map(|it| names.choice(it)))
        .collect()
}
