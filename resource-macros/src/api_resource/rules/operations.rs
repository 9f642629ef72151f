use crate::api_resource::model::{Operation, Resource};
use crate::diagnostics::{Diagnostics, did_you_mean, quoted_list};

/// Every named operation is one of the five, named once.
pub(super) fn check_operations(resource: &Resource<'_>, diagnostics: &mut Diagnostics) {
    let named = resource.keys().operations.value();
    let mut seen = Vec::new();
    for name in named.into_iter().flat_map(|names| &names.0) {
        match Operation::named(name) {
            None => {
                let operations = Operation::ALL.map(Operation::name);
                let otherwise = format!("the operations are {}", quoted_list(operations));
                let remedy = did_you_mean(&name.to_string(), operations, &otherwise);
                diagnostics.report(name, format!("unknown operation `{name}`{remedy}"));
            }
            Some(operation) if seen.contains(&operation) => {
                diagnostics.report(name, format!("`{name}` is named twice; remove one"));
            }
            Some(operation) => seen.push(operation),
        }
    }
}
