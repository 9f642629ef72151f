//! Why a write was refused: asked only once it was, so that a write that succeeds pays nothing.

use super::Service;
use super::taken::{not_unique_error, taken};
use crate::error::{ApiError, DatabaseFailure, ErrorCode, Failure, Problem, Violation};
use crate::execute::Transaction;
use crate::plan;
use crate::schema::{Attribute, Kind, Reference};
use crate::value::{Record, Value};

/// The keys that a write can run into: those that no other item may have, those that it points at
/// others by, and those that point at its item.
#[derive(Debug)]
pub(super) struct Keys {
    /// The values that the write sets of each unique set, in the order of the service's sets.
    unique: Vec<KeyValues>,
    /// The same of each reference.
    references: Vec<KeyValues>,
    /// The item, where it is there already.
    item: Option<Value>,
    /// Whether the write can leave others pointing at nothing.
    moves_away: bool,
}

/// The values of a key; where the write leaves one as it is, the stored one counts.
pub(super) type KeyValues = Vec<Option<(Kind, Value)>>;

impl Keys {
    /// Of a new item.
    pub(super) fn of_creation(service: &Service, record: &Record) -> Self {
        Self {
            unique: unique_values(service, record),
            references: reference_values(service, record),
            item: None,
            moves_away: false,
        }
    }

    /// Of a change of `item`.
    pub(super) fn of_change(service: &Service, record: &Record, item: &Value) -> Self {
        let attributes = service.definition.all_attributes().iter().enumerate();
        let mut changed = attributes.filter(|(index, _)| record.get(*index).is_some());
        let points_at = |(_, attribute): (usize, &Attribute)| {
            let mut referrers = service.referrers.iter();
            referrers.any(|it| it.key.target_columns.contains(&attribute.identifier()))
        };
        Self {
            unique: unique_values(service, record),
            references: reference_values(service, record),
            item: Some(item.clone()),
            moves_away: changed.any(points_at),
        }
    }

    /// Of the removal of `item`.
    pub(super) fn of_removal(item: &Value) -> Self {
        Self {
            unique: Vec::new(),
            references: Vec::new(),
            item: Some(item.clone()),
            moves_away: true,
        }
    }
}

fn unique_values(service: &Service, record: &Record) -> Vec<KeyValues> {
    let sets = service.unique.iter();
    sets.map(|set| key_values(service, record, set)).collect()
}

fn reference_values(service: &Service, record: &Record) -> Vec<KeyValues> {
    let references = service.references.iter();
    references
        .map(|reference| key_values(service, record, &reference.attributes))
        .collect()
}

fn key_values(service: &Service, record: &Record, key: &[usize]) -> KeyValues {
    let attributes = service.definition.all_attributes();
    let value_of = |index: &usize| {
        let kind = attributes.get(*index)?.kind();
        Some((kind, record.get(*index)?.clone()))
    };
    key.iter().map(value_of).collect()
}

/// What the client is told of a write that failed.
pub(super) async fn refused_write(
    service: &Service,
    transaction: Transaction,
    failure: DatabaseFailure,
    keys: Keys,
) -> Failure {
    match failure {
        DatabaseFailure::Refused(Violation::Unique(columns)) => {
            match not_unique(service, transaction, keys, &columns).await {
                Ok(error) => error.into(),
                Err(failure) => failure.into(),
            }
        }
        DatabaseFailure::Refused(Violation::ForeignKey) => {
            match broken_reference(service, transaction, keys).await {
                Ok(error) => error.into(),
                Err(failure) => failure.into(),
            }
        }
        DatabaseFailure::Refused(Violation::Check(constraint)) => {
            tracing::warn!(constraint, "the table is narrower than the resource");
            let message = "a value does not fit the table, which is narrower than the resource";
            ApiError::new(ErrorCode::InvalidItem, message).into()
        }
        failure => failure.into(),
    }
}

pub(super) fn no_such_item(service: &Service, id: &Value) -> Failure {
    crate::extract::no_such_item(service.definition, &id.to_string()).into()
}

async fn not_unique(
    service: &Service,
    mut transaction: Transaction,
    keys: Keys,
    columns: &[String],
) -> Result<ApiError, DatabaseFailure> {
    let item = keys.item.as_ref();
    let taken = taken(service, &mut transaction, keys.unique, item).await?;
    Ok(not_unique_error(service, taken, columns))
}

async fn broken_reference(
    service: &Service,
    mut transaction: Transaction,
    keys: Keys,
) -> Result<ApiError, DatabaseFailure> {
    let transaction = &mut transaction;
    let item = keys.item.as_ref();
    let missing = missing_targets(service, transaction, keys.references, item).await?;
    if !missing.is_empty() {
        return Ok(ApiError::of_problems(ErrorCode::MissingReference, missing));
    }
    let users = match item {
        Some(item) if keys.moves_away => users_of(service, transaction, item).await?,
        _ => Vec::new(),
    };
    let resource = service.definition.name();
    Ok(match users.as_slice() {
        [] if keys.moves_away => ApiError::new(
            ErrorCode::StillInUse,
            format!("the {resource} is still in use"),
        ),
        [] => ApiError::new(
            ErrorCode::MissingReference,
            "a referenced item does not exist",
        ),
        users => ApiError::new(
            ErrorCode::StillInUse,
            format!("the {resource} is still in use by {}", users.join(", ")),
        ),
    })
}

async fn missing_targets(
    service: &Service,
    transaction: &mut Transaction,
    set: Vec<KeyValues>,
    item: Option<&Value>,
) -> Result<Vec<Problem>, DatabaseFailure> {
    let dialect = service.database.dialect();
    let mut problems = Vec::new();
    for (reference, values) in service.references.iter().zip(set) {
        if !can_be_missing(&values) {
            continue;
        }
        let stored = item.map(|item| (service.definition, item));
        let statement = plan::points_nowhere(dialect, &reference.key, values, stored);
        if transaction.finds(statement).await? {
            problems.extend(missing_target(service, reference));
        }
    }
    Ok(problems)
}

/// A key that the write does not touch points where it did; one that holds null points nowhere.
fn can_be_missing(values: &KeyValues) -> bool {
    let touched = values.iter().any(Option::is_some);
    let mut set = values.iter().flatten();
    touched && set.all(|(_, value)| *value != Value::Null)
}

fn missing_target(service: &Service, reference: &Reference) -> Vec<Problem> {
    let attributes = service.definition.all_attributes();
    let names: Vec<&str> = reference
        .attributes
        .iter()
        .filter_map(|index| attributes.get(*index))
        .map(Attribute::name)
        .collect();
    let listed = names.join("`, `");
    let target = reference.target;
    let message = format!("`{listed}` refers to a {target} that does not exist");
    names
        .first()
        .map(|name| Problem::new(*name, message))
        .into_iter()
        .collect()
}

async fn users_of(
    service: &Service,
    transaction: &mut Transaction,
    item: &Value,
) -> Result<Vec<&'static str>, DatabaseFailure> {
    let dialect = service.database.dialect();
    let mut users = Vec::new();
    for referrer in &service.referrers {
        let source = (referrer.table, &referrer.key);
        let statement = plan::is_referenced(dialect, source, service.definition, item);
        if !users.contains(&referrer.resource) && transaction.finds(statement).await? {
            users.push(referrer.resource);
        }
    }
    Ok(users)
}
