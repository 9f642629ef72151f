//! Why a write was refused: asked only once it was, so that a write that succeeds pays nothing.

use super::Service;
use crate::error::{ApiError, DatabaseFailure, ErrorCode, Failure, Problem, Violation};
use crate::execute::Transaction;
use crate::plan;
use crate::schema::{Attribute, Kind, Reference};
use crate::value::{Record, Value};

/// The foreign keys that a write can run into: those it sets, and those that point at its item.
#[derive(Debug)]
pub(super) struct References {
    /// Each with its values, in the order of the service's references.
    set: Vec<(usize, Vec<(Kind, Value)>)>,
    item: Option<Value>,
}

impl References {
    pub(super) const fn none() -> Self {
        Self {
            set: Vec::new(),
            item: None,
        }
    }

    /// The keys that `record` sets completely; a key that holds null points at nothing.
    pub(super) fn of(service: &Service, record: &Record) -> Self {
        let set = service
            .references
            .iter()
            .enumerate()
            .filter_map(|(index, reference)| Some((index, key_values(service, reference, record)?)))
            .collect();
        Self { set, item: None }
    }

    pub(super) fn and_referrers(mut self, item: &Value) -> Self {
        self.item = Some(item.clone());
        self
    }
}

fn key_values(
    service: &Service,
    reference: &Reference,
    record: &Record,
) -> Option<Vec<(Kind, Value)>> {
    let attributes = service.definition.all_attributes();
    let values = reference.attributes.iter().map(|index| {
        let kind = attributes.get(*index)?.kind();
        let value = record.get(*index).filter(|value| **value != Value::Null)?;
        Some((kind, value.clone()))
    });
    values.collect()
}

/// What the client is told of a write that failed.
pub(super) async fn refused_write(
    service: &Service,
    mut transaction: Transaction,
    failure: DatabaseFailure,
    references: References,
) -> Failure {
    match failure {
        DatabaseFailure::Refused(Violation::Unique(columns)) => not_unique(service, &columns),
        DatabaseFailure::Refused(Violation::ForeignKey) => {
            match broken_reference(service, &mut transaction, references).await {
                Ok(error) => error.into(),
                Err(failure) => failure.into(),
            }
        }
        failure => failure.into(),
    }
}

pub(super) fn no_such_item(service: &Service, id: &Value) -> Failure {
    crate::extract::no_such_item(service.definition, &id.to_string()).into()
}

fn not_unique(service: &Service, columns: &[String]) -> Failure {
    let attributes = service.definition.all_attributes().iter();
    let names: Vec<&str> = attributes
        .filter(|attribute| {
            columns
                .iter()
                .any(|it| it == attribute.identifier().as_str())
        })
        .map(Attribute::name)
        .collect();
    let resource = service.definition.name();
    let listed = names.join("`, `");
    let message = match names.len() {
        0 => format!("another {resource} already has one of these values"),
        1 => format!("`{listed}` is already taken by another {resource}"),
        _ => format!("`{listed}` together are already taken by another {resource}"),
    };
    let problems = names.iter().map(|name| Problem::new(*name, &*message));
    ApiError::new(ErrorCode::NotUnique, &*message)
        .with_problems(problems.collect())
        .into()
}

async fn broken_reference(
    service: &Service,
    transaction: &mut Transaction,
    references: References,
) -> Result<ApiError, DatabaseFailure> {
    let missing = missing_targets(service, transaction, references.set).await?;
    if !missing.is_empty() {
        return Ok(ApiError::of_problems(ErrorCode::MissingReference, missing));
    }
    let users = match references.item {
        Some(item) => users_of(service, transaction, &item).await?,
        None => Vec::new(),
    };
    let resource = service.definition.name();
    Ok(match users.as_slice() {
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
    set: Vec<(usize, Vec<(Kind, Value)>)>,
) -> Result<Vec<Problem>, DatabaseFailure> {
    let mut problems = Vec::new();
    for (index, values) in set {
        let Some(reference) = service.references.get(index) else {
            continue;
        };
        let statement = plan::target_exists(service.database.dialect(), &reference.key, values);
        if !transaction.finds(statement).await? {
            problems.extend(missing_target(service, reference));
        }
    }
    Ok(problems)
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
