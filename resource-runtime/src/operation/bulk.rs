//! Writes of many items by the developer's own code: the model is checked, and no hook runs.

use std::iter::{self, Peekable};
use std::sync::Arc;

use resource_model::error::{DatabaseFailure, DatabaseResult, Error, Violation};
use resource_model::query::{ListQuery, RowChange};
use resource_model::schema::{Attribute, Operation, Peculiarity};
use resource_model::value::{Key, Record, Value};
use resource_sql::Statement;

use super::Service;
use super::diagnose::explain_refusal;
use super::keys::Keys;
use super::model_validation::{self, other_version_values};
use super::services::draft;
use super::write::{Write, completed};
use crate::authorization::{Caller, View};
use crate::failure::Failure;
use crate::hooks::WriteKind;
use crate::items::{Transaction, Wanted};
use crate::store::{BatchFailure, DatabaseTransaction};

/// Rows that one statement inserts or deletes at most, so that other writers wait for no more.
const CHUNK_ROWS: usize = 1000;

/// Size of the values after which a chunk ends, in bytes.
const CHUNK_BYTES: usize = 4 << 20;

/// Stores new items, in `transaction` or chunk by chunk; returns their keys in the order of the records.
pub(super) async fn insert_all(
    service: &Arc<Service>,
    mut transaction: Option<&mut Transaction>,
    records: Vec<Record>,
) -> Result<Vec<Key>, Error> {
    let mut checked = Vec::with_capacity(records.len());
    // All are checked before the first is stored, so that a mistake of the caller leaves nothing behind.
    for (row, record) in records.into_iter().enumerate() {
        if row % CHUNK_ROWS == CHUNK_ROWS - 1 {
            // Other tasks of the thread run meanwhile.
            tokio::task::yield_now().await;
        }
        let record = new_item(service, record);
        checked.push(record.map_err(|failure| Error::from(failure).with_rows(0, Some(row)))?);
    }
    let (dialect, mut records) = (service.database.dialect(), checked.into_iter().peekable());
    let mut keys = Vec::with_capacity(records.len());
    while records.peek().is_some() {
        let rows =
            chunk(service, &mut records).map(|record| (record, values_of_other_versions(service)));
        let batch = Arc::new(resource_sql::insert_many(dialect, service.definition, rows));
        let insert = async |transaction: &mut DatabaseTransaction| {
            let driver = &mut transaction.driver;
            driver.insert_batch(&batch, service.definition).await
        };
        match in_scope(service, transaction.as_deref_mut(), insert).await {
            Ok(stored) => keys.extend(stored),
            Err(BatchFailure { row, failure }) => {
                let error = match row {
                    Some(row) => {
                        let record = batch.record(row, service.definition);
                        explain(service, WriteKind::Create, &record, failure).await
                    }
                    None => failure.into(),
                };
                // With a transaction, the chunks before are undone, too.
                let stored = if transaction.is_some() { 0 } else { keys.len() };
                let failed = row.map(|row| keys.len() + row);
                return Err(error.with_rows(stored.try_into().unwrap_or(u64::MAX), failed));
            }
        }
    }
    Ok(keys)
}

/// Refuses references that no foreign key enforces, which a write of many items does not check.
fn require_enforced(service: &Service, record: &Record) -> Result<(), Failure> {
    let definition = service.definition;
    if !definition.accepts(Peculiarity::UnenforcedReferences) {
        return Ok(());
    }
    let mut attributes = service.references.iter().flat_map(|it| &it.attributes);
    let refers = attributes.any(|it| record.get(*it).is_some_and(|value| *value != Value::Null));
    let resource = definition.name();
    if refers {
        return Err(Failure::internal(format!(
            "no foreign key checks the references of {resource}, nor does a write of many items; write one item after \
             another"
        )));
    }
    Ok(())
}

/// The checked record of a new item.
fn new_item(service: &Service, record: Record) -> Result<Record, Failure> {
    require_enforced(service, &record)?;
    let view = View::system(service.definition);
    model_validation::creation(view, draft(view, Operation::Create, record))
}

fn values_of_other_versions(service: &Service) -> Vec<(&'static Attribute, Value)> {
    other_version_values(
        &service.defaulted_by_other_versions,
        Attribute::default_value,
    )
}

/// The next records, up to the size of a chunk, which leave the same values to the database; at least one.
fn chunk<'records>(
    service: &'records Service,
    records: &'records mut Peekable<impl Iterator<Item = Record>>,
) -> impl Iterator<Item = Record> {
    let left = |record: &Record| resource_sql::left_to_database(service.definition, record);
    let (mut bytes, of_chunk) = (0, records.peek().map(left));
    let fitting = iter::from_fn(move || {
        if bytes >= CHUNK_BYTES {
            return None;
        }
        let record = records.next_if(|record| Some(left(record)) == of_chunk)?;
        bytes += size(&record);
        Some(record)
    });
    fitting.take(CHUNK_ROWS)
}

/// The size of the values of a record, in bytes.
fn size(record: &Record) -> usize {
    let values = (0..record.len()).filter_map(|index| record.get(index));
    let sizes = values.map(|value| match value {
        Value::Text(text) => text.len(),
        Value::Bytes(bytes) => bytes.len(),
        _ => size_of::<Value>(),
    });
    sizes.sum()
}

/// The error of a write that the database refused.
async fn explain(
    service: &Arc<Service>,
    kind: WriteKind,
    record: &Record,
    failure: DatabaseFailure,
) -> Error {
    let write = Write::new(service, Caller::System, kind, None, record);
    let keys = Keys::of(&write, record);
    let explained = explain_refusal(&write, failure, keys).await;
    explained.map_or_else(Error::from, Error::from)
}

/// Changes the items of a query by one statement; returns their number.
pub(super) async fn update_all(
    service: &Arc<Service>,
    caller: &Caller,
    transaction: Option<&mut Transaction>,
    query: ListQuery,
    record: Record,
) -> Result<u64, Error> {
    let definition = service.definition;
    // A key of nulls, which no item has: no key can be set.
    let nulls = definition.key_attributes().map(|_| Value::Null);
    let key = Key::new(nulls).unwrap_or_else(|| Key::from(Value::Null));
    let view = service.view(caller);
    let draft = draft(view, Operation::Update, record);
    let record = model_validation::change(view, draft, &key);
    let record = record.map_err(Failure::from)?;
    if record.is_empty() {
        return Ok(0);
    }
    require_enforced(service, &record)?;
    let record = model_validation::with_defaults(definition, record, Attribute::value_on_update)?;
    let mut changes = Vec::new();
    for (index, attribute) in definition.all_attributes().iter().enumerate() {
        changes.extend(record.get(index).map(|value| (attribute, value.clone())));
    }
    let others = &service.updated_by_other_versions;
    changes.extend(other_version_values(others, Attribute::value_on_update));
    let dialect = service.database.dialect();
    let statement = resource_sql::change_where(dialect, view, &query, Some(changes));
    match execute(service, transaction, statement).await {
        Ok(rows) => Ok(rows),
        Err(failure) => Err(explain(service, WriteKind::Update, &record, failure).await),
    }
}

/// Deletes the items of a query, in `transaction` or batch by batch; returns their number.
pub(super) async fn delete_all(
    service: &Arc<Service>,
    caller: &Caller,
    mut transaction: Option<&mut Transaction>,
    mut query: ListQuery,
) -> Result<u64, Error> {
    let is_batched = transaction.is_none();
    if is_batched {
        query.limit = CHUNK_ROWS.try_into().unwrap_or(u64::MAX);
    }
    let (dialect, definition) = (service.database.dialect(), service.definition);
    let view = service.view(caller);
    let changes = deletion(service, view)?;
    let statement = resource_sql::change_where(dialect, view, &query, changes);
    let mut deleted = 0;
    loop {
        match execute(service, transaction.as_deref_mut(), statement.clone()).await {
            // A batch that is not full may have rows that a trigger keeps, so that only an empty one is the end.
            Ok(rows) if is_batched && rows > 0 => deleted += rows,
            Ok(rows) => return Ok(deleted + rows),
            Err(failure) => {
                let nothing = Record::absent(definition.all_attributes().len());
                let error = explain(service, WriteKind::Delete, &nothing, failure).await;
                return Err(error.with_rows(deleted, None));
            }
        }
    }
}

/// The change that deletes items softly; none where a deletion removes the rows.
fn deletion(
    service: &Service,
    view: View<'_>,
) -> Result<Option<Vec<(&'static Attribute, Value)>>, Error> {
    let deleted = service.definition.deletion_attribute();
    let deleted = deleted.filter(|_| !view.shows_deleted());
    if deleted.is_none() && !service.has_unenforced_referrers {
        return Ok(None);
    }
    // One statement cannot lock the items before it looks for others that refer to them.
    let resource = service.definition.name();
    if service.has_unenforced_referrers {
        return Err(Error::configuration(format!(
            "`delete_all` does not look for items that refer to {resource} without a foreign key; delete one item \
             after another"
        )));
    }
    if !service.referrers.is_empty() {
        return Err(Error::configuration(format!(
            "`delete_all` cannot keep the rows of {resource}, which other resources refer to; delete one item after \
             another, or remove the rows by `with_deleted()`"
        )));
    }
    let now = deleted.and_then(|(_, it)| Some((it, it.deleted_at(service.clock.now())?)));
    Ok(now.map(|now| vec![now]))
}

async fn execute(
    service: &Service,
    transaction: Option<&mut Transaction>,
    statement: Statement,
) -> DatabaseResult<u64> {
    let execute =
        async |transaction: &mut DatabaseTransaction| transaction.execute(statement).await;
    in_scope(service, transaction, execute).await
}

/// Stores an item, or sets the values of the one that has the same values of a unique set; returns the stored record.
pub(super) async fn upsert(
    service: &Arc<Service>,
    mut transaction: Option<&mut Transaction>,
    record: Record,
    columns: &[Wanted],
) -> Result<Record, Error> {
    let unique = unique_set(service, columns)?;
    let all = service.definition.all_attributes().iter().enumerate();
    // As for an update, attributes that the new item does not name have their value on update.
    let unnamed = all.filter(|(index, _)| record.get(*index).is_none());
    let unnamed = unnamed.map(|(_, attribute)| attribute);
    let others = service.updated_by_other_versions.iter().copied();
    let updated: Vec<_> = unnamed.chain(others).collect();
    let record = new_item(service, record)?;
    let mut stored = record.clone().filled_with(&Value::Null);
    let change = RowChange::Upsert {
        definition: service.definition,
        record,
        of_other_versions: values_of_other_versions(service),
        updated: other_version_values(&updated, Attribute::value_on_update),
        unique,
    };
    let upsert = async |transaction: &mut DatabaseTransaction| {
        let key = transaction.change(change).await?;
        // Returned before the commit, which undoes what a trigger did instead.
        key.ok_or_else(|| BatchFailure::without_key(0).failure)
    };
    let key = match in_scope(service, transaction.as_deref_mut(), upsert).await {
        Ok(key) => key,
        Err(failure) => {
            // The item of the same set was to be changed, so that another set is in conflict.
            let is_conflict = matches!(
                failure,
                DatabaseFailure::ConstraintViolation(Violation::Unique(_), _)
            );
            for (_, attribute) in columns.iter().filter(|_| is_conflict) {
                let found = service.definition.find(attribute.name());
                found.and_then(|(index, _)| stored.take(index));
            }
            return Err(explain(service, WriteKind::Create, &stored, failure).await);
        }
    };
    // An item that was there keeps its key, whatever the new one has.
    let stored = service.definition.with_key(stored, &key, |_| true);
    Ok(completed(service, &key, stored, transaction).await?)
}

/// The unique set of these columns.
fn unique_set(service: &Service, columns: &[Wanted]) -> Result<Vec<&'static Attribute>, Error> {
    let attributes = service.definition.all_attributes();
    let of =
        |set: &Vec<usize>| -> Vec<_> { set.iter().filter_map(|it| attributes.get(*it)).collect() };
    let sets: Vec<Vec<&Attribute>> = service.unique.iter().map(of).collect();
    // A column of a subresource is none of the item, though an attribute may have the same name.
    let is_wanted = |attribute: &&Attribute| {
        let mut columns = columns.iter();
        columns.any(|(subresource, it)| subresource.is_none() && it.name() == attribute.name())
    };
    let mut found = sets.iter();
    let found = found.find(|set| set.len() == columns.len() && set.iter().all(is_wanted));
    found.cloned().ok_or_else(|| {
        let named = |set: &Vec<&Attribute>| {
            let names: Vec<_> = set.iter().map(|it| format!("`{}`", it.name())).collect();
            names.join(" with ")
        };
        let sets: Vec<String> = sets.iter().map(named).collect();
        let wanted = named(&columns.iter().map(|(_, it)| *it).collect());
        let resource = service.definition.name();
        let remedy = match sets.as_slice() {
            [] => "add `unique` to an attribute".to_owned(),
            sets => format!("take a unique set: {}", sets.join(", ")),
        };
        Error::configuration(format!(
            "`upsert` finds no {resource} by {wanted}, which is not unique; {remedy}"
        ))
    })
}

/// Runs a statement in the transaction of the caller, which goes on, or in one of its own, which is committed.
async fn in_scope<T, E: From<DatabaseFailure>>(
    service: &Service,
    caller: Option<&mut Transaction>,
    run: impl AsyncFnOnce(&mut DatabaseTransaction) -> Result<T, E>,
) -> Result<T, E> {
    if let Some(transaction) = caller {
        return run(transaction.begin().await?).await;
    }
    service.load_triggers().await?;
    let mut kinds = [WriteKind::Create, WriteKind::Update, WriteKind::Delete].into_iter();
    let is_begun = kinds.any(|it| service.may_be_diverted(it));
    let mut transaction = service.begin_statement(is_begun).await?;
    let done = run(&mut transaction).await?;
    transaction.commit_changes().await?;
    Ok(done)
}
