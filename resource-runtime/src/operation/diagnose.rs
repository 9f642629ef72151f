//! Why a write was refused: asked only once it was, so that a write that succeeds pays nothing.

use super::Service;
use super::client::Client;
use super::keys::Keys;
use super::taken::{not_unique_error, taken};
use crate::error::{ApiError, DatabaseFailure, ErrorCode, Failure, Problem, Violation};
use crate::execute::Transaction;
use crate::plan;
use crate::schema::{Attribute, Reference, Table};
use crate::value::Value;

/// Explains a write that failed to its client. The failure has ended the transaction, so the reason is
/// asked for in another.
pub(super) async fn refused_write(
    service: &Service,
    client: &Client,
    failure: DatabaseFailure,
    keys: Keys,
) -> Failure {
    match failure {
        DatabaseFailure::Refused(Violation::Unique(columns)) => {
            if let Some(key) = assigned_key(service, &keys, &columns) {
                return assigned_twice(service, key).await;
            }
            match not_unique(service, keys, &columns).await {
                Ok(error) => error.into(),
                Err(failure) => failure.into(),
            }
        }
        DatabaseFailure::Refused(Violation::ForeignKey) => {
            match broken_reference(service, client, keys).await {
                Ok(error) => error.into(),
                Err(failure) => failure.into(),
            }
        }
        DatabaseFailure::Refused(Violation::Check(constraint)) => {
            tracing::warn!(constraint, "the table is narrower than the resource");
            let message = "a value does not fit the table, which is narrower than the resource";
            ApiError::new(ErrorCode::InvalidItem, message).into()
        }
        DatabaseFailure::Refused(Violation::Trigger(words)) => {
            let resource = service.definition.name();
            tracing::warn!(resource, words, "a trigger refused a write");
            forbidden()
        }
        failure => failure.into(),
    }
}

/// Explains a write that stored nothing to its client, though nothing refused it: a reference
/// points at nothing that is there for the client, or a trigger dropped the row.
pub(super) async fn without_effect(
    service: &Service,
    mut transaction: Transaction,
    keys: Keys,
) -> Failure {
    match missing_targets(service, &mut transaction, keys).await {
        Ok(missing) if missing.is_empty() => {
            let resource = service.definition.name();
            tracing::warn!(
                resource,
                "a trigger dropped the row of a write without a word; let it raise an error that \
                 says why, which this log then tells"
            );
            forbidden()
        }
        Ok(missing) => ApiError::of_problems(ErrorCode::MissingReference, missing).into(),
        Err(failure) => failure.into(),
    }
}

fn forbidden() -> Failure {
    let message = "a rule of the database forbids this";
    ApiError::new(ErrorCode::InvalidItem, message).into()
}

pub(super) fn no_such_item(service: &Service, id: &Value) -> Failure {
    ApiError::no_such_item(service.definition.name(), &id.to_string()).into()
}

async fn not_unique(
    service: &Service,
    keys: Keys,
    columns: &[String],
) -> Result<ApiError, DatabaseFailure> {
    let mut transaction = service.database.begin_write().await?;
    let item = keys.item.as_ref();
    let taken = taken(service, &mut transaction, keys.unique, item).await?;
    Ok(not_unique_error(service, taken, columns))
}

/// The key that the database assigned to a new item, where that is what was taken.
fn assigned_key(service: &Service, keys: &Keys, columns: &[String]) -> Option<&'static Attribute> {
    let key = service.definition.primary_key()?;
    let is_assigned = keys.item.is_none() && key.is_assigned_by_database();
    (is_assigned && columns == [key.identifier().as_str()]).then_some(key)
}

/// The client did not send what was taken.
async fn assigned_twice(service: &Service, key: &Attribute) -> Failure {
    let table = service.definition.table_identifier();
    let place = format!("`{}.{}`", table.as_str(), key.identifier().as_str());
    let needed = [Table::with_key(table, key)];
    let stored = service.database.stored_tables(&needed).await;
    let behind = stored.map(|stored| stored.into_iter().flatten().find_map(|it| it.behind));
    Failure::internal(match behind {
        Ok(Some(sequence)) => format!(
            "the database assigned a value of {place} that a row has already: its sequence is \
             behind, as after a bulk load; set it on with `{}`",
            plan::set_on(&sequence, table, key.identifier()).text()
        ),
        Ok(None) => format!(
            "a value of {place} is taken that no client sent; does something else than the \
             database assign them, or does a trigger write a row of another table?"
        ),
        Err(failure) => format!(
            "the database assigned a value of {place} that a row has already, and does not tell \
             why: {failure}"
        ),
    })
}

async fn broken_reference(
    service: &Service,
    client: &Client,
    keys: Keys,
) -> Result<ApiError, DatabaseFailure> {
    let transaction = &mut service.database.begin_write().await?;
    let (item, moves_away) = (keys.item.clone(), keys.moves_away);
    let missing = missing_targets(service, transaction, keys).await?;
    if !missing.is_empty() {
        return Ok(ApiError::of_problems(ErrorCode::MissingReference, missing));
    }
    let users = match &item {
        Some(item) if moves_away => users_of(service, client, transaction, item).await?,
        _ => Vec::new(),
    };
    let resource = service.definition.name();
    Ok(match users.as_slice() {
        [] if moves_away => ApiError::new(
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

/// The references of a write that point at nothing that is there for its client.
pub(super) async fn missing_targets(
    service: &Service,
    transaction: &mut Transaction,
    keys: Keys,
) -> Result<Vec<Problem>, DatabaseFailure> {
    let dialect = service.database.dialect();
    let item = keys.item.clone();
    let stored = item.as_ref().map(|item| (service.definition, item));
    let mut problems = Vec::new();
    for (reference, target) in keys.suspects(service) {
        let statement = plan::points_nowhere(dialect, target, stored);
        if transaction.finds(statement).await? {
            problems.extend(points_nowhere(service, reference));
        }
    }
    Ok(problems)
}

/// What the client is told of a reference that points at nothing.
pub(super) fn points_nowhere(service: &Service, reference: &Reference) -> Vec<Problem> {
    let attributes = service.definition.all_attributes();
    let names: Vec<&str> = reference
        .attributes
        .iter()
        .filter_map(|index| attributes.get(*index))
        .map(Attribute::name)
        .collect();
    let listed = names.join("`, `");
    let target = reference.target.name();
    let message = format!("`{listed}` refers to a {target} that does not exist");
    names
        .first()
        .map(|name| Problem::new(*name, message))
        .into_iter()
        .collect()
}

/// The names of those that refer to the item, as far as the client may read them.
async fn users_of(
    service: &Service,
    client: &Client,
    transaction: &mut Transaction,
    item: &Value,
) -> Result<Vec<&'static str>, DatabaseFailure> {
    let dialect = service.database.dialect();
    let mut users = Vec::new();
    for referrer in &service.referrers {
        let source = (client.view(service).of(referrer.source), &referrer.key);
        let statement = plan::is_referenced(dialect, source, service.definition, item);
        let name = referrer.source.name();
        if !users.contains(&name) && transaction.finds(statement).await? {
            users.push(name);
        }
    }
    Ok(users)
}
