//! Which values of a refused write other items have.

use super::Service;
use super::keys::KeyValues;
use crate::error::{ApiError, DatabaseFailure, ErrorCode, Problem};
use crate::execute::Transaction;
use crate::plan;
use crate::schema::Attribute;
use crate::value::Value;

/// Attributes whose values together another item has.
type Taken = Vec<&'static Attribute>;

/// The unique sets of which another item has all values, in the order of their declaration.
pub(super) async fn taken(
    service: &Service,
    transaction: &mut Transaction,
    unique: Vec<KeyValues>,
    item: Option<&Value>,
) -> Result<Vec<Taken>, DatabaseFailure> {
    let (dialect, definition) = (service.database.dialect(), service.definition);
    let mut taken = Vec::new();
    for (set, values) in service.unique.iter().zip(unique) {
        if !can_be_taken(&values, item) {
            continue;
        }
        let attributes = set.iter();
        let attributes = attributes.filter_map(|index| definition.all_attributes().get(*index));
        let attributes: Taken = attributes.collect();
        let values = values
            .into_iter()
            .map(|value| value.map(|(_, value)| value));
        let named = attributes.iter().copied().zip(values).collect();
        let statement = plan::is_taken(dialect, definition, named, item);
        if transaction.finds(statement).await? {
            taken.push(attributes);
        }
    }
    Ok(taken)
}

/// Values that the write does not touch were unique before it, and null is like nothing: what a new
/// item is not given is null, too.
fn can_be_taken(values: &KeyValues, item: Option<&Value>) -> bool {
    let touched = match item {
        Some(_) => values.iter().any(Option::is_some),
        None => values.iter().all(Option::is_some),
    };
    let mut set = values.iter().flatten();
    touched && set.all(|(_, value)| *value != Value::Null)
}

/// What the client is told of the sets that are `taken`. The other item may have gone meanwhile, or
/// the set be one of another version: then the database knows best, by its `columns`.
pub(super) fn not_unique_error(
    service: &Service,
    mut taken: Vec<Taken>,
    columns: &[String],
) -> ApiError {
    if taken.is_empty() {
        taken.push(named_by(service, columns));
    }
    let mut messages = Vec::new();
    let mut problems = Vec::new();
    for set in taken {
        let message = message(service.definition.name(), &set);
        let attributes = set.into_iter();
        problems.extend(attributes.map(|attribute| Problem::new(attribute.name(), &*message)));
        messages.push(message);
    }
    ApiError::new(ErrorCode::NotUnique, messages.join("\n")).with_problems(problems)
}

fn message(resource: &str, set: &Taken) -> String {
    let names: Vec<&str> = set.iter().map(|attribute| attribute.name()).collect();
    let listed = names.join("`, `");
    match names.len() {
        0 => format!("another {resource} already has one of these values"),
        1 => format!("`{listed}` is already taken by another {resource}"),
        _ => format!("`{listed}` together are already taken by another {resource}"),
    }
}

fn named_by(service: &Service, columns: &[String]) -> Taken {
    let attributes = service.definition.all_attributes().iter();
    let is_named = |attribute: &&Attribute| {
        let mut columns = columns.iter();
        columns.any(|column| column == attribute.identifier().as_str())
    };
    attributes.filter(is_named).collect()
}
